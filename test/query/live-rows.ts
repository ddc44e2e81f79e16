import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { BitSet } from '../../src/ordinals/bit-set.js'
import { type LiveQuery, LiveRows } from '../../src/query/live-rows.js'
import { rankAt, rankedRowsOf, selectFrom } from '../../src/query/ranked-rows.js'
import type { Selection } from '../../src/query/select.js'
import type { OrderedCodes } from '../../src/snapshot/ordered-column.js'
import { buildAmountColumn } from '../../src/snapshot/ordered-column.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { bitSetCases, bitSetOfRows } from '../fixtures/bit-set-cases.js'

interface Case {
  readonly rowCount: number
  readonly key: OrderedCodes
  readonly selections: readonly (readonly number[] | undefined)[]
  readonly isListed: boolean
  /** Rows that are deleted at each step. */
  readonly deletes: readonly (readonly number[])[]
  /** Requested state of the segment, selection, and position. */
  readonly questions: readonly (readonly [state: number, selection: number, place: number])[]
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(bitSetCases, fc.boolean(), fc.constantFrom(3, 400))
  .chain(([{ rowCount, passing }, isListed, valueCount]) => {
    const rows = fc.uniqueArray(fc.nat({ max: rowCount - 1 }), { maxLength: 40 })
    // Equal values are in the order of their ids.
    const amounts = Float64Array.from({ length: rowCount }, (_, row) => (row * 7) % valueCount)
    return fc.record({
      rowCount: fc.constant(rowCount),
      key: fc.constant(buildAmountColumn(amounts, new Uint8Array(rowCount))),
      selections: fc.tuple(
        fc.constant(undefined),
        fc.constant(passing),
        rows.map((listed) => listed.toSorted((a, b) => a - b)),
      ),
      isListed: fc.constant(isListed),
      deletes: fc.array(rows, { minLength: 1, maxLength: 8 }),
      questions: fc.array(fc.tuple(fc.nat(8), fc.nat(2), fc.nat(5_000)), {
        minLength: 1,
        maxLength: 25,
      }),
    })
  })

test('after any deletes, the live rows are those of a filter, in order', async (t) => {
  let leftOutCount = 0
  assertProperty(
    fc.property(cases, ({ rowCount, key, selections, isListed, deletes, questions }) => {
      const segment = { rowCount }
      const liveRows = new LiveRows()
      const states = statesOf(rowCount, deletes)
      for (const [state, which, place] of questions) {
        const alive = states[state % states.length]!
        const rows = selections[which]
        const isOrdered = place % 2 === 0
        const order = isOrdered ? [...key.order] : Array.from(key.order, (_, row) => row)
        const held = new Set(rows ?? order)
        const selected = order.filter((row) => held.has(row))
        const expected = selected.filter((row) => alive.rows.has(row))
        leftOutCount += selected.length - expected.length
        const found = liveRows.of(segment, alive.bits, {
          selection: rows && selectionOf(rowCount, selected, isOrdered ? key : undefined, isListed),
          key: isOrdered ? key : undefined,
          name: `${which} ${isOrdered}`,
        })
        assert.equal(countOf(found), expected.length)
        const first = place % (expected.length + 1)
        const end = place % (rowCount + 1)
        const before = order.slice(0, end).filter((row) => held.has(row) && alive.rows.has(row))
        assert.deepEqual(rowsFrom(found, first), expected.slice(first, first + 50))
        if (found.kind === 'bits') assert.equal(rankAt(found.ranked, end), before.length)
      }
    }),
    { numRuns: 150 },
  )
  t.ok(leftOutCount > 1_000, `${leftOutCount} selected rows were deleted`)
})

test('when a great many are deleted at once, all is recounted', async (t) => {
  const rowCount = 4_000
  const segment = { rowCount }
  const liveRows = new LiveRows()
  const wanted: LiveQuery = { selection: undefined, key: undefined, name: 'all' }
  const [first, second] = statesOf(rowCount, [[5], Array.from({ length: 2_000 }, (_, i) => i)])
  t.equal(countOf(liveRows.of(segment, first!.bits, wanted)), rowCount - 1)
  const left = liveRows.of(segment, second!.bits, wanted)
  t.equal(countOf(left), 2_000)
  t.strictSame(rowsFrom(left, 0).slice(0, 3), [2_000, 2_001, 2_002])
})

test('bit sets of unrelated states are counted separately', async (t) => {
  const segment = { rowCount: 100 }
  const liveRows = new LiveRows()
  const wanted: LiveQuery = { selection: undefined, key: undefined, name: 'all' }
  for (const rows of [
    [1, 2, 3],
    [4, 5],
    [2, 3],
    [1, 2, 3],
  ]) {
    const found = liveRows.of(segment, bitSetOfRows(100, rows), wanted)
    t.strictSame(rowsFrom(found, 0), rows)
  }
})

test('a selection without deletes is not copied', async (t) => {
  const segment = { rowCount: 1_000 }
  const liveRows = new LiveRows()
  const listed: Selection = { kind: 'ordinals', ordinals: Uint32Array.of(10, 20) }
  const bitSelection = selectionOf(1_000, [30, 40, 50], undefined, false)
  const [first, second] = statesOf(1_000, [[1], [2]])
  for (const { bits } of [first!, second!]) {
    const wanted = { key: undefined, selection: listed, name: 'ordinals' }
    const found = liveRows.of(segment, bits, wanted)
    t.ok(found.kind === 'ordinals' && found.ordinals === listed.ordinals)
  }
  const counts = [first!, second!].map(({ bits }) => {
    const wanted = { key: undefined, selection: bitSelection, name: 'bits' }
    const found = liveRows.of(segment, bits, wanted)
    return found.kind === 'bits' ? found.ranked.counts : undefined
  })
  t.ok(counts[0] !== undefined && counts[0] === counts[1])
})

interface State {
  readonly bits: BitSet
  readonly rows: ReadonlySet<number>
}

function statesOf(rowCount: number, deletes: readonly (readonly number[])[]): State[] {
  const rows = new Set(Array.from({ length: rowCount }, (_, row) => row))
  return deletes.map((deleted) => {
    for (const row of deleted) rows.delete(row)
    return { bits: bitSetOfRows(rowCount, [...rows]), rows: new Set(rows) }
  })
}

function selectionOf(
  rowCount: number,
  rows: readonly number[],
  key: OrderedCodes | undefined,
  isListed: boolean,
): Selection {
  if (isListed) return { kind: 'ordinals', ordinals: Uint32Array.from(rows) }
  return { kind: 'bits', ranked: rankedRowsOf(bitSetOfRows(rowCount, rows), key?.order, rowCount) }
}

function countOf(found: Selection): number {
  return found.kind === 'ordinals' ? found.ordinals.length : found.ranked.count
}

function rowsFrom(found: Selection, first: number): number[] {
  const count = Math.min(50, countOf(found) - first)
  if (found.kind === 'ordinals') return [...found.ordinals.subarray(first, first + count)]
  return count === 0 ? [] : [...selectFrom(found.ranked, first, count)]
}
