import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  accountsTouched,
  beginLog,
  type ChangeLog,
  extendLog,
  forgetChanges,
  LOG_CHANGES_MIN,
  LOG_CHUNK_CHANGES_MAX,
  visitChanges,
} from '../../src/snapshot/change-log.js'
import { arrayBytes } from '../../src/snapshot/snapshot-bytes.js'
import { assertProperty } from '../fixtures/assert-property.js'

type Logged = readonly [sequence: number, id: number, before: number, now: number]

/** The changes of a log behind a sequence, as long as `goesOn`. */
function changesOf(log: ChangeLog, after: number, goesOn = (_: number): boolean => true): Logged[] {
  const found: Logged[] = []
  visitChanges(log, after, (...change) => {
    found.push(change)
    return goesOn(found.length)
  })
  return found
}

/** Changes whose sequences have gaps, as those of accounts leave them. */
const steps = fc.array(
  fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      id: fc.integer({ min: 1, max: 9 }),
      before: fc.nat({ max: 3 }),
      now: fc.nat({ max: 3 }),
    }),
    { maxLength: 40 },
  ),
  { minLength: 1, maxLength: 30 },
)

test('a log has every change behind its begin, in order', async (t) => {
  let mergedCount = 0
  assertProperty(
    fc.property(steps, fc.nat({ max: 20 }), fc.nat({ max: 900 }), (written, begin, place) => {
      let log = beginLog(begin)
      let sequence = begin
      const all: Logged[] = []
      for (const step of written) {
        const logged = step.map(({ gap, id, before, now }): Logged => {
          sequence += gap
          return [sequence, id, before, now]
        })
        all.push(...logged)
        const older = log
        const held = changesOf(older, begin)
        log = extendLog(older, Float64Array.from(logged.flat()))
        assert.deepEqual(changesOf(older, begin), held, 'an older log stays as it is')
      }
      const after = begin + place
      const expected = all.filter(([at]) => at > after)
      assert.deepEqual(changesOf(log, after), expected)
      assert.deepEqual(
        changesOf(log, after, (count) => count < 3),
        expected.slice(0, 3),
      )
      const accounts = expected.flatMap(([, , before, now]) => [before, now])
      assert.deepEqual(accountsTouched(log, after), new Set(accounts))
      assert.ok(log.chunks.length <= 2 + Math.log2(all.length + 1), 'chunks are few')
      assert.equal(arrayBytes(log), all.length * 32)
      mergedCount += written.filter((step) => step.length > 0).length - log.chunks.length
    }),
  )
  t.ok(mergedCount > 100)
})

test('the oldest changes leave a long log, whole chunks at a time', async (t) => {
  let log = beginLog(0)
  const stepCount = 1_000
  const endCount = LOG_CHANGES_MIN * 2
  for (let end = 0; end < endCount; end += stepCount) {
    const numbers = Array.from({ length: stepCount }, (_, i) => [end + i + 1, 1, 0, 1])
    log = extendLog(log, Float64Array.from(numbers.flat()))
  }
  const count = changesOf(log, log.after).length
  t.equal(count, endCount - log.after, 'it has all behind its begin')
  t.ok(count >= LOG_CHANGES_MIN && count < LOG_CHANGES_MIN + LOG_CHUNK_CHANGES_MAX * 2)
  const large = Float64Array.from({ length: endCount * 4 }, (_, i) => endCount + 1 + (i >> 2))
  const next = extendLog(log, large)
  t.equal(changesOf(next, next.after).length, endCount * 2 - next.after)
  t.ok(next.after >= endCount, 'also when one step has more than the log keeps')
})

test('each begin has a timeline of its own, which continues when changes leave', async (t) => {
  const log = extendLog(beginLog(4), Float64Array.of(5, 1, 0, 1))
  t.not(beginLog(4).timeline, log.timeline)
  t.match(forgetChanges(log, 9), { timeline: log.timeline, after: 9, chunks: [] })
  t.same(changesOf(forgetChanges(log, 9), 9), [])
})
