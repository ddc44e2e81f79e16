import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { dailyBalances } from '../../../../src/dashboard/pages/overview/daily-balances.js'
import { assertProperty } from '../../../fixtures/assert-property.js'
import { naiveSummary } from '../../../fixtures/naive-summary.js'
import { SAMPLE, transactionRow } from '../../../fixtures/sample-workspace.js'

const DAY_MS = 86_400_000
/** 2025-12-01, and the number of days to the end of 2026-03. */
const FIRST_MS = Date.UTC(2025, 11, 1)
const LATEST_MS = Date.UTC(2026, 2, 1)
const MONTHS = 4
const DAYS = 31 + 31 + 28 + 31

const rows = fc.array(
  fc.record({
    // From the first day on, and after the last one; within a day as well.
    bookedAt: fc
      .tuple(fc.nat({ max: DAYS + 20 }), fc.constantFrom(0, 1, DAY_MS - 1))
      .map(([day, ms]) => FIRST_MS + day * DAY_MS + ms),
    amountUnscaled: fc.integer({ min: -500, max: 500 }),
  }),
)

test('balances equal the reported one without the later transactions, one by one', async (t) => {
  let lineDays = 0
  assertProperty(
    fc.property(rows, fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (booked, reported) => {
      const transactions = booked.map((known, i) => transactionRow(i + 1, 1, known))
      const byDay = naiveSummary(transactions, SAMPLE, ['day'])
      const { days, months } = dailyBalances(reported, byDay, LATEST_MS, MONTHS)
      const balanceAt = (endMs: number): bigint =>
        booked
          .filter(({ bookedAt }) => bookedAt >= endMs)
          .reduce((sum, { amountUnscaled }) => sum - BigInt(amountUnscaled) * 1_000n, reported)
      days.forEach((balance, day) => {
        assert.equal(balance, balanceAt(FIRST_MS + (day + 1) * DAY_MS), `day ${day}`)
      })
      const ends = [2026, 0, 2026, 1, 2026, 2, 2026, 3]
      assert.equal(months.length, MONTHS)
      months.forEach(({ monthMs, dayCount, count, change, closing }, i) => {
        const endMs = Date.UTC(ends[i * 2] ?? 0, ends[i * 2 + 1] ?? 0, 1)
        assert.equal(monthMs + dayCount * DAY_MS, endMs)
        const own = booked.filter(({ bookedAt }) => bookedAt >= monthMs && bookedAt < endMs)
        assert.equal(count, own.length)
        assert.equal(closing, balanceAt(endMs))
        assert.equal(change, closing - balanceAt(monthMs))
      })
      const shown = booked.filter(({ bookedAt }) => bookedAt < FIRST_MS + DAYS * DAY_MS)
      const last = Math.max(...shown.map(({ bookedAt }) => bookedAt))
      const lineLength = Math.floor((last - FIRST_MS) / DAY_MS) + 1
      assert.equal(days.length, shown.length === 0 ? DAYS : lineLength)
      lineDays += days.length
    }),
  )
  t.ok(lineDays > 1_000, `${lineDays} days`)
})
