import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import {
  Attempts,
  delayAfter,
  SIGN_IN_ADDRESS_FAILURES_FREE,
  SIGN_IN_DELAY_MS_MAX,
  SIGN_IN_NAME_FAILURES_FREE,
} from '../../src/browser/attempts.js'
import { listAttempts } from '../../src/store/attempt-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { ATTEMPT_MEMORY_MS, hasExpired, sweepExpired } from '../../src/store/sweep.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { newControlFile } from '../fixtures/control.js'
import { START_MS } from '../fixtures/service.js'

/** Attempts over a store, at a time that tests set. */
class TimedAttempts {
  nowMs = START_MS
  readonly control: ControlStore
  readonly attempts: Attempts

  constructor(t: Test, control: ControlStore = newControlFile(t)) {
    this.control = control
    this.attempts = new Attempts(control, () => this.nowMs)
  }

  begin(name: string, address: string): Promise<number> {
    return this.attempts.begin({ name, address })
  }

  beginKnown(browser: string): Promise<number> {
    return this.attempts.begin({ browser })
  }

  succeed(name: string, address: string): Promise<void> {
    return this.control.atomically(() => this.attempts.succeed({ name, address }))
  }
}

test('the wait is zero, then a second, and doubles up to a minute', async (t) => {
  const waits = Array.from({ length: 15 }, (_, failures) => delayAfter(failures, 5))
  t.same(waits.slice(0, 8), [0, 0, 0, 0, 0, 1_000, 2_000, 4_000])
  t.equal(waits.at(-1), SIGN_IN_DELAY_MS_MAX)
  t.equal(delayAfter(1_000_000, 5), SIGN_IN_DELAY_MS_MAX)
})

test('a name has a number of attempts, from any address, and then has to wait', async (t) => {
  const attempts = new TimedAttempts(t)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
    t.equal(await attempts.begin('ada', `192.0.2.${i}`), 0)
  }
  t.equal(await attempts.begin('ada', '192.0.2.99'), 1)
  t.equal(await attempts.begin('bob', '192.0.2.99'), 0, 'other names do not wait')
  attempts.nowMs += 999
  t.equal(await attempts.begin('ada', '192.0.2.99'), 1)
  attempts.nowMs += 1
  t.equal(await attempts.begin('ada', '192.0.2.99'), 0)
  t.equal(await attempts.begin('ada', '192.0.2.99'), 2, 'twice as long')
  attempts.nowMs += ATTEMPT_MEMORY_MS
  t.equal(await attempts.begin('ada', '192.0.2.99'), 0, 'forgotten')
  t.equal(await attempts.begin('ada', '192.0.2.99'), 0)
})

test('an address has a number of attempts, for any names', async (t) => {
  const attempts = new TimedAttempts(t)
  for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) {
    t.equal(await attempts.begin(`name${i}`, '192.0.2.1'), 0)
  }
  t.equal(await attempts.begin('another', '192.0.2.1'), 1)
  t.equal(await attempts.begin('another', '192.0.2.2'), 0)
})

test('success resets the count of the name, but not that of the address', async (t) => {
  const attempts = new TimedAttempts(t)
  for (let i = 0; i < 100; i++) {
    t.equal(await attempts.begin('ada', '192.0.2.1'), 0)
    await attempts.succeed('ada', '192.0.2.1')
  }
  for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) {
    await attempts.begin(`n${i}`, '192.0.2.1')
  }
  t.equal(await attempts.begin('ada', '192.0.2.1'), 1)
})

test('known and unknown browsers are counted separately', async (t) => {
  const attempts = new TimedAttempts(t)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) await attempts.begin('ada', '192.0.2.1')
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
    t.equal(await attempts.beginKnown('one'), 0)
  }
  t.equal(await attempts.begin('ada', '192.0.2.1'), 1)
  t.equal(await attempts.beginKnown('one'), 1)
  t.equal(await attempts.beginKnown('two'), 0, 'each known browser has its own count')
  attempts.nowMs += 1_000
  t.equal(await attempts.beginKnown('one'), 0)
  t.equal(await attempts.beginKnown('one'), 2, 'twice as long')
  await attempts.control.atomically(() => attempts.attempts.succeed({ browser: 'one' }))
  t.equal(await attempts.beginKnown('one'), 0)
  t.equal(await attempts.begin('ada', '192.0.2.1'), 0)
  t.equal(await attempts.begin('ada', '192.0.2.1'), 2, 'failures of unknown browsers stay counted')
})

test('two services over one store count together, also after a restart', async (t) => {
  const one = new TimedAttempts(t)
  const other = new TimedAttempts(t, one.control)
  // The clocks of two machines differ a little.
  other.nowMs -= 20
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
    t.equal(await (i % 2 === 0 ? one : other).begin('ada', `192.0.2.${i}`), 0)
  }
  t.equal(await one.begin('ada', '192.0.2.9'), 1)
  t.equal(await other.begin('ada', '192.0.2.9'), 2)
  t.equal(await new TimedAttempts(t, one.control).begin('ada', '192.0.2.9'), 1)
})

test('a clock that was set back forgets failures', async (t) => {
  const attempts = new TimedAttempts(t)
  for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) await attempts.begin('ada', `192.0.2.${i}`)
  t.equal(await attempts.begin('ada', '192.0.2.9'), 1)
  attempts.nowMs -= 3_600_000
  t.equal(await attempts.begin('ada', '192.0.2.9'), 0)
})

test('a premature attempt is detected before anything is written', async (t) => {
  const attempts = new TimedAttempts(t)
  const { control } = attempts
  for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) await attempts.begin(`n${i}`, 'a')
  const before = await control.look(listAttempts)
  const writes = control.ownWriteCount
  t.equal(await attempts.attempts.waitSeconds({ name: 'another', address: 'a' }), 1)
  t.equal(await attempts.attempts.waitSeconds({ name: 'another', address: 'b' }), 0)
  t.strictSame(await control.look(listAttempts), before)
  t.equal(control.ownWriteCount, writes)
})

test('names are stored as digests, and swept when they are forgotten', async (t) => {
  const attempts = new TimedAttempts(t)
  const { control } = attempts
  await attempts.begin('correct horse', '192.0.2.1')
  const rows = await control.look(listAttempts)
  t.strictSame(
    rows.map(({ kind, key, failures }) => [kind, key.length, failures]),
    [
      ['address', 32, 1],
      ['name', 32, 1],
    ],
  )
  t.notMatch(JSON.stringify(rows.map(({ key }) => key.toString('latin1'))), /horse|192/)
  const lastMs = START_MS + ATTEMPT_MEMORY_MS - 1
  t.notOk(await control.look(() => hasExpired(lastMs)))
  t.equal(await control.atomically(() => sweepExpired(lastMs, 10)), 0)
  t.ok(await control.look(() => hasExpired(lastMs + 1)))
  t.equal(await control.atomically(() => sweepExpired(lastMs + 1, 1)), 1)
  t.equal(await control.atomically(() => sweepExpired(lastMs + 1, 1)), 1)
  t.strictSame(await control.look(listAttempts), [])
})

test('the counts equal those of a naive list of failures', async (t) => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b'),
    waitMs: fc.constantFrom(0, 500, 1_000, 2_000, 60_000, ATTEMPT_MEMORY_MS),
    isRight: fc.boolean(),
  })
  const control = newControlFile(t)
  let runs = 0
  await assertProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const attempts = new TimedAttempts(t, control)
      const failures = new Map<string, number[]>()
      runs += 1
      for (const [i, { name, waitMs, isRight }] of steps.entries()) {
        attempts.nowMs += waitMs
        let known = failures.get(name) ?? []
        if (attempts.nowMs - (known.at(-1) ?? 0) >= ATTEMPT_MEMORY_MS) known = []
        const untilMs = (known.at(-1) ?? 0) + delayAfter(known.length, SIGN_IN_NAME_FAILURES_FREE)
        const wait = Math.max(0, Math.ceil((untilMs - attempts.nowMs) / 1000))
        // A different address each time, so that the name alone counts.
        const source = { name: `${runs} ${name}`, address: `address ${runs} ${i}` }
        assert.equal(await attempts.attempts.waitSeconds(source), wait)
        assert.equal(await attempts.attempts.begin(source), wait)
        if (wait > 0) continue
        failures.set(name, isRight ? [] : [...known, attempts.nowMs])
        if (isRight) await attempts.succeed(source.name, source.address)
      }
    }),
  )
  t.pass('equal')
})
