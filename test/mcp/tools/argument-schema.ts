import { strict as assert } from 'node:assert'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { test } from 'tap'
import { TOOL_NAMES } from '../../../src/domain/integration.js'
import { createTools } from '../../../src/mcp/tools/tools.js'
import * as parameters from '../../../src/wire/parameter-table.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'

type Schema = Readonly<Record<string, unknown>>

const ALL = { toolNames: TOOL_NAMES, masksIbans: false, masksNames: false }
const [transactions, accounts] = createTools().map((tool) => ({
  name: tool.name,
  inputSchema: tool.describe(ALL).inputSchema,
}))

function compiled(schema: Schema | undefined): ValidateFunction {
  return new Ajv2020({ allowUnionTypes: true }).compile(schema ?? false)
}

function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  return schema?.['properties'] as Record<string, Schema>
}

/** Values that a property's schema accepts. */
function valuesOf(property: Schema): fc.Arbitrary<unknown> {
  const { enum: words, type, pattern, minimum = 0, maximum = 1, minLength, maxLength } = property
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]))
  if (type === 'boolean') return fc.boolean()
  if (type === 'number') return fc.double({ min: 0, max: 1, noNaN: true })
  if (type === 'integer') {
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 1_000) })
  }
  if (Array.isArray(type)) return fc.integer({ min: 1, max: 3 })
  if (typeof pattern === 'string') {
    const known = ['2026-02-28', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', 'EUR', '7.5']
    return fc.constantFrom(...known.filter((text) => new RegExp(pattern).test(text)))
  }
  const lengths = { minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength), 40) }
  return fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', 'ß', '-'), ...lengths })
}

test('every argument is described, and none is required', async (t) => {
  for (const tool of [transactions, accounts]) {
    const properties = propertiesOf(tool?.inputSchema)
    for (const [name, property] of Object.entries(properties)) {
      t.match(property['description'], /\w.*\.$/, `${tool?.name}: ${name}`)
    }
    t.ok(compiled(tool?.inputSchema)({}))
    t.notOk(compiled(tool?.inputSchema)({ unknown: 1 }))
  }
  t.notOk('customSchema' in propertiesOf(transactions?.inputSchema))
})

test('values that the schema allows are accepted', async () => {
  const fixture = new ToolFixture(indexedSnapshotOf(SAMPLE))
  const properties = propertiesOf(transactions?.inputSchema)
  const validate = compiled(transactions?.inputSchema)
  // Arguments that may be combined: their descriptions name those that may not.
  const together = Object.keys(properties).filter(
    (name) =>
      !['id', 'match', 'threshold', 'explain', 'counterpartIban', 'accountIds', 'groupBy'].includes(
        name,
      ),
  )
  const model: Record<string, fc.Arbitrary<unknown>> = {
    ...Object.fromEntries(
      together.map((name) => [name, valuesOf(properties[name] ?? {})] as const),
    ),
    // The figures that groups are sorted by need groupBy.
    sortBy: fc.constantFrom(...parameters.SORT_BY.choices.keys()),
  }
  await assertProperty(
    fc.asyncProperty(fc.record(model, { requiredKeys: [] }), async (input) => {
      assert.ok(validate(input), JSON.stringify(validate.errors))
      const { isError, text } = await fixture.call('get_transactions', input)
      // Account 3 does not exist, which no schema can express.
      assert.ok(
        !isError || (input['account'] === 3 && text.startsWith('account: no accessible')),
        text,
      )
    }),
    { numRuns: 200 },
  )
})

test('accounts are given by id or IBAN, dates as instants or days', async (t) => {
  const validate = compiled(transactions?.inputSchema)
  for (const account of [1, '1', 'DE89370400440532013000']) t.ok(validate({ account }))
  for (const account of [0, '', null, 1.5]) t.notOk(validate({ account }), String(account))
  for (const date of ['2026-01-31', '2026-01-31T00:00:00.000Z']) {
    t.ok(validate({ bookedBefore: date }))
  }
  for (const date of ['2026-1-31', '2026-01-31T00:00Z', '']) {
    t.notOk(validate({ bookedBefore: date }), date)
    t.notOk(validate({ bookedTo: date }), date)
  }
  t.ok(validate({ bookedTo: '2026-01-31', updatedAfter: '2026-01-31T00:00:00Z' }))
  t.notOk(validate({ bookedTo: '2026-01-31T00:00:00Z' }))
})

test('amounts are numbers or text, other filters are text', async (t) => {
  const validate = compiled(transactions?.inputSchema)
  for (const amount of [1, -0.5, '1', '-0.5']) t.ok(validate({ amountFrom: amount }))
  for (const amount of ['1e3', '.5', true]) t.notOk(validate({ amountTo: amount }), String(amount))
  t.ok(validate({ accountIds: '1,DE89370400440532013000', currency: 'EUR', direction: 'in' }))
  t.notOk(validate({ accountIds: '1, 2' }))
  t.notOk(validate({ currency: 'eur' }))
  t.notOk(validate({ direction: 'both' }))
})
