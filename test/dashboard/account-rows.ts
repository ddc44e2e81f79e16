import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { lastBookedMs, lastImportMs, rowCountsByAccount } from '../../src/dashboard/account-rows.js'
import { addRows, bitSetOf, emptyWords } from '../../src/ordinals/bit-set.js'
import { buildInstantColumn } from '../../src/snapshot/ordered-column.js'
import { buildPostings } from '../../src/snapshot/postings.js'
import type { LiveSegment } from '../../src/snapshot/snapshot.js'
import { assertProperty } from '../fixtures/assert-property.js'

interface Row {
  readonly account: number
  readonly importedMs: number
  /** NaN = none. */
  readonly bookedMs: number
  readonly isAlive: boolean
}

/** A segment of those rows, with only the fields that this test needs. */
function segmentOf(rows: readonly Row[], isAnyDead: boolean): LiveSegment {
  const codes = Uint8Array.from(rows, ({ account }) => account)
  const words = emptyWords(rows.length)
  addRows(words, Uint32Array.from(rows.flatMap(({ isAlive }, i) => (isAlive ? [i] : []))))
  const imported = buildInstantColumn(Float64Array.from(rows, ({ importedMs }) => importedMs))
  const booked = buildInstantColumn(Float64Array.from(rows, ({ bookedMs }) => bookedMs))
  const accountPostings = buildPostings(codes, 3)
  const segment = { accountPostings, imported, booked, rowCount: rows.length }
  return { segment, alive: isAnyDead ? bitSetOf(words) : undefined } as unknown as LiveSegment
}

test('row counts per account and the latest dates equal those of a full scan', async () => {
  const row = fc.record({
    account: fc.nat({ max: 2 }),
    importedMs: fc.nat({ max: 5 }),
    bookedMs: fc.oneof(fc.nat({ max: 5 }), fc.constant(Number.NaN)),
    isAlive: fc.boolean(),
  })
  assertProperty(
    fc.property(fc.array(fc.array(row)), fc.nat({ max: 6 }), (lists, untilMs) => {
      const segments = lists.map((rows) =>
        segmentOf(
          rows,
          rows.some(({ isAlive }) => !isAlive),
        ),
      )
      const alive = lists.flat().filter(({ isAlive }) => isAlive)
      const counts = rowCountsByAccount({ segments })
      for (const code of [0, 1, 2]) {
        const expected = alive.filter(({ account }) => account === code).length
        assert.equal(counts.get(code) ?? 0, expected)
      }
      const times = alive.map(({ importedMs }) => importedMs)
      assert.equal(lastImportMs({ segments }), times.length === 0 ? undefined : Math.max(...times))
      const booked = alive.map(({ bookedMs }) => bookedMs).filter((ms) => ms <= untilMs)
      const latest = booked.length === 0 ? undefined : Math.max(...booked)
      assert.equal(lastBookedMs({ segments }, untilMs), latest)
    }),
  )
})
