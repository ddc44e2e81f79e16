import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { compareAmounts, negateAmount, smallestScale } from '../../src/money.js'
import {
  buildAmountColumn,
  buildInstantColumn,
  firstAbove,
  firstAmountAbove,
  firstAmountAtLeast,
  firstAtLeast,
  type OrderedCodes,
  positionOfCode,
} from '../../src/snapshot/ordered-column.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { amounts } from '../fixtures/workspaces.js'

/** Rows by (value, id) ascending, ids descending with rows, those without a value last. */
function checkOrder(
  column: OrderedCodes,
  rows: readonly number[],
  compare: (a: number, b: number) => number,
  isPresent: (row: number) => boolean,
): void {
  const present = rows.filter(isPresent).sort((a, b) => compare(a, b) || b - a)
  const absent = rows.filter((row) => !isPresent(row)).sort((a, b) => b - a)
  assert.deepEqual([...column.order], [...present, ...absent])
  assert.equal(column.presentCount, present.length)
  for (const row of absent) assert.equal(column.codes[row], column.valueCount)
  for (const a of present) {
    for (const b of present) {
      const ranks = (column.codes[a] ?? 0) - (column.codes[b] ?? 0)
      assert.equal(Math.sign(ranks), Math.sign(compare(a, b)), 'ranks compare like values')
    }
  }
}

test('instants are in the order of a naive sort', async (t) => {
  const instants = fc.array(fc.oneof(fc.nat({ max: 6 }), fc.constant(Number.NaN)), {
    maxLength: 25,
  })
  assertProperty(
    fc.property(instants, fc.integer({ min: -1, max: 8 }), (values, edge) => {
      const column = buildInstantColumn(Float64Array.from(values))
      const rows = values.map((_, row) => row)
      const valueAt = (row: number): number => values[row] ?? Number.NaN
      const isPresent = (row: number): boolean => !Number.isNaN(valueAt(row))
      checkOrder(column, rows, (a, b) => valueAt(a) - valueAt(b), isPresent)
      rows.filter(isPresent).forEach((row) => {
        assert.equal(column.values[column.codes[row] ?? -1], valueAt(row))
      })
      const distinct = [...column.values]
      const orLength = (at: number): number => (at === -1 ? distinct.length : at)
      const least = orLength(distinct.findIndex((ms) => ms >= edge))
      assert.equal(firstAtLeast(column.values, edge), least)
      assert.equal(firstAbove(column.values, edge), orLength(distinct.findIndex((ms) => ms > edge)))
      const below = rows.filter((row) => (column.codes[row] ?? 0) < least)
      assert.equal(positionOfCode(column, least), below.length)
    }),
    { numRuns: 500 },
  )
  t.pass('500 columns')
})

/** Amounts, and beside each the next one of its scale: the nearest that have to be told apart. */
const pairsOfNeighbours = fc
  .array(amounts(), { maxLength: 12 })
  .map((drawn) =>
    drawn.flatMap(([unscaled, scale]) => [
      [unscaled, scale] as const,
      [Math.min(unscaled + 1, 999_999_999_999_999), scale] as const,
    ]),
  )

test('amounts are ordered by value, whatever their scale', async (t) => {
  assertProperty(
    fc.property(pairsOfNeighbours, amounts(), (pairs, drawn) => {
      const smallest = pairs.map(([unscaled, scale]) => smallestScale({ unscaled, scale }))
      const column = buildAmountColumn(
        Float64Array.from(smallest, ({ unscaled }) => unscaled),
        Uint8Array.from(smallest, ({ scale }) => scale),
      )
      const valueAt = (row: number) => smallest[row] ?? { unscaled: 0, scale: 0 }
      const exact = (row: number): bigint =>
        BigInt(valueAt(row).unscaled) * 10n ** BigInt(5 - valueAt(row).scale)
      const compare = (a: number, b: number): number =>
        exact(a) < exact(b) ? -1 : exact(a) > exact(b) ? 1 : 0
      checkOrder(
        column,
        pairs.map((_, row) => row),
        compare,
        () => true,
      )
      pairs.forEach((_, row) => {
        const code = column.codes[row] ?? -1
        const kept = { unscaled: column.unscaled[code] ?? 0, scale: column.scales[code] ?? 0 }
        assert.equal(compareAmounts(kept, valueAt(row)), 0)
        assert.equal(column.units[code], Number(exact(row)))
      })
      const edge = smallestScale({ unscaled: drawn[0], scale: drawn[1] })
      for (const amount of [edge, negateAmount(edge), ...smallest]) {
        const units = BigInt(amount.unscaled) * 10n ** BigInt(5 - amount.scale)
        const distinct = [...new Set(pairs.map((_, row) => exact(row)))]
        const below = distinct.filter((value) => value < units).length
        const upTo = distinct.filter((value) => value <= units).length
        assert.equal(firstAmountAtLeast(column, amount), below)
        assert.equal(firstAmountAbove(column, amount), upTo)
      }
    }),
    { numRuns: 300 },
  )
  t.pass('300 columns')
})
