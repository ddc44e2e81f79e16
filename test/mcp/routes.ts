// Who may send what to an endpoint, and what everybody else is told.
import { test } from 'tap'
import { createApiKey } from '../../src/auth/api-keys.js'
import { activateIntegration, deactivateIntegration } from '../../src/auth/integrations.js'
import { revokeMcpKey } from '../../src/auth/mcp-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { MCP_BODY_BYTES_MAX } from '../../src/mcp/mcp-limits.js'
import { findMcpKey, listMcpKeys } from '../../src/store/mcp-key-rows.js'
import {
  callOf,
  jsonOf,
  type McpSending,
  modernRpc,
  newMcpKey,
  overMcpDesks,
  rpc,
  sendMcp,
} from '../fixtures/mcp-desk.js'
import type { OAuthDesk } from '../fixtures/oauth-desk.js'

const LIST = rpc('tools/list')
const BOTH = 'transactions:read accounts:read'

function metadataUrl(desk: OAuthDesk): string {
  return `${desk.url}/.well-known/oauth-protected-resource${new URL(desk.resource).pathname}`
}

/** Status of an answer, and the challenge it carries. */
async function statusOf(desk: OAuthDesk, sending: McpSending): Promise<number> {
  return (await sendMcp(desk, { body: LIST, ...sending })).status
}

test(
  'without a credential a caller learns where to get one, and for which scopes',
  overMcpDesks(async (t, desk) => {
    const rest = `scope="${BOTH}", resource_metadata="${metadataUrl(desk)}"`
    for (const method of ['POST', 'GET', 'DELETE']) {
      const none = await sendMcp(desk, { method, body: method === 'POST' ? LIST : undefined })
      t.equal(none.status, 401)
      t.equal(none.fields['www-authenticate'], `Bearer realm="kontor", ${rest}`)
      t.match(jsonOf(none), { error: 'unauthorized', message: /MCP_API_KEY/ })
    }
    const wrong = await sendMcp(desk, { key: `mcp-${'x'.repeat(43)}`, body: LIST })
    t.equal(wrong.status, 401)
    const challenge = `Bearer realm="kontor", error="invalid_token", ${rest}`
    t.equal(wrong.fields['www-authenticate'], challenge)
    t.match(jsonOf(wrong), { error: 'unauthorized' })
    const basic = await sendMcp(desk, { fields: { authorization: 'Basic YTpi' }, body: LIST })
    t.equal(basic.fields['www-authenticate'], challenge)
  }),
)

test(
  'the challenge names the scopes of enabled tools alone',
  overMcpDesks(
    async (t, desk) => {
      const { fields } = await sendMcp(desk, { body: LIST })
      t.match(fields['www-authenticate'], 'scope="accounts:read",')
      const answer = await sendMcp(desk, {
        path: new URL(metadataUrl(desk)).pathname,
        method: 'GET',
      })
      t.same(jsonOf(answer)['scopes_supported'], ['accounts:read'])
    },
    { integration: { tools: ['get_accounts'] } },
  ),
)

test(
  'keys and tokens of this integration open it, and nothing else does',
  overMcpDesks(async (t, desk) => {
    const key = newMcpKey(desk)
    t.equal(await statusOf(desk, { key }), 200)
    const token = (await desk.newTokens({ resource: desk.resource }))['access_token']
    t.equal(await statusOf(desk, { key: `${token}` }), 200)
    t.equal(await desk.readStatus(token), 401, 'and open nothing else')
    t.equal(await desk.readStatus(key), 401)

    const { control, nowMs } = desk.service
    const all = {
      name: 'n',
      scopes: ['accounts:read'],
      accountIds: null,
      expiresAtMs: null,
    } as const
    const restKey = createApiKey(control, { workspaceId: 'w', ...all }, nowMs, CLI_ACTOR).key
    t.equal(await statusOf(desk, { key: restKey }), 401)
    const other = desk.newIntegration({ kind: 'mcp' })
    t.equal(await statusOf(desk, { key: newMcpKey(desk, { integrationId: other.id }) }), 401)
    t.equal(await statusOf(desk, { key, path: `/v1/w/mcp/${other.id}` }), 401)
    const [first] = listMcpKeys(control, desk.integration.id)
    revokeMcpKey(control, first?.id ?? 0, nowMs, CLI_ACTOR)
    await desk.service.until(async () => (await statusOf(desk, { key })) === 401)
  }),
)

test(
  'a token for the REST operations opens no endpoint',
  overMcpDesks(
    async (t, desk) => {
      const token = `${(await desk.newTokens())['access_token']}`
      t.equal(await desk.readStatus(token), 200)
      const mcp = desk.newIntegration({ kind: 'mcp' })
      t.equal(await statusOf(desk, { key: token, path: `/v1/w/mcp/${mcp.id}` }), 401)
      t.equal(await statusOf(desk, { key: token, path: `/v1/w/mcp/${desk.integration.id}` }), 404)
    },
    { integration: { kind: 'oauth2' } },
  ),
)

test(
  'an inactive integration answers 404 before anything else is told',
  overMcpDesks(async (t, desk) => {
    const { control, nowMs } = desk.service
    const key = newMcpKey(desk)
    const paths = [
      new URL(desk.resource).pathname,
      `${new URL(desk.resource).pathname}/.well-known/oauth-protected-resource`,
      new URL(metadataUrl(desk)).pathname,
    ]
    deactivateIntegration(control, desk.integration.id, nowMs, CLI_ACTOR)
    const hostile = { host: 'evil.example.org', origin: 'https://evil.example.org' }
    for (const path of [...paths, '/v1/w/mcp/unknown', `/v1/v/mcp/${desk.integration.id}`]) {
      for (const sending of [
        { key },
        {},
        { fields: hostile },
        { method: 'GET', body: undefined },
      ]) {
        const { status, text, fields } = await sendMcp(desk, { path, body: LIST, ...sending })
        t.equal(status, 404)
        t.match(JSON.parse(text), { error: 'no_such_operation' })
        t.equal(fields['www-authenticate'], undefined)
      }
    }
    activateIntegration(control, desk.integration.id, nowMs, CLI_ACTOR)
    t.equal(await statusOf(desk, { key }), 200)
  }),
)

test(
  'names and origins that are not its own are refused, credential or not',
  overMcpDesks(
    async (t, desk) => {
      const key = newMcpKey(desk)
      const refused = [
        { host: 'evil.example.org' },
        { host: `localhost:${desk.service.client.port}` },
        { origin: 'https://evil.example.org' },
        { origin: 'http://localhost:6274' },
        { origin: 'null' },
      ]
      for (const fields of refused) {
        for (const credential of [key, undefined]) {
          const answer = await sendMcp(desk, { key: credential, fields, body: LIST })
          t.equal(answer.status, 403, JSON.stringify(fields))
          t.match(jsonOf(answer), { jsonrpc: '2.0', id: null, error: { code: -32_000 } })
          t.match(answer.text, 'host' in fields ? '--base-url' : '--cors-origin')
          t.equal(answer.fields['access-control-allow-origin'], undefined)
          t.equal(answer.fields['www-authenticate'], undefined)
        }
      }
      for (const origin of [desk.url, 'https://app.example.org']) {
        const { status, fields } = await sendMcp(desk, { key, fields: { origin }, body: LIST })
        t.equal(status, 200)
        t.equal(fields['access-control-allow-origin'], origin)
        t.equal(fields['vary'], 'Origin')
      }
    },
    { service: { corsOrigins: ['https://app.example.org'] } },
  ),
)

test(
  'a service that answers loopback is known by its names there',
  overMcpDesks(
    async (t, desk) => {
      const { port } = desk.service.client
      const key = newMcpKey(desk)
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]:80', 'b.example.org']) {
        t.equal(await statusOf(desk, { key, fields: { host } }), 200, host)
      }
      const pages = { host: `localhost:${port}`, origin: 'http://localhost:6274' }
      t.equal(await statusOf(desk, { key, fields: pages }), 200)
      t.equal(await statusOf(desk, { key, fields: { host: 'evil.example.org' } }), 403)
    },
    { service: { answersLoopback: true, baseUrl: () => 'https://b.example.org' } },
  ),
)

test(
  'a page that may ask is let through by its browser, errors among the answers',
  overMcpDesks(
    async (t, desk) => {
      const origin = 'http://localhost:6274'
      const asked = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name'
      const leave = {
        ...{ origin, 'access-control-request-method': 'POST' },
        'access-control-request-headers': asked,
      }
      const preflight = await sendMcp(desk, { method: 'OPTIONS', fields: leave })
      t.equal(preflight.status, 204)
      t.match(preflight.fields, {
        ...{ 'access-control-allow-origin': origin, 'access-control-allow-methods': 'POST' },
        ...{ 'access-control-allow-headers': asked, 'access-control-max-age': '7200' },
      })
      for (const odd of ['a;b', 'x'.repeat(1_025), '*']) {
        const fields = { ...leave, 'access-control-request-headers': odd }
        const { fields: told } = await sendMcp(desk, { method: 'OPTIONS', fields })
        t.equal(told['access-control-allow-headers'], 'Authorization, Content-Type', odd)
      }
      const stranger = { ...leave, origin: 'https://evil.example.org' }
      t.equal((await sendMcp(desk, { method: 'OPTIONS', fields: stranger })).status, 403)

      const none = await sendMcp(desk, { fields: { origin }, body: LIST })
      t.equal(none.status, 401)
      t.equal(none.fields['access-control-allow-origin'], origin)
      t.match(none.fields['access-control-expose-headers'], 'WWW-Authenticate')
      const bare = await sendMcp(desk, { method: 'OPTIONS', fields: { origin } })
      t.equal(bare.status, 401, 'OPTIONS that asks no leave is a request like others')
    },
    { service: { answersLoopback: true } },
  ),
)

test(
  'a tool whose scope is lacking is refused by what the body calls',
  overMcpDesks(async (t, desk) => {
    const key = newMcpKey(desk, { scopes: ['accounts:read'] })
    const call = callOf('get_transactions')
    const bodies = [call, [callOf('get_accounts', { how: 'answer' }), call]]
    for (const body of bodies) {
      // An older client sends no copy of the name, and a sly one another.
      for (const fields of [{}, { 'mcp-name': 'get_accounts', 'mcp-method': 'tools/list' }]) {
        const answer = await sendMcp(desk, { key, body, fields })
        t.equal(answer.status, 403)
        const rest = `scope="${BOTH}", resource_metadata="${metadataUrl(desk)}"`
        const challenge = `Bearer realm="kontor", error="insufficient_scope", ${rest}`
        t.equal(answer.fields['www-authenticate'], challenge)
        t.match(jsonOf(answer), { error: 'insufficient_scope', message: /transactions:read/ })
      }
    }
    const modern = modernRpc('tools/call', { name: 'get_transactions', arguments: {} })
    const copies = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    const fields = { ...copies, 'mcp-name': 'get_transactions' }
    t.equal(await statusOf(desk, { key, body: modern, fields }), 403)
    const own = await sendMcp(desk, { key, body: callOf('get_accounts', { how: 'answer' }) })
    t.match(jsonOf(own), { result: { isError: true } })
  }),
)

test(
  'a tool that is not enabled is not there, whatever the scopes',
  overMcpDesks(
    async (t, desk) => {
      const key = newMcpKey(desk)
      const listed = await sendMcp(desk, { key, body: LIST })
      t.match(listed.text, 'get_accounts')
      t.notMatch(listed.text, 'get_transactions')
      const called = await sendMcp(desk, { key, body: callOf('get_transactions') })
      t.equal(called.status, 200)
      t.match(jsonOf(called), { id: 1, error: { code: -32_602 } })
    },
    { integration: { tools: ['get_accounts'] } },
  ),
)

test(
  'what is no message of the protocol is refused',
  overMcpDesks(async (t, desk) => {
    const key = newMcpKey(desk)
    const types = [
      undefined,
      'text/plain',
      'application/jsonp',
      'application/x-www-form-urlencoded',
    ]
    for (const type of types) {
      t.equal(await statusOf(desk, { key, fields: { 'content-type': type } }), 415, `${type}`)
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      t.equal(await statusOf(desk, { key, fields: { 'content-type': type } }), 200, type)
    }
    t.equal(await statusOf(desk, { key, fields: { accept: 'text/html' } }), 406)
    for (const accept of [undefined, '*/*', 'application/json', 'application/*;q=0.5']) {
      t.equal(await statusOf(desk, { key, fields: { accept } }), 200, `${accept}`)
    }
    for (const body of ['', '{', 'null,', '\u0000', '{"jsonrpc":"2.0"', '"\ud800"]']) {
      const answer = await sendMcp(desk, { key, body })
      t.equal(answer.status, 400)
      t.match(jsonOf(answer), { id: null, error: { code: -32_700 } })
    }
    const odd = [null, 7, 'x', [], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, [[]], [7]]
    for (const body of odd) {
      const answer = await sendMcp(desk, { key, body: JSON.stringify(body) })
      t.equal(answer.status, 400, JSON.stringify(body))
      t.match(jsonOf(answer), { jsonrpc: '2.0', error: { message: String } })
    }
    const long = callOf('get_transactions', { query: 'x'.repeat(MCP_BODY_BYTES_MAX) })
    const answer = await sendMcp(desk, { key, body: long })
    t.equal(answer.status, 413)
    t.match(jsonOf(answer), { error: 'body_too_large' })
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, fields } = await sendMcp(desk, { key, method })
      t.equal(status, 405)
      t.equal(fields['allow'], 'POST, OPTIONS')
    }
    t.same(desk.service.log, [])
  }),
)

test(
  'what a request says of its body must be so, from revision 2026-07-28 on',
  overMcpDesks(async (t, desk) => {
    const key = newMcpKey(desk)
    const body = modernRpc('tools/call', { name: 'get_transactions', arguments: {} })
    const right = {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      'mcp-name': 'get_transactions',
    }
    const good = await sendMcp(desk, { key, body, fields: right })
    t.equal(good.status, 200)
    t.equal(good.fields['content-type'], 'application/json')
    const wrong = [
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': undefined },
      { 'mcp-name': 'get_accounts' },
    ]
    for (const fields of wrong) {
      const answer = await sendMcp(desk, { key, body, fields: { ...right, ...fields } })
      t.equal(answer.status, 400, JSON.stringify(fields))
      t.match(jsonOf(answer), { id: 1, error: { code: -32_020 } })
    }
    const later = structuredClone(body) as { params: { _meta: Record<string, unknown> } }
    later.params._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01'
    const fields = { ...right, 'mcp-protocol-version': '2099-01-01' }
    const answer = await sendMcp(desk, { key, body: later, fields })
    t.equal(answer.status, 400)
    t.match(jsonOf(answer), { error: { code: -32_022, data: { supported: ['2026-07-28'] } } })
    const unknown = { 'mcp-protocol-version': '1999-01-01' }
    t.equal(await statusOf(desk, { key, fields: unknown }), 400, 'of the older ones')
  }),
)

test(
  'messages that want no answer get none, and subscriptions end at once',
  overMcpDesks(async (t, desk) => {
    const key = newMcpKey(desk)
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const accepted = await sendMcp(desk, { key, body: note })
    t.equal(accepted.status, 202)
    t.equal(accepted.text, '')
    t.equal(accepted.fields['content-type'], undefined)
    const batch = await sendMcp(desk, { key, body: [rpc('ping'), rpc('ping', {}, 'b'), note] })
    t.same(JSON.parse(batch.text), [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'b', result: {} },
    ])
    const listen = modernRpc('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const fields = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    }
    const ended = await sendMcp(desk, { key, body: listen, fields })
    t.equal(ended.fields['content-type'], 'text/event-stream')
    t.match(ended.text, /acknowledged.*"resultType":"complete"/s)
  }),
)

test(
  'requests are counted by credential',
  overMcpDesks(
    async (t, desk) => {
      const key = newMcpKey(desk)
      const first = await sendMcp(desk, { key, body: LIST })
      t.equal(first.fields['ratelimit'], '"default";r=1;t=60')
      t.equal(await statusOf(desk, { key }), 200)
      const third = await sendMcp(desk, { key, body: LIST })
      t.equal(third.status, 429)
      t.equal(third.fields['retry-after'], '60')
      t.match(jsonOf(third), { error: 'rate_limited' })
      t.equal(await statusOf(desk, { key: newMcpKey(desk) }), 200)
      t.equal(await statusOf(desk, {}), 401, 'who is nobody is not counted')
    },
    { service: { requestsPerMinute: 2 } },
  ),
)

test(
  'the last use of a key is kept, with the tool that it was for',
  overMcpDesks(async (t, desk) => {
    const { control } = desk.service
    const key = newMcpKey(desk)
    await sendMcp(desk, { key, body: LIST })
    await sendMcp(desk, { key, body: callOf('get_transactions') })
    const second = newMcpKey(desk)
    await sendMcp(desk, { key: second, body: LIST })
    await desk.service.end()
    t.match(findMcpKey(control, 1), { lastUsedOperation: 'get_transactions' })
    t.match(findMcpKey(control, 2), { lastUsedOperation: 'mcp' })
  }),
)

test(
  'the metadata is there for everybody, at both places',
  overMcpDesks(async (t, desk) => {
    const path = new URL(desk.resource).pathname
    const name = '/.well-known/oauth-protected-resource'
    for (const place of [`${name}${path}`, `${path}${name}`]) {
      const { status, fields, text } = await sendMcp(desk, { method: 'GET', path: place })
      t.equal(status, 200)
      t.equal(fields['access-control-allow-origin'], '*')
      t.same(JSON.parse(text), {
        resource: desk.resource,
        authorization_servers: [desk.issuer],
        scopes_supported: ['transactions:read', 'accounts:read'],
        bearer_methods_supported: ['header'],
      })
      const head = await sendMcp(desk, { method: 'HEAD', path: place })
      t.same([head.status, head.text], [200, ''])
      const preflight = await sendMcp(desk, { method: 'OPTIONS', path: place })
      t.equal(preflight.status, 204)
      t.match(preflight.fields['access-control-allow-headers'], 'MCP-Protocol-Version')
      const post = await sendMcp(desk, { path: place, body: LIST })
      t.same([post.status, post.fields['allow']], [405, 'GET, HEAD, OPTIONS'])
    }
  }),
)
