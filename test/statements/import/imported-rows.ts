import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ImportedRows } from '../../../src/statements/import/imported-rows.js'
import { assertProperty } from '../../fixtures/assert-property.js'

interface Named {
  readonly id: number
  readonly names: readonly string[]
}

class Rows extends ImportedRows<Named> {
  put(row: Named): void {
    this.set(row)
  }

  called(name: string): readonly Named[] {
    return this.withKey(name) ?? []
  }
}

const rows = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  }),
)

test('rows are found by each of their keys, in ascending order of id', async () => {
  assertProperty(
    fc.property(rows, rows, (before, during) => {
      const kept = new Map<number, Named>()
      const imported = new Rows(before, ({ names }) => names)
      for (const row of before) kept.set(row.id, row)
      for (const row of during) {
        imported.put(row)
        kept.set(row.id, row)
      }
      const all = [...kept.values()].sort((a, b) => a.id - b.id)
      for (const name of ['a', 'b', 'c']) {
        assert.deepEqual(
          imported.called(name),
          all.filter(({ names }) => names.includes(name)),
        )
      }
      for (const row of all) assert.equal(imported.byId(row.id), row)
    }),
  )
})
