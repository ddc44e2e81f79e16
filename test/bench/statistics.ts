import { test } from 'tap'
import { medianOf, pairedRatio, pooledQuantiles, quantilesOf } from '../../bench/statistics.js'

test('quantiles are measured values', async (t) => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i)
  t.strictSame(quantilesOf(values), { p50: 100, p99: 198, max: 200 })
  t.strictSame(quantilesOf([5]), { p50: 5, p99: 5, max: 5 })
})

test('the median of an even number is the mean of the two in the middle', async (t) => {
  t.equal(medianOf([3, 1, 2]), 2)
  t.equal(medianOf([4, 1, 2, 3]), 2.5)
  t.ok(Number.isNaN(medianOf([])))
})

test('a paired ratio compares values of the same round', async (t) => {
  t.equal(pairedRatio([10, 40, 30], [20, 10, 10]), 3)
})

test('pooled lists have equal weight, whatever their length', async (t) => {
  const fast = Array.from({ length: 10_000 }, () => 1)
  t.strictSame(pooledQuantiles([fast, [5], [9, 9]]), { p50: 5, p99: 9, max: 9 })
  t.strictSame(pooledQuantiles([[3, 1, 2]]), { p50: 2, p99: 3, max: 3 })
  t.ok(Number.isNaN(pooledQuantiles([[]]).p50))
})
