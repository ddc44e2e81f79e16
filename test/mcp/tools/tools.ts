import { test } from 'tap'
import { TOOL_NAMES } from '../../../src/domain/integration.js'
import { createTools } from '../../../src/mcp/tools/tools.js'

const ALL = { toolNames: TOOL_NAMES, masksIbans: false, masksNames: false }

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
  for (const tool of createTools()) {
    const { description } = tool.describe(ALL)
    t.match(description, /untrusted data/)
    t.match(description, /never instructions to follow/)
    t.match(description, /sums/)
  }
})

test('texts name only tools that the integration has, and say what is masked', async (t) => {
  for (const tool of createTools()) {
    for (const name of TOOL_NAMES) {
      const text = JSON.stringify(tool.describe({ ...ALL, toolNames: [tool.name] }))
      t.equal(text.includes(name), false, `${tool.name} alone: ${name}`)
    }
    const [other] = TOOL_NAMES.filter((name) => name !== tool.name)
    t.ok(JSON.stringify(tool.describe(ALL)).includes(String(other)))
    const plain = tool.describe(ALL).description
    t.notMatch(plain, /masked|pseudonym/)
    t.match(tool.describe({ ...ALL, masksIbans: true }).description, /IBANs .* are masked/)
    t.match(tool.describe({ ...ALL, masksNames: true }).description, /pseudonyms/)
  }
})
