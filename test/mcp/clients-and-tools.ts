// All tools, called by the official clients, which validate every answer against the announced
// schema.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as old from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Test, test } from 'tap'
import { newMcpKey, overMcpFixtures } from '../fixtures/mcp-fixture.js'
import type { OAuthFixture } from '../fixtures/oauth-fixture.js'

const NAMED = { name: 'test', version: '1' }

interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: {
    name: string
    arguments: Record<string, unknown>
  }): Promise<Readonly<Record<string, unknown>>>
}

async function connectPresent(t: Test, fixture: OAuthFixture, mode: 'auto' | 'legacy') {
  const client = new Client(NAMED, { versionNegotiation: { mode } })
  t.teardown(() => client.close())
  const requestInit = { headers: { Authorization: `Bearer ${await newMcpKey(fixture)}` } }
  const url = new URL(fixture.resource)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

async function connectOld(t: Test, fixture: OAuthFixture) {
  const client = new OldClient(NAMED)
  t.teardown(() => client.close())
  const requestInit = { headers: { Authorization: `Bearer ${await newMcpKey(fixture)}` } }
  const transport = new old.StreamableHTTPClientTransport(new URL(fixture.resource), {
    requestInit,
  })
  // Its own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  return client
}

/** Calls with results, with every kind of argument. */
async function checkAnswers(t: Test, client: AnyClient): Promise<void> {
  const names = (await client.listTools()).tools.map(({ name }) => name)
  t.same(names, ['get_transactions', 'get_accounts'])
  const answer = async (name: string, input: Record<string, unknown>): Promise<object> => {
    const reply = await client.callTool({ name, arguments: input })
    const shown = `${name} ${JSON.stringify(input)}`
    t.equal(reply['isError'], false, `${shown}: ${JSON.stringify(reply['content'])}`)
    const [{ text }] = reply['content'] as [{ text: string }]
    t.same(JSON.parse(text), reply['structuredContent'], shown)
    return reply['structuredContent'] as object
  }
  const { items } = (await answer('get_transactions', {})) as { items: { id: number }[] }
  t.ok(items.length > 0)
  for (const fields of ['compact', 'full']) {
    await answer('get_accounts', { fields })
    await answer('get_transactions', { fields, limit: 2 })
    await answer('get_transactions', { fields, id: items[0]?.id })
    await answer('get_transactions', { fields, search: 'e' })
    await answer('get_transactions', { fields, match: 'RE 2026', threshold: 0 })
    await answer('get_transactions', { fields, limit: 0 })
  }
  const wrong = await client.callTool({ name: 'get_transactions', arguments: { limt: 1 } })
  t.match(wrong, { isError: true, content: [{ text: /limit/ }] })
}

for (const masks of [false, true]) {
  const integration = { masksIbans: masks, masksNames: masks }
  test(
    `the answers of tools, ${masks ? 'masked' : 'as they are'}, fit their schemas`,
    overMcpFixtures(
      async (t, fixture) => {
        await checkAnswers(t, await connectPresent(t, fixture, 'auto'))
        await checkAnswers(t, await connectPresent(t, fixture, 'legacy'))
        await checkAnswers(t, await connectOld(t, fixture))
        t.same(
          fixture.service.log.filter((line) => line.startsWith('fault')),
          [],
        )
      },
      { integration, service: { tools: undefined } },
    ),
  )
}
