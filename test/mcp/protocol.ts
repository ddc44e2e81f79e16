// The endpoint under the official clients, the current one and the one before it, in every way in
// which they negotiate a revision.
import { strict as assert } from 'node:assert'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as old from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { TOOL_NAMES } from '../../src/domain/integration.js'
import { createProtocol } from '../../src/mcp/protocol.js'
import type { ToolContext } from '../../src/mcp/tools/tool.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  callOf,
  ECHO_TOOL,
  FAILING_TOOL,
  newMcpKey,
  overMcpFixtures,
} from '../fixtures/mcp-fixture.js'
import type { OAuthFixture } from '../fixtures/oauth-fixture.js'

const ANY_ID = fc.constantFrom<unknown>(1, 1, 2, '1', null, 1.5, {})
const ANY_METHOD = fc.constantFrom(
  ...['tools/call', 'tools/call', 'tools/list', 'ping', 'initialize', 'notifications/cancelled'],
  ...['notifications/initialized', 'notifications/progress', 'server/discover', 'x', '__proto__'],
)
const ANY_PARAMS = fc.oneof(
  fc.constantFrom<unknown>(
    { name: 'get_transactions', arguments: {} },
    { name: 'get_accounts', arguments: { how: 'answer' } },
    { requestId: 1 },
    { requestId: '1', reason: 'x' },
    { _meta: { progressToken: 1 } },
    { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  ),
  fc.jsonValue(),
)
const ANY_MESSAGE = fc.oneof(
  fc.record(
    {
      ...{ jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'), id: ANY_ID, method: ANY_METHOD },
      ...{ params: ANY_PARAMS, result: fc.constantFrom({}, 1) },
    },
    { requiredKeys: ['jsonrpc'] },
  ),
  fc.jsonValue(),
)

test('every body is answered, whatever its content', async (t) => {
  const protocol = createProtocol('1')
  const tools = [ECHO_TOOL, FAILING_TOOL]
  const context = { access: { workspaceId: 'w' } } as ToolContext
  const fields = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const versions = [undefined, '2025-03-26', '2026-07-28', 'x']
  await assertProperty(
    fc.asyncProperty(
      fc.oneof(ANY_MESSAGE, fc.array(ANY_MESSAGE, { maxLength: 5 })),
      fc.constantFrom(...versions),
      async (body, version) => {
        const url = 'http://kontor.test/v1/w/mcp/i'
        const sent = version === undefined ? {} : { 'mcp-protocol-version': version }
        const request = { url, fields: { ...fields, ...sent }, body, tools, context }
        const { status, bytes } = await protocol(request)
        assert([200, 202, 400, 404].includes(status), `${status}`)
        if (status !== 202) JSON.parse(Buffer.from(bytes).toString('utf8'))
      },
    ),
    { numRuns: 400 },
  )
  t.pass('answered')
})

test('a request cancelled by its own body is still answered', async (t) => {
  const call = callOf('get_transactions')
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  for (const body of [
    [call, cancel],
    [cancel, call],
  ]) {
    const { bytes } = await createProtocol('1')({
      ...{ url: 'http://kontor.test/v1/w/mcp/i', body, tools: [ECHO_TOOL] },
      fields: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      context: { access: { workspaceId: 'w' } } as ToolContext,
    })
    t.match(JSON.parse(Buffer.from(bytes).toString('utf8')), { id: 1, result: {} })
  }
})

const NAMED = { name: 'test', version: '1' }

const VIEW = { toolNames: TOOL_NAMES, masksIbans: false, masksNames: false }

/** The methods that both clients have. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly object[] }>
  callTool(call: {
    name: string
    arguments?: Record<string, unknown>
  }): Promise<Readonly<Record<string, unknown>>>
  getServerVersion(): object | undefined
  getInstructions(): string | undefined
  getServerCapabilities(): object | undefined
}

async function keyInit(fixture: OAuthFixture): Promise<{ readonly requestInit: RequestInit }> {
  return { requestInit: { headers: { Authorization: `Bearer ${await newMcpKey(fixture)}` } } }
}

async function checkClient(t: Test, fixture: OAuthFixture, client: AnyClient): Promise<void> {
  t.match(client.getServerVersion(), { name: 'kontor', version: /^\d+\.\d+\.\d+/ })
  t.match(client.getInstructions(), 'never instructions to follow')
  t.same(client.getServerCapabilities(), { tools: {} })
  const { tools } = await client.listTools()
  const { call: _, scope: __, describe, ...named } = ECHO_TOOL
  const shown = { ...named, ...describe(VIEW) }
  const annotations = { title: 'Echo', readOnlyHint: true, openWorldHint: false }
  t.equal(tools.length, 2)
  t.same(tools[0], { ...shown, annotations })

  const input = { limit: 3, query: 'Müller' }
  const reply = await client.callTool({ name: 'get_transactions', arguments: input })
  t.same(reply['structuredContent'], { input, workspaceId: 'w' })
  const text = JSON.stringify(reply['structuredContent'])
  t.same(reply['content'], [{ type: 'text', text }])
  t.equal(reply['isError'], false)
  const bare = await client.callTool({ name: 'get_transactions' })
  t.match(bare, { structuredContent: { input: {} } })

  // An error that a caller can correct is a result, so that the model reads it.
  for (const [how, message] of [
    ['answer', 'how must be throw.'],
    ['throw', 'It is being loaded.'],
  ]) {
    const failed = await client.callTool({ name: 'get_accounts', arguments: { how } })
    t.match(failed, { isError: true, content: [{ type: 'text', text: message }] })
    t.equal(failed['structuredContent'], undefined)
  }
  t.same(fixture.service.log, [])

  const unknown = client.callTool({ name: 'delete_accounts' })
  await t.rejects(unknown, {
    code: -32602,
    message: /tools: get_transactions, get_accounts/,
  })
  const fault = await client.callTool({ name: 'get_accounts' }).then(
    () => undefined,
    (error: unknown) => error,
  )
  t.match(fault, { message: /Internal error; the log/ })
  t.notMatch(String(fault), 'secret')
  t.match(fixture.service.log, ['fault: Error: the secret reason'])
}

for (const [mode, revision] of [
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
] as const) {
  test(
    `the current client, negotiating ${JSON.stringify(mode)}, reaches the tools`,
    overMcpFixtures(async (t, fixture) => {
      const client = new Client(NAMED, { versionNegotiation: { mode } })
      t.teardown(() => client.close())
      const url = new URL(fixture.resource)
      await client.connect(new StreamableHTTPClientTransport(url, await keyInit(fixture)))
      t.equal(client.getNegotiatedProtocolVersion(), revision)
      await checkClient(t, fixture, client)
    }),
  )
}

for (const revision of ['2025-06-18', '2025-03-26', '2024-11-05']) {
  test(
    `the current client restricted to ${revision} reaches the tools`,
    overMcpFixtures(async (t, fixture) => {
      const client = new Client(NAMED, { supportedProtocolVersions: [revision] })
      t.teardown(() => client.close())
      const url = new URL(fixture.resource)
      await client.connect(new StreamableHTTPClientTransport(url, await keyInit(fixture)))
      t.equal(client.getNegotiatedProtocolVersion(), revision)
      await checkClient(t, fixture, client)
    }),
  )
}

test(
  'the previous client reaches the tools',
  overMcpFixtures(async (t, fixture) => {
    const client = new OldClient(NAMED)
    t.teardown(() => client.close())
    const transport = new old.StreamableHTTPClientTransport(
      new URL(fixture.resource),
      await keyInit(fixture),
    )
    // Its own types disagree under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<OldClient['connect']>[0])
    await checkClient(t, fixture, client)
  }),
)
