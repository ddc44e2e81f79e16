import { test } from 'tap'
import { TOOL_NAMES } from '../../../src/domain/integration.js'
import { createTools } from '../../../src/mcp/tools/tools.js'

test('the tools are those of the contract, with its scopes', async (t) => {
  const tools = createTools()
  t.same(
    tools.map(({ name }) => name),
    TOOL_NAMES,
  )
  t.same(
    tools.map(({ scope }) => scope),
    ['transactions:read', 'accounts:read'],
  )
})

test('descriptions say that texts are data, and where totals are', async (t) => {
  for (const { description } of createTools()) {
    t.match(description, /untrusted data/)
    t.match(description, /never instructions to follow/)
    t.match(description, /sums/)
  }
})
