import { test } from 'tap'
import { changeIntegration } from '../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { ISSUER_REQUESTS_PER_MINUTE_MAX } from '../../src/oauth/routes.js'
import { ask, requestText, rigs, WireClient } from '../fixtures/http-rig.js'
import { formOf, OAuthFixture, overFixtures } from '../fixtures/oauth-fixture.js'

const ORIGIN = 'https://app.example.org'

function accessFields(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

test(
  'scripts of any origin may read the endpoints of programs, never the pages',
  overFixtures(
    async (t, fixture) => {
      for (const [endpoint, methods] of [
        ['.well-known/oauth-authorization-server', 'GET, HEAD'],
        ['token', 'POST'],
        ['revoke', 'POST'],
        ['register', 'POST'],
      ] as const) {
        const url = `${fixture.issuer}/${endpoint}`
        const preflight = await fetch(url, {
          method: 'OPTIONS',
          headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
        })
        t.equal(preflight.status, 204, endpoint)
        t.same(accessFields(preflight.headers), {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': methods,
          'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version, X-Request-Id',
          'access-control-max-age': '7200',
          'access-control-expose-headers': 'X-Request-Id, Retry-After, WWW-Authenticate',
        })
        const method = methods === 'POST' ? 'POST' : 'GET'
        const reply = await fetch(url, { method, headers: { Origin: ORIGIN } })
        t.equal(reply.headers.get('access-control-allow-origin'), '*', endpoint)
        t.equal(reply.headers.get('vary'), null)
        t.match(reply.headers.get('x-request-id'), /./)
        t.equal(reply.headers.get('x-content-type-options'), 'nosniff')
      }
      const page = await fetch(fixture.authorizeUrl(), { headers: { Origin: ORIGIN } })
      t.same(accessFields(page.headers), {})
      const preflight = await fetch(fixture.authorizeUrl(), { method: 'OPTIONS' })
      t.equal(preflight.status, 405)
    },
    {
      // The CORS origins of the operations have no effect here.
      service: { corsOrigins: [ORIGIN] },
      integration: { kind: 'mcp', letsRegister: true },
    },
  ),
)

test(
  'a cached answer is not confirmed after a change of permissions',
  overFixtures(async (t, fixture) => {
    const { access_token: token } = await fixture.newTokens()
    const kept = async (path: string, etag = '') => {
      const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': etag }
      const reply = await fetch(`${fixture.url}${path}`, { headers })
      return { status: reply.status, etag: reply.headers.get('etag') ?? '' }
    }
    for (const path of ['/v1/w/transactions', '/v1/w/accounts', '/v1/w/key/scope']) {
      const { etag } = await kept(path)
      t.equal((await kept(path, etag)).status, 304, path)
      const { control, nowMs } = fixture.service
      const { id, name } = fixture.integration
      const open = { id, name, scopes: SCOPES, tools: null }
      await changeIntegration({ control, nowMs, actor: CLI_ACTOR }, { ...open, accountIds: [1] })
      const narrowed = await kept(path, etag)
      t.equal(narrowed.status, 200, 'fewer accounts')
      t.not(narrowed.etag, etag)
      await changeIntegration({ control, nowMs, actor: CLI_ACTOR }, { ...open, accountIds: null })
      t.equal((await kept(path, etag)).status, 304, 'all of them again')
    }
  }),
)

test(
  'requests per address and minute are limited; metadata is always answered',
  overFixtures(async (t, fixture) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (let i = 0; i < ISSUER_REQUESTS_PER_MINUTE_MAX; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => fixture.send('token', '', form)))
    }
    const logged = fixture.audit(10_000).length
    const refused = await fixture.send('token', '', form)
    t.match(refused, { status: 429, json: { error: 'temporarily_unavailable' } })
    t.equal(refused.headers.get('retry-after'), '60')
    t.equal((await fixture.send('revoke', '', form)).status, 429)
    const page = await fetch(fixture.authorizeUrl())
    t.equal(page.status, 429)
    t.equal(page.headers.get('retry-after'), '60')
    t.match(await page.text(), 'Too many requests from this address')
    t.equal(fixture.audit(10_000).length, logged, 'and the log cannot be flooded')
    const metadata = await fetch(`${fixture.issuer}/.well-known/oauth-authorization-server`)
    t.equal(metadata.status, 200)
    fixture.service.nowMs += 60_000
    t.equal((await fixture.send('token', '', form)).status, 400)
  }),
)

test('a base URL with a path precedes every URL, stripped by the proxy or not', async (t) => {
  for (const rig of rigs) {
    const baseUrl = (): string => 'https://example.org/bank'
    const fixture = await OAuthFixture.open(t, rig, { service: { baseUrl } })
    const own = `http://127.0.0.1:${fixture.service.client.port}`
    const path = `/v1/w/oauth2/${fixture.integration.id}`
    for (const prefix of ['', '/bank']) {
      const url = `${own}/.well-known/oauth-authorization-server${prefix}${path}`
      const { issuer } = (await (await fetch(url)).json()) as { issuer: string }
      t.equal(issuer, `https://example.org/bank${path}`)
    }
  }
})

test(
  'requests that arrive in pieces, or one behind the other, are answered in order',
  overFixtures(async (t, fixture) => {
    const { port } = fixture.service.client
    const path = new URL(fixture.issuer).pathname
    const body = formOf({ grant_type: 'refresh_token', refresh_token: 'rt-x', client_id: 'x' })
    const fields = 'Content-Type: application/x-www-form-urlencoded\r\n'
    const length = `Content-Length: ${body.length}\r\n`
    const whole = `${requestText('POST', `${path}/token`, fields + length)}${body}`
    const client = await WireClient.connect(port)
    await client.writeParts(whole.slice(0, 40), whole.slice(40, -10), whole.slice(-10))
    t.equal((await client.reply()).status, 401)
    client.write(whole)
    const second = await client.reply()
    t.equal(second.status, 401)
    t.match(JSON.parse(second.body.toString()), { error: 'invalid_client' })
    t.equal(new Set(second.names).size, second.names.length, 'no field twice')
    const chunked = `${fields}Transfer-Encoding: chunked\r\n`
    const half = body.length >> 1
    client.write(
      `${requestText('POST', `${path}/token`, chunked)}${half.toString(16)}\r\n` +
        `${body.slice(0, half)}\r\n${(body.length - half).toString(16)}\r\n` +
        `${body.slice(half)}\r\n0\r\n\r\n`,
    )
    t.equal((await client.reply()).status, 401)
    client.socket.destroy()
    const line = 'X-Request-Id: mine\r\nCookie: a=1\r\nCookie: kontor-session=x\r\n'
    const page = await ask(port, requestText('GET', `${path}/authorize?client_id=%0d%0a`, line))
    t.equal(page.status, 400)
    t.equal(page.fields['x-request-id'], 'mine')
    const doubled = `${fields}${length}Content-Length: 0\r\n`
    const smuggled = await WireClient.connect(port)
    smuggled.write(`${requestText('POST', `${path}/token`, doubled)}${body}`)
    const replies = await smuggled.replies(2)
    t.notOk(
      replies.some(({ status }) => status !== 400),
      'no part of a body is a request',
    )
    smuggled.socket.destroy()
  }),
)

test(
  'a client that disconnects before the end of its body changes nothing, breaks nothing',
  overFixtures(async (t, fixture) => {
    const { port } = fixture.service.client
    const path = new URL(fixture.issuer).pathname
    const before = fixture.audit().length
    for (const endpoint of ['token', 'revoke', 'authorize']) {
      const client = await WireClient.connect(port)
      const fields = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n'
      const query = endpoint === 'authorize' ? new URL(fixture.authorizeUrl()).search : ''
      client.write(`${requestText('POST', `${path}/${endpoint}${query}`, fields)}grant_type=`)
      await new Promise<void>((resolve) => client.socket.end(() => resolve()))
      client.socket.destroy()
    }
    const metadata = await fetch(`${fixture.issuer}/.well-known/oauth-authorization-server`)
    t.equal(metadata.status, 200)
    t.equal(fixture.audit().length, before)
    t.notMatch(fixture.service.log.join('\n'), 'fault')
  }),
)
