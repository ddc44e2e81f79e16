// The tools through the endpoint of a service, with all checks on the way.
import { test } from 'tap'
import {
  callOf,
  jsonOf,
  newMcpKey,
  overMcpFixtures,
  rpc,
  sendMcp,
} from '../fixtures/mcp-fixture.js'
import type { ToolReply } from '../fixtures/tool-fixture.js'

interface Result {
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: ToolReply
  readonly isError?: boolean
}

test(
  'a service has both tools, and answers within the given length',
  overMcpFixtures(
    async (t, fixture) => {
      const key = await newMcpKey(fixture)
      const call = async (name: string, input: object): Promise<Result> =>
        jsonOf(await sendMcp(fixture, { key, body: callOf(name, input) }))['result'] as Result
      const { tools } = jsonOf(await sendMcp(fixture, { key, body: rpc('tools/list') }))[
        'result'
      ] as {
        tools: { name: string; inputSchema: object; outputSchema: object }[]
      }
      t.same(
        tools.map(({ name }) => name),
        ['get_transactions', 'get_accounts'],
      )
      const { structuredContent: accounts } = await call('get_accounts', {})
      t.equal(accounts?.returned, accounts?.items.length)
      const { structuredContent, content } = await call('get_transactions', { limit: 250 })
      t.same(JSON.parse(content[0]?.text ?? ''), structuredContent)
      t.equal(structuredContent?.totalCount, 302)
      t.equal(structuredContent?.truncated, true)
      t.ok((content[0]?.text.length ?? 0) <= 10_000)
      const { totalCount } = (await call('get_transactions', { search: 're-1' }))
        .structuredContent as ToolReply
      t.ok(totalCount > 0)
      const matched = await call('get_transactions', { match: 'RE-1', explain: true })
      t.notOk(matched.isError)
      const refused = await call('get_transactions', { limit: 'many' })
      t.match(refused, { isError: true, content: [{ text: /^limit must be a whole number/ }] })
    },
    { service: { tools: undefined, mcpAnswerChars: 10_000, matchBudgetMs: 60_000 } },
  ),
)
