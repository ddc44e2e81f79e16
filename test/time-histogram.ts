import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { bucketEndMs, bucketOf, TIME_BUCKETS, TimeHistogram } from '../src/time-histogram.js'
import { assertProperty } from './fixtures/assert-property.js'

test('a bucket is at most an eighth of an octave wide', async (t) => {
  assertProperty(
    fc.property(fc.double({ min: 0.002, max: 1_000_000, noNaN: true }), (ms) => {
      const endMs = bucketEndMs(bucketOf(ms))
      return endMs > ms && endMs <= ms * 1.125 * (1 + Number.EPSILON)
    }),
  )
  t.equal(bucketOf(0), 0)
  t.equal(bucketOf(1e12), bucketOf(1e9), 'the longest time is in the last one')
})

test('counts up to each power of two equal those of a list of times', async (t) => {
  const times = fc.array(
    fc.record({
      ms: fc.double({ min: 0, max: 100_000, noNaN: true }),
      weight: fc.constantFrom(1, 16),
    }),
    { maxLength: 50 },
  )
  assertProperty(
    fc.property(times, (added) => {
      const histogram = new TimeHistogram()
      for (const { ms, weight } of added) histogram.add(ms, weight)
      const list = added.flatMap(({ ms, weight }) => Array<number>(weight).fill(ms))
      assert.equal(histogram.count, list.length)
      assert.ok(Math.abs(histogram.sumMs - list.reduce((sum, ms) => sum + ms, 0)) < 0.01)
      for (let exponent = -8; exponent <= 17; exponent++) {
        const ms = 2 ** exponent
        // A time equal to a bound belongs to the bucket that begins there.
        assert.equal(histogram.countUpTo(ms), list.filter((one) => one < ms).length, `${ms} ms`)
      }
    }),
  )
  t.equal(new TimeHistogram().countUpTo(bucketEndMs(TIME_BUCKETS - 1)), 0)
})
