import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { pageMetrics, RequestTotals } from '../../src/http/request-totals.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('replies are counted like a list of them, unnamed operations together', async () => {
  const replies = fc.array(
    fc.record({
      operation: fc.constantFrom('a', 'b', '', 'unknown'),
      status: fc.constantFrom(200, 304, 400, 401, 404, 429, 500, 503),
      bodyBytes: fc.nat(1_000_000),
      heldMs: fc.constant(0),
      tookMs: fc.integer({ min: 0, max: 1_000 }),
    }),
    { maxLength: 40 },
  )
  assertProperty(
    fc.property(replies, (sent) => {
      let nowMs = 0
      const totals = new RequestTotals(['a', 'b'])
      const metrics = pageMetrics(() => nowMs, totals)
      for (const { status, tookMs, ...reply } of sent) {
        const begun = metrics.begin()
        nowMs += tookMs
        metrics.end(status, begun, reply)
      }
      assert.deepEqual(
        Array.from(totals.entries(), ([operation]) => operation),
        ['a', 'b', 'none'],
      )
      for (const [operation, counted] of totals.entries()) {
        const own = sent.filter((reply) =>
          operation === 'none' ? !/^[ab]$/.test(reply.operation) : reply.operation === operation,
        )
        const countOf = (from: number, to: number): number =>
          own.filter(({ status }) => status >= from && status <= to).length
        assert.deepEqual(Array.from(counted.classCounts), [
          ...[0, 0, countOf(200, 299), countOf(300, 399), countOf(400, 499), countOf(500, 599)],
        ])
        assert.equal(counted.unauthorizedCount, countOf(401, 401))
        assert.equal(counted.rateLimitedCount, countOf(429, 429))
        assert.equal(
          counted.bodyBytes,
          own.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
        )
        assert.equal(counted.times.count, own.length)
        assert.equal(
          counted.times.sumMs,
          own.reduce((sum, { tookMs }) => sum + tookMs, 0),
        )
      }
    }),
  )
})
