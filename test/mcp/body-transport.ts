// The transport of one body against that of the library, with the same server.
import { strict as assert } from 'node:assert'
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { test } from 'tap'
import { BodyTransport } from '../../src/mcp/body-transport.js'
import { assertProperty } from '../fixtures/assert-property.js'

const FIELDS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function connected<T extends Transport>(transport: T): Promise<{ transport: T }> {
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [] }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name === 'fail') throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no')
    // Answers complete in another order than their requests.
    if (params.name === 'slow') await new Promise((resolve) => setImmediate(resolve))
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments ?? null) }] }
  })
  await server.connect(transport)
  return { transport }
}

interface LibraryReply {
  readonly status: number
  readonly body: unknown
}

async function replyOfLibrary(body: unknown, version: string | undefined): Promise<LibraryReply> {
  const plain = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const { transport } = await connected(plain)
  const sent = version === undefined ? {} : { 'mcp-protocol-version': version }
  const headers = { ...FIELDS, ...sent }
  const request = new Request('http://kontor.test/', { method: 'POST', headers })
  const response = await transport.handleRequest(request, { parsedBody: body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function replyOf(body: unknown, version: string | undefined): Promise<LibraryReply> {
  const { transport } = await connected(new BodyTransport())
  const reply = await transport.answer(body, version)
  // The body as sent.
  return { status: reply.status, body: JSON.parse(JSON.stringify([reply.body]))[0] ?? undefined }
}

const call = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.constantFrom<unknown>(1, 2, 3, '1', 'a'),
  method: fc.constantFrom('tools/call', 'tools/list', 'ping', 'prompts/list', 'nothing'),
  params: fc.record({
    name: fc.constantFrom('echo', 'fail', 'slow'),
    arguments: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 3,
    }),
  }),
})
const notification = fc.record({
  jsonrpc: fc.constant('2.0'),
  method: fc.constantFrom('notifications/initialized', 'notifications/progress', 'nothing'),
})
const initialize = fc.constant({
  ...{ jsonrpc: '2.0', id: 7, method: 'initialize' },
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  },
})
const answer = fc.constantFrom<unknown>(
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
)
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant({ jsonrpc: '1.0', id: 1, method: 'ping' }),
  fc.constant({ jsonrpc: '2.0', id: null, method: 'ping' }),
)
const message = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 2, arbitrary: notification },
  { weight: 1, arbitrary: initialize },
  { weight: 1, arbitrary: answer },
  { weight: 1, arbitrary: junk },
)

test("a body gets the same answer as from the library's transport", async (t) => {
  const statuses = new Set<number>()
  await assertProperty(
    fc.asyncProperty(
      fc.oneof(message, fc.array(message, { maxLength: 6 })),
      fc.constantFrom(undefined, undefined, '2025-03-26', '2025-06-18', '1999-01-01'),
      async (body, version) => {
        const wanted = await replyOfLibrary(body, version)
        assert.deepEqual(await replyOf(body, version), wanted)
        statuses.add(wanted.status)
      },
    ),
    { numRuns: 500 },
  )
  t.same([...statuses].sort(), [200, 202, 400])
})
