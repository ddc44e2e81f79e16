import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  METRICS_BUSY_COUNT,
  METRICS_BUSY_STRIDE,
  METRICS_SLOT_MS,
  METRICS_SLOTS,
  METRICS_WINDOW_MS,
  RequestMetrics,
} from '../../src/http/request-metrics.js'
import { RequestTotals } from '../../src/http/request-totals.js'
import { bucketEndMs, bucketOf } from '../../src/time-histogram.js'
import { assertProperty } from '../fixtures/assert-property.js'

const REPLY = { operation: 'a', bodyBytes: 7, heldMs: 0 }

function totalsOfOne(): RequestTotals {
  return new RequestTotals([REPLY.operation])
}

test('the figures of a minute equal those of a list of all requests', async () => {
  const requests = fc.array(
    fc.record({
      waitMs: fc.integer({ min: 0, max: 9_000 }),
      tookMs: fc.double({ min: 0.01, max: 5_000, noNaN: true }),
      status: fc.constantFrom(200, 304, 400, 401, 429, 500, 503),
    }),
    { maxLength: 60 },
  )
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 1e9 }), requests, (startMs, sent) => {
      let nowMs = startMs
      const metrics = new RequestMetrics(() => nowMs, totalsOfOne())
      const list = sent.map(({ waitMs, tookMs, status }) => {
        nowMs += waitMs
        const begun = metrics.begin()
        nowMs += tookMs
        metrics.end(status, begun, REPLY)
        return { atMs: nowMs, tookMs: nowMs - begun, status }
      })
      const endMs = (Math.floor(nowMs / METRICS_SLOT_MS) + 1) * METRICS_SLOT_MS
      const recent = list.filter(({ atMs }) => atMs >= endMs - METRICS_WINDOW_MS)
      const summary = metrics.summary()
      assert.equal(summary.count, recent.length)
      assert.equal(
        summary.refusedCount,
        recent.filter(({ status }) => status >= 400 && status < 500).length,
      )
      assert.equal(summary.failedCount, recent.filter(({ status }) => status >= 500).length)
      const sorted = recent.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
      const exact = (share: number): number =>
        sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? 0
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
        ['max', 1],
      ] as const) {
        if (sorted.length === 0) assert.equal(summary.percentiles, undefined)
        else assert.equal(summary.percentiles?.[name], bucketEndMs(bucketOf(exact(share))), name)
      }
      const rates = metrics.rates()
      assert.equal(rates.length, METRICS_SLOTS - 1)
      const complete = list.filter(
        ({ atMs }) =>
          atMs < endMs - METRICS_SLOT_MS && atMs >= endMs - METRICS_SLOTS * METRICS_SLOT_MS,
      )
      const total = rates.reduce((sum, rate) => sum + rate * (METRICS_SLOT_MS / 1_000), 0)
      assert.equal(Math.round(total), complete.length)
    }),
    { numRuns: 60 },
  )
})

test('requests older than the window are dropped', async (t) => {
  let nowMs = 1_000
  const metrics = new RequestMetrics(() => nowMs, totalsOfOne())
  metrics.end(200, metrics.begin(), REPLY)
  t.match(metrics.summary(), { count: 1, perSecond: 1 })
  nowMs += METRICS_WINDOW_MS + METRICS_SLOT_MS
  t.match(metrics.summary(), { count: 0, perSecond: 0, percentiles: undefined })
  t.ok(metrics.rates().some((rate) => rate > 0))
  nowMs += METRICS_SLOTS * METRICS_SLOT_MS * 3
  t.ok(metrics.rates().every((rate) => rate === 0))
})

test('a busy service times a sample of requests, and counts all', async (t) => {
  let nowMs = 0
  let lookCount = 0
  const totals = totalsOfOne()
  const metrics = new RequestMetrics(() => {
    lookCount += 1
    return nowMs
  }, totals)
  const ask = (count: number, tookMs: number): void => {
    for (let i = 0; i < count; i++) {
      const begun = metrics.begin()
      nowMs += tookMs
      metrics.end(i % 10 === 0 ? 503 : 200, begun, REPLY)
      nowMs -= tookMs
    }
  }
  ask(METRICS_BUSY_COUNT, 2)
  t.equal(lookCount, 2 * METRICS_BUSY_COUNT + 1, 'each is timed until the service is busy')
  nowMs = METRICS_SLOT_MS
  ask(1, 2)
  lookCount = 0
  ask(METRICS_BUSY_STRIDE * 1_000, 8)
  t.equal(lookCount, 2 * 1_000)
  const { count, failedCount, percentiles } = metrics.summary()
  t.equal(count, METRICS_BUSY_COUNT + 1 + METRICS_BUSY_STRIDE * 1_000)
  t.equal(failedCount, METRICS_BUSY_COUNT / 10 + 1 + METRICS_BUSY_STRIDE * 100)
  const shown = (ms: number): number => bucketEndMs(bucketOf(ms))
  t.match(percentiles, { p50: shown(8), p99: shown(8) }, 'the sample represents the others')
  const { times, classCounts, bodyBytes } = totals.of(REPLY.operation)
  t.equal(times.count, count, 'in the totals as well')
  t.equal(times.sumMs, 2 * (METRICS_BUSY_COUNT + 1) + 8 * METRICS_BUSY_STRIDE * 1_000)
  t.equal(classCounts[5], failedCount)
  t.equal(bodyBytes, count * REPLY.bodyBytes)
  nowMs += 2 * METRICS_SLOT_MS
  ask(METRICS_BUSY_STRIDE, 1)
  lookCount = 0
  ask(3, 1)
  t.equal(lookCount, 6, 'no longer busy')
})
