import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { CounterpartCodes, counterpartCount, hashOf } from '../../src/snapshot/counterparts.js'
import { stringOfCode } from '../../src/snapshot/strings.js'
import { normalForms } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'

const pairs = fc.array(
  fc.record({
    iban: fc.constantFrom('DE1', 'DE2', 'X', '', null),
    name: fc.constantFrom('Müller', 'MULLER', 'muller', 'DE1', 'X', 'Z', '', null),
  }),
  { maxLength: 40 },
)

/** Text by which counterparts are told apart, as the IBAN or the name. */
function keyOf(iban: string | undefined, name: string | undefined): string {
  return iban === undefined ? `name ${normalForms(name ?? '').first}` : `iban ${iban}`
}

test('each counterpart has the first code of its IBAN or normal form', async (t) => {
  let sharedCount = 0
  await assertProperty(
    fc.property(pairs, (rows) => {
      const codes = new CounterpartCodes(rows.length)
      for (const [row, { iban, name }] of rows.entries()) codes.set(row, iban, name)
      const { counterparts, counterpartIbans } = codes.indexed(rows.length)
      const { ibanCodes, nameCodes, groupCodes, hashes, names } = counterparts
      const textOf = (table: typeof names, code: number): string | undefined =>
        code < table.offsets.length - 1 ? stringOfCode(table, code) : undefined
      const held = Array.from({ length: counterpartCount(counterparts) }, (_, code) => ({
        iban: textOf(counterpartIbans, ibanCodes[code] ?? 0),
        name: textOf(names, nameCodes[code] ?? 0),
      }))
      for (const [row, { iban, name }] of rows.entries()) {
        const own = held[counterparts.codes[row] ?? 0]
        assert.deepEqual([own?.iban, own?.name], [iban || undefined, name || undefined])
      }
      const keys = held.map(({ iban, name }) => keyOf(iban, name))
      assert.deepEqual(
        [...groupCodes],
        keys.map((key) => keys.indexOf(key)),
      )
      assert.deepEqual(
        [...hashes],
        keys.map((key) => hashOf(key.slice('iban '.length))),
      )
      sharedCount += keys.length - new Set(keys).size
    }),
    { numRuns: 300 },
  )
  t.ok(sharedCount > 200, `${sharedCount} counterparts share a group`)
})
