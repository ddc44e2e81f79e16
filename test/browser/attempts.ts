import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  Attempts,
  delayAfter,
  SIGN_IN_ADDRESS_FAILURES_FREE,
  SIGN_IN_DELAY_MS_MAX,
  SIGN_IN_KEYS_MAX,
  SIGN_IN_MEMORY_MS,
  SIGN_IN_NAME_FAILURES_FREE,
} from '../../src/browser/attempts.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { START_MS } from '../fixtures/service.js'

test('the wait is zero, then a second, and doubles up to a minute', async (t) => {
  const waits = Array.from({ length: 15 }, (_, failures) => delayAfter(failures, 5))
  t.same(waits.slice(0, 8), [0, 0, 0, 0, 0, 1_000, 2_000, 4_000])
  t.equal(waits.at(-1), SIGN_IN_DELAY_MS_MAX)
  t.equal(delayAfter(1_000_000, 5), SIGN_IN_DELAY_MS_MAX)
})

test('a name has a number of attempts, from any address, and then has to wait', async (t) => {
  let nowMs = START_MS
  const attempts = new Attempts(() => nowMs)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
    t.equal(attempts.begin('ada', `192.0.2.${i}`), 0)
  }
  t.equal(attempts.begin('ada', '192.0.2.99'), 1)
  t.equal(attempts.begin('bob', '192.0.2.99'), 0, 'other names do not wait')
  nowMs += 999
  t.equal(attempts.begin('ada', '192.0.2.99'), 1)
  nowMs += 1
  t.equal(attempts.begin('ada', '192.0.2.99'), 0)
  t.equal(attempts.begin('ada', '192.0.2.99'), 2, 'twice as long')
  nowMs += SIGN_IN_MEMORY_MS
  t.equal(attempts.begin('ada', '192.0.2.99'), 0, 'forgotten')
  t.equal(attempts.begin('ada', '192.0.2.99'), 0)
})

test('an address has a number of attempts, for any names', async (t) => {
  const attempts = new Attempts(() => START_MS)
  for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) {
    t.equal(attempts.begin(`name${i}`, '192.0.2.1'), 0)
  }
  t.equal(attempts.begin('another', '192.0.2.1'), 1)
  t.equal(attempts.begin('another', '192.0.2.2'), 0)
})

test('success resets the count of the name, but not that of the address', async (t) => {
  const attempts = new Attempts(() => START_MS)
  for (let i = 0; i < 100; i++) {
    t.equal(attempts.begin('ada', '192.0.2.1'), 0)
    attempts.succeed('ada', '192.0.2.1')
  }
  for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) attempts.begin(`n${i}`, '192.0.2.1')
  t.equal(attempts.begin('ada', '192.0.2.1'), 1)
})

test('known and unknown browsers are counted separately', async (t) => {
  let nowMs = START_MS
  const attempts = new Attempts(() => nowMs)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) attempts.begin('ada', '192.0.2.1')
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) t.equal(attempts.beginKnown('one'), 0)
  t.equal(attempts.begin('ada', '192.0.2.1'), 1)
  t.equal(attempts.beginKnown('one'), 1)
  t.equal(attempts.beginKnown('two'), 0, 'each known browser has its own count')
  nowMs += 1_000
  t.equal(attempts.beginKnown('one'), 0)
  t.equal(attempts.beginKnown('one'), 2, 'twice as long')
  attempts.succeedKnown('one')
  t.equal(attempts.beginKnown('one'), 0)
  t.equal(attempts.begin('ada', '192.0.2.1'), 0)
  t.equal(attempts.begin('ada', '192.0.2.1'), 2, 'failures of unknown browsers stay counted')
})

test('a flood of names evicts the oldest and keeps memory bounded', async (t) => {
  const attempts = new Attempts(() => START_MS)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) attempts.begin('ada', `a${i}`)
  t.equal(attempts.begin('ada', 'a'), 1)
  for (let i = 0; i < SIGN_IN_KEYS_MAX; i++) attempts.begin(`name${i}`, `b${i}`)
  t.equal(attempts.begin('ada', 'a'), 0)
})

test('the counts equal those of a naive list of failures', async (t) => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b'),
    waitMs: fc.constantFrom(0, 500, 1_000, 2_000, 60_000, SIGN_IN_MEMORY_MS),
    isRight: fc.boolean(),
  })
  assertProperty(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let nowMs = START_MS
      const attempts = new Attempts(() => nowMs)
      const failures = new Map<string, number[]>()
      steps.forEach(({ name, waitMs, isRight }, i) => {
        nowMs += waitMs
        let known = failures.get(name) ?? []
        if (nowMs - (known.at(-1) ?? 0) >= SIGN_IN_MEMORY_MS) known = []
        const untilMs = (known.at(-1) ?? 0) + delayAfter(known.length, SIGN_IN_NAME_FAILURES_FREE)
        const wait = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
        // A different address each time, so that the name alone counts.
        assert.equal(attempts.begin(name, `address ${i}`), wait)
        if (wait > 0) return
        failures.set(name, isRight ? [] : [...known, nowMs])
        if (isRight) attempts.succeed(name, `address ${i}`)
      })
    }),
  )
  t.pass('equal')
})
