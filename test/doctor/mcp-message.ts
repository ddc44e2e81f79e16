import { test } from 'tap'
import {
  calling,
  discovery,
  initialization,
  listing,
  postMcp,
  resultOf,
} from '../../src/doctor/mcp-message.js'
import { BrokenFront } from '../fixtures/broken-front.js'

test('a result is found in JSON and at the end of an event stream', async (t) => {
  const front = await BrokenFront.open(t)
  const result = { result: { a: 1 } }
  const answers: Readonly<Record<string, readonly [type: string, body: string, found: unknown]>> = {
    '/json': ['application/json', JSON.stringify(result), { a: 1 }],
    '/stream': [
      'text/event-stream',
      `event: message\ndata: {"method":"x"}\n\nevent: message\ndata: ${JSON.stringify(result)}\n\n`,
      { a: 1 },
    ],
    '/error': ['application/json', '{"error":{"code":-1}}', undefined],
    '/odd': ['application/json', '{"result":1}', undefined],
    '/empty': ['text/event-stream', '', undefined],
  }
  front.spoiling = {
    request: ({ path }) => {
      const [type = '', body = ''] = answers[path] ?? []
      return { status: 200, headers: { 'content-type': type }, body }
    },
  }
  for (const [path, [, , found]] of Object.entries(answers)) {
    t.same(resultOf(await postMcp(front.url + path, listing(), {})), found, path)
  }
  t.equal(
    resultOf({ ...(await postMcp(`${front.url}/json`, listing(), {})), status: 500 }),
    undefined,
  )
})

test('messages name their revision', async (t) => {
  const version = 'io.modelcontextprotocol/protocolVersion'
  t.match(initialization().body, {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25' },
  })
  t.same(Object.keys(initialization().headers), [], 'an older revision starts with a handshake')
  t.match(discovery(), {
    body: { method: 'server/discover', params: { _meta: { [version]: '2026-07-28' } } },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
  })
  t.match(calling('get_accounts', { limit: 1 }), {
    body: { method: 'tools/call', params: { name: 'get_accounts', arguments: { limit: 1 } } },
    headers: { 'MCP-Protocol-Version': '2025-11-25' },
  })
})
