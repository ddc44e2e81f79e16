// Handling of a body from an authorized caller.
import { test } from 'tap'
import { revokeMcpKey } from '../../src/admin/mcp-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { MCP_BODY_BYTES_MAX } from '../../src/mcp/answer-call.js'
import { MCP_BODY_MESSAGES_MAX } from '../../src/mcp/mcp-error.js'
import { findMcpKey } from '../../src/store/mcp-key-rows.js'
import { WireClient } from '../fixtures/http-rig.js'
import {
  callOf,
  ECHO_TOOL,
  jsonOf,
  LIST,
  metadataUrl,
  modernRpc,
  newMcpKey,
  overMcpFixtures,
  rpc,
  sendMcp,
  statusOf,
} from '../fixtures/mcp-fixture.js'

const BOTH = 'transactions:read accounts:read'

test(
  'a call whose scope is missing is refused by the tools in the body',
  overMcpFixtures(async (t, fixture) => {
    const key = await newMcpKey(fixture, { scopes: ['accounts:read'] })
    const call = callOf('get_transactions')
    const bodies = [call, [callOf('get_accounts', { how: 'answer' }), call]]
    for (const body of bodies) {
      // An older client sends no copy of the name, and a malicious one a different copy.
      for (const fields of [{}, { 'mcp-name': 'get_accounts', 'mcp-method': 'tools/list' }]) {
        const answer = await sendMcp(fixture, { key, body, fields })
        t.equal(answer.status, 403)
        const rest = `scope="${BOTH}", resource_metadata="${metadataUrl(fixture)}"`
        const challenge = `Bearer realm="kontor", error="insufficient_scope", ${rest}`
        t.equal(answer.fields['www-authenticate'], challenge)
        t.match(jsonOf(answer), { error: 'insufficient_scope', message: /transactions:read/ })
      }
    }
    const modern = modernRpc('tools/call', { name: 'get_transactions', arguments: {} })
    const copies = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    const fields = { ...copies, 'mcp-name': 'get_transactions' }
    t.equal(await statusOf(fixture, { key, body: modern, fields }), 403)
    const own = await sendMcp(fixture, { key, body: callOf('get_accounts', { how: 'answer' }) })
    t.match(jsonOf(own), { result: { isError: true } })
  }),
)

test(
  'a disabled tool is unknown, whatever the scopes',
  overMcpFixtures(
    async (t, fixture) => {
      const key = await newMcpKey(fixture)
      const listed = await sendMcp(fixture, { key, body: LIST })
      t.match(listed.text, 'get_accounts')
      t.notMatch(listed.text, 'get_transactions')
      const called = await sendMcp(fixture, { key, body: callOf('get_transactions') })
      t.equal(called.status, 200)
      t.match(jsonOf(called), { id: 1, error: { code: -32_602 } })
    },
    { integration: { tools: ['get_accounts'] } },
  ),
)

test(
  'a body outside the protocol is refused',
  overMcpFixtures(async (t, fixture) => {
    const key = await newMcpKey(fixture)
    const types = [
      undefined,
      'text/plain',
      'application/jsonp',
      'application/x-www-form-urlencoded',
    ]
    for (const type of types) {
      t.equal(await statusOf(fixture, { key, fields: { 'content-type': type } }), 415, `${type}`)
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      t.equal(await statusOf(fixture, { key, fields: { 'content-type': type } }), 200, type)
    }
    t.equal(await statusOf(fixture, { key, fields: { accept: 'text/html' } }), 406)
    for (const accept of [undefined, '*/*', 'application/json', 'application/*;q=0.5']) {
      t.equal(await statusOf(fixture, { key, fields: { accept } }), 200, `${accept}`)
    }
    for (const body of ['', '{', 'null,', '\u0000', '{"jsonrpc":"2.0"', '"\ud800"]']) {
      const answer = await sendMcp(fixture, { key, body })
      t.equal(answer.status, 400)
      t.match(jsonOf(answer), { id: null, error: { code: -32_700 } })
    }
    const odd = [null, 7, 'x', [], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, [[]], [7]]
    for (const body of odd) {
      const answer = await sendMcp(fixture, { key, body: JSON.stringify(body) })
      t.equal(answer.status, 400, JSON.stringify(body))
      t.match(jsonOf(answer), { jsonrpc: '2.0', error: { message: String } })
    }
    const calls = Array.from({ length: MCP_BODY_MESSAGES_MAX }, (_, id) => {
      return { ...callOf('get_transactions'), id }
    })
    t.equal(await statusOf(fixture, { key, body: calls }), 200)
    const many = await sendMcp(fixture, { key, body: [...calls, callOf('get_transactions')] })
    t.equal(many.status, 400)
    t.match(jsonOf(many), { error: { code: -32_600 } })
    const pings = Array.from({ length: MCP_BODY_MESSAGES_MAX + 1 }, (_, id) => {
      return { jsonrpc: '2.0', id, method: 'tools/list' }
    })
    t.equal(await statusOf(fixture, { key, body: pings }), 400, 'whatever the messages contain')
    t.equal(await statusOf(fixture, { key, body: pings.slice(1) }), 200)
    const long = callOf('get_transactions', { query: 'x'.repeat(MCP_BODY_BYTES_MAX) })
    const answer = await sendMcp(fixture, { key, body: long })
    t.equal(answer.status, 413)
    t.match(jsonOf(answer), { error: 'body_too_large' })
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, fields } = await sendMcp(fixture, { key, method })
      t.equal(status, 405)
      t.equal(fields['allow'], 'POST, OPTIONS')
    }
    t.same(fixture.service.log, [])
  }),
)

test(
  'header fields about the body must be true, from revision 2026-07-28 on',
  overMcpFixtures(async (t, fixture) => {
    const key = await newMcpKey(fixture)
    const body = modernRpc('tools/call', { name: 'get_transactions', arguments: {} })
    const right = {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      'mcp-name': 'get_transactions',
    }
    const good = await sendMcp(fixture, { key, body, fields: right })
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
      const answer = await sendMcp(fixture, { key, body, fields: { ...right, ...fields } })
      t.equal(answer.status, 400, JSON.stringify(fields))
      t.match(jsonOf(answer), { id: 1, error: { code: -32_020 } })
    }
    const later = structuredClone(body) as { params: { _meta: Record<string, unknown> } }
    later.params._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01'
    const fields = { ...right, 'mcp-protocol-version': '2099-01-01' }
    const answer = await sendMcp(fixture, { key, body: later, fields })
    t.equal(answer.status, 400)
    t.match(jsonOf(answer), { error: { code: -32_022, data: { supported: ['2026-07-28'] } } })
    const unknown = { 'mcp-protocol-version': '1999-01-01' }
    t.equal(await statusOf(fixture, { key, fields: unknown }), 400, 'of the older ones')
  }),
)

test(
  'notifications get no answer, and subscriptions end at once',
  overMcpFixtures(async (t, fixture) => {
    const key = await newMcpKey(fixture)
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const accepted = await sendMcp(fixture, { key, body: note })
    t.equal(accepted.status, 202)
    t.equal(accepted.text, '')
    t.equal(accepted.fields['content-type'], undefined)
    const batch = await sendMcp(fixture, { key, body: [rpc('ping'), rpc('ping', {}, 'b'), note] })
    t.same(JSON.parse(batch.text), [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'b', result: {} },
    ])
    const listen = modernRpc('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const fields = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    }
    const ended = await sendMcp(fixture, { key, body: listen, fields })
    t.equal(ended.fields['content-type'], 'text/event-stream')
    t.match(ended.text, /acknowledged.*"resultType":"complete"/s)
  }),
)

test(
  'a credential that ends while its body arrives opens nothing',
  overMcpFixtures(async (t, fixture) => {
    const { control, nowMs, client } = fixture.service
    const key = await newMcpKey(fixture)
    const body = JSON.stringify(callOf('get_transactions'))
    const slow = await WireClient.connect(client.port)
    slow.write(
      `POST ${new URL(fixture.resource).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    t.equal(await statusOf(fixture, { key }), 200, 'the slow call has arrived')
    await revokeMcpKey({ control, nowMs, actor: CLI_ACTOR }, 1)
    await fixture.service.until(async () => (await statusOf(fixture, { key })) === 401)
    slow.write(body.slice(9))
    t.equal((await slow.reply()).status, 401)
    slow.socket.destroy()
  }),
)

test(
  'a tool is aborted when its caller has disconnected',
  overMcpFixtures(
    async (t, fixture) => {
      const key = await newMcpKey(fixture)
      const leaving = new AbortController()
      const { method, headers, body } = {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(callOf('get_transactions')),
      }
      const asked = fetch(fixture.resource, { method, headers, body, signal: leaving.signal })
      await fixture.service.until(() => WAITING.begun > 0)
      leaving.abort()
      await t.rejects(asked)
      await fixture.service.until(() => WAITING.reply > 0)
      t.equal(await statusOf(fixture, { key }), 200, 'and the next call is answered')
      t.same(fixture.service.log, [], 'which is no internal error')
      Object.assign(WAITING, { begun: 0, reply: 0 })
    },
    {
      service: {
        tools: [
          {
            ...ECHO_TOOL,
            call: ({ signal }) =>
              new Promise((_, reject) => {
                WAITING.begun += 1
                signal.addEventListener('abort', () => {
                  WAITING.reply += 1
                  reject(signal.reason)
                })
              }),
          },
        ],
      },
    },
  ),
)

/** Events that the waiting tool has seen. */
const WAITING = { begun: 0, reply: 0 }

test(
  'requests are counted by credential',
  overMcpFixtures(
    async (t, fixture) => {
      const key = await newMcpKey(fixture)
      const first = await sendMcp(fixture, { key, body: LIST })
      t.equal(first.fields['ratelimit'], '"default";r=1;t=60')
      t.equal(await statusOf(fixture, { key }), 200)
      const third = await sendMcp(fixture, { key, body: LIST })
      t.equal(third.status, 429)
      t.equal(third.fields['retry-after'], '60')
      t.match(jsonOf(third), { error: 'rate_limited' })
      const other = await newMcpKey(fixture)
      t.equal(await statusOf(fixture, { key: other }), 200)
      t.equal(await statusOf(fixture, {}), 401, 'an unauthenticated caller is not counted')
      const call = callOf('get_transactions')
      t.equal(await statusOf(fixture, { key: other, body: [call, call] }), 429, 'by call')
      t.equal(await statusOf(fixture, { key: await newMcpKey(fixture), body: [call, call] }), 200)
    },
    { service: { requestsPerMinute: 2 } },
  ),
)

test(
  'the last use of a key is stored with its tool',
  overMcpFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const key = await newMcpKey(fixture)
    await sendMcp(fixture, { key, body: LIST })
    await sendMcp(fixture, { key, body: callOf('get_transactions') })
    const second = await newMcpKey(fixture)
    await sendMcp(fixture, { key: second, body: LIST })
    await fixture.service.end()
    t.match(
      control.look(() => findMcpKey(1)),
      { lastUsedOperation: 'get_transactions' },
    )
    t.match(
      control.look(() => findMcpKey(2)),
      { lastUsedOperation: 'mcp' },
    )
  }),
)
