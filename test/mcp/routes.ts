// Access to an endpoint, and the answers to callers without access.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { activateIntegration, deactivateIntegration } from '../../src/admin/integrations.js'
import { revokeMcpKey } from '../../src/admin/mcp-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listMcpKeys } from '../../src/store/mcp-key-rows.js'
import {
  jsonOf,
  LIST,
  metadataUrl,
  newMcpKey,
  overMcpFixtures,
  sendMcp,
  statusOf,
} from '../fixtures/mcp-fixture.js'

const BOTH = 'transactions:read accounts:read'

test(
  'without a credential a caller learns the metadata URL and the scopes',
  overMcpFixtures(async (t, fixture) => {
    const rest = `scope="${BOTH}", resource_metadata="${metadataUrl(fixture)}"`
    for (const method of ['POST', 'GET', 'DELETE']) {
      const none = await sendMcp(fixture, { method, body: method === 'POST' ? LIST : undefined })
      t.equal(none.status, 401)
      t.equal(none.fields['www-authenticate'], `Bearer realm="kontor", ${rest}`)
      t.match(jsonOf(none), { error: 'unauthorized', message: /MCP_API_KEY/ })
    }
    const wrong = await sendMcp(fixture, { key: `mcp-${'x'.repeat(43)}`, body: LIST })
    t.equal(wrong.status, 401)
    const challenge = `Bearer realm="kontor", error="invalid_token", ${rest}`
    t.equal(wrong.fields['www-authenticate'], challenge)
    t.match(jsonOf(wrong), { error: 'unauthorized' })
    const basic = await sendMcp(fixture, { fields: { authorization: 'Basic YTpi' }, body: LIST })
    t.equal(basic.fields['www-authenticate'], challenge)
  }),
)

test(
  'the challenge names the scopes of enabled tools only',
  overMcpFixtures(
    async (t, fixture) => {
      const { fields } = await sendMcp(fixture, { body: LIST })
      t.match(fields['www-authenticate'], 'scope="accounts:read",')
      const answer = await sendMcp(fixture, {
        path: new URL(metadataUrl(fixture)).pathname,
        method: 'GET',
      })
      t.same(jsonOf(answer)['scopes_supported'], ['accounts:read'])
    },
    { integration: { tools: ['get_accounts'] } },
  ),
)

test(
  'only keys and tokens of this integration open it',
  overMcpFixtures(async (t, fixture) => {
    const key = await newMcpKey(fixture)
    t.equal(await statusOf(fixture, { key }), 200)
    const token = (await fixture.newTokens({ resource: fixture.resource }))['access_token']
    t.equal(await statusOf(fixture, { key: `${token}` }), 200)
    t.equal(await fixture.readStatus(token), 401, 'and open nothing else')
    t.equal(await fixture.readStatus(key), 401)

    const { control, nowMs } = fixture.service
    const all = {
      name: 'n',
      scopes: ['accounts:read'],
      accountIds: null,
      expiresAtMs: null,
    } as const
    const restKey = (
      await createApiKey({ control, nowMs, actor: CLI_ACTOR }, { workspaceId: 'w', ...all })
    ).key
    t.equal(await statusOf(fixture, { key: restKey }), 401)
    const other = await fixture.newIntegration({ kind: 'mcp' })
    t.equal(
      await statusOf(fixture, { key: await newMcpKey(fixture, { integrationId: other.id }) }),
      401,
    )
    t.equal(await statusOf(fixture, { key, path: `/v1/w/mcp/${other.id}` }), 401)
    const [first] = control.look(() => listMcpKeys(fixture.integration.id))
    await revokeMcpKey({ control, nowMs, actor: CLI_ACTOR }, first?.id ?? 0)
    await fixture.service.until(async () => (await statusOf(fixture, { key })) === 401)
  }),
)

test(
  'a token for the REST operations opens no endpoint',
  overMcpFixtures(
    async (t, fixture) => {
      const token = `${(await fixture.newTokens())['access_token']}`
      t.equal(await fixture.readStatus(token), 200)
      const mcp = await fixture.newIntegration({ kind: 'mcp' })
      t.equal(await statusOf(fixture, { key: token, path: `/v1/w/mcp/${mcp.id}` }), 401)
      t.equal(
        await statusOf(fixture, { key: token, path: `/v1/w/mcp/${fixture.integration.id}` }),
        404,
      )
    },
    { integration: { kind: 'oauth2' } },
  ),
)

test(
  'an inactive integration answers 404 before all other checks',
  overMcpFixtures(async (t, fixture) => {
    const { control, nowMs } = fixture.service
    const key = await newMcpKey(fixture)
    const paths = [
      new URL(fixture.resource).pathname,
      `${new URL(fixture.resource).pathname}/.well-known/oauth-protected-resource`,
      new URL(metadataUrl(fixture)).pathname,
    ]
    await deactivateIntegration({ control, nowMs, actor: CLI_ACTOR }, fixture.integration.id)
    const hostile = { host: 'evil.example.org', origin: 'https://evil.example.org' }
    for (const path of [...paths, '/v1/w/mcp/unknown', `/v1/v/mcp/${fixture.integration.id}`]) {
      for (const sending of [
        { key },
        {},
        { fields: hostile },
        { method: 'GET', body: undefined },
      ]) {
        const { status, text, fields } = await sendMcp(fixture, { path, body: LIST, ...sending })
        t.equal(status, 404)
        t.match(JSON.parse(text), { error: 'no_such_operation' })
        t.equal(fields['www-authenticate'], undefined)
      }
    }
    await activateIntegration({ control, nowMs, actor: CLI_ACTOR }, fixture.integration.id)
    t.equal(await statusOf(fixture, { key }), 200)
  }),
)

test(
  'foreign host names and origins are refused, with a credential or without',
  overMcpFixtures(
    async (t, fixture) => {
      const key = await newMcpKey(fixture)
      const refused = [
        { host: 'evil.example.org' },
        { host: `localhost:${fixture.service.client.port}` },
        { origin: 'https://evil.example.org' },
        { origin: 'http://localhost:6274' },
        { origin: 'null' },
      ]
      for (const fields of refused) {
        for (const credential of [key, undefined]) {
          const answer = await sendMcp(fixture, { key: credential, fields, body: LIST })
          t.equal(answer.status, 403, JSON.stringify(fields))
          t.match(jsonOf(answer), { jsonrpc: '2.0', id: null, error: { code: -32_000 } })
          t.match(answer.text, 'host' in fields ? '--base-url' : '--cors-origin')
          t.equal(answer.fields['access-control-allow-origin'], undefined)
          t.equal(answer.fields['www-authenticate'], undefined)
        }
      }
      for (const origin of [fixture.url, 'https://app.example.org']) {
        const { status, fields } = await sendMcp(fixture, { key, fields: { origin }, body: LIST })
        t.equal(status, 200)
        t.equal(fields['access-control-allow-origin'], origin)
        t.equal(fields['vary'], 'Origin')
      }
    },
    { service: { corsOrigins: ['https://app.example.org'] } },
  ),
)

test(
  'a loopback service is known by its loopback names',
  overMcpFixtures(
    async (t, fixture) => {
      const { port } = fixture.service.client
      const key = await newMcpKey(fixture)
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]:80', 'b.example.org']) {
        t.equal(await statusOf(fixture, { key, fields: { host } }), 200, host)
      }
      const pages = { host: `localhost:${port}`, origin: 'http://localhost:6274' }
      t.equal(await statusOf(fixture, { key, fields: pages }), 200)
      t.equal(await statusOf(fixture, { key, fields: { host: 'evil.example.org' } }), 403)
    },
    { service: { answersLoopback: true, baseUrl: () => 'https://b.example.org' } },
  ),
)

test(
  'an allowed page can read the answers in its browser, errors included',
  overMcpFixtures(
    async (t, fixture) => {
      const origin = 'http://localhost:6274'
      const asked = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name'
      const leave = {
        ...{ origin, 'access-control-request-method': 'POST' },
        'access-control-request-headers': asked,
      }
      const preflight = await sendMcp(fixture, { method: 'OPTIONS', fields: leave })
      t.equal(preflight.status, 204)
      t.match(preflight.fields, {
        ...{ 'access-control-allow-origin': origin, 'access-control-allow-methods': 'POST' },
        ...{ 'access-control-allow-headers': asked, 'access-control-max-age': '7200' },
      })
      for (const odd of ['a;b', 'x'.repeat(1_025), '*']) {
        const fields = { ...leave, 'access-control-request-headers': odd }
        const { fields: reply } = await sendMcp(fixture, { method: 'OPTIONS', fields })
        t.equal(reply['access-control-allow-headers'], 'Authorization, Content-Type', odd)
      }
      const stranger = { ...leave, origin: 'https://evil.example.org' }
      t.equal((await sendMcp(fixture, { method: 'OPTIONS', fields: stranger })).status, 403)

      const none = await sendMcp(fixture, { fields: { origin }, body: LIST })
      t.equal(none.status, 401)
      t.equal(none.fields['access-control-allow-origin'], origin)
      t.match(none.fields['access-control-expose-headers'], 'WWW-Authenticate')
      const bare = await sendMcp(fixture, { method: 'OPTIONS', fields: { origin } })
      t.equal(bare.status, 401, 'OPTIONS without a preflight is an ordinary request')
    },
    { service: { answersLoopback: true } },
  ),
)

test(
  'the metadata is public, at both paths',
  overMcpFixtures(async (t, fixture) => {
    const path = new URL(fixture.resource).pathname
    const name = '/.well-known/oauth-protected-resource'
    for (const place of [`${name}${path}`, `${path}${name}`]) {
      const { status, fields, text } = await sendMcp(fixture, { method: 'GET', path: place })
      t.equal(status, 200)
      t.equal(fields['access-control-allow-origin'], '*')
      t.same(JSON.parse(text), {
        resource: fixture.resource,
        authorization_servers: [fixture.issuer],
        scopes_supported: ['transactions:read', 'accounts:read'],
        bearer_methods_supported: ['header'],
      })
      const head = await sendMcp(fixture, { method: 'HEAD', path: place })
      t.same([head.status, head.text], [200, ''])
      const preflight = await sendMcp(fixture, { method: 'OPTIONS', path: place })
      t.equal(preflight.status, 204)
      t.match(preflight.fields['access-control-allow-headers'], 'MCP-Protocol-Version')
      const post = await sendMcp(fixture, { path: place, body: LIST })
      t.same([post.status, post.fields['allow']], [405, 'GET, HEAD, OPTIONS'])
    }
  }),
)

test(
  'OAuth starts at the resource metadata only (2025-06-18), a key works in any revision',
  overMcpFixtures(async (t, fixture) => {
    // Paths at which clients of revision 2025-03-26 look: at the root of the origin, by default.
    const older = ['/.well-known/oauth-authorization-server', '/authorize', '/token', '/register']
    for (const path of older) {
      const { status } = await sendMcp(fixture, { method: 'GET', path })
      t.equal(status, 404, path)
    }
    const refused = await sendMcp(fixture, { body: LIST })
    t.match(refused.fields['www-authenticate'], 'resource_metadata=')
    t.equal(await statusOf(fixture, { key: await newMcpKey(fixture) }), 200)
    const page = new URL('../../../docs/using/agents-mcp.md', import.meta.url)
    const text = readFileSync(page, 'utf8').replace(/\s+/g, ' ')
    t.match(text, 'by OAuth from revision 2025-06-18 on')
  }),
)
