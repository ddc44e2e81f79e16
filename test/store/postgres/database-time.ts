import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { DatabaseTime } from '../../../src/store/postgres/database-time.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { SetClock } from '../../fixtures/postgres-pulse.js'

/** A look at the database's clock: pauses before it, on the way there and on the way back. */
const looks = fc.array(
  fc.record({
    pauseMs: fc.nat({ max: 5_000 }),
    thereMs: fc.nat({ max: 900 }),
    backMs: fc.nat({ max: 900 }),
    isSlow: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
)

test('time differs from that of the database by a round trip at most', async (t) => {
  let settledCount = 0
  assertProperty(
    fc.property(looks, fc.integer({ min: -600_000, max: 600_000 }), (all, ownMs) => {
      const clock = new SetClock()
      clock.ms = ownMs
      const database = (): number => 1_800_000_000_000 + clock.ms - ownMs
      const time = new DatabaseTime(clock.read)
      let [boundMs, beforeMs] = [Number.POSITIVE_INFINITY, 0]
      for (const { pauseMs, thereMs, backMs, isSlow } of all) {
        clock.ms += pauseMs
        const askedMs = clock.ms
        clock.ms += isSlow ? thereMs : thereMs / 1_000
        const databaseMs = database()
        clock.ms += isSlow ? backMs : backMs / 1_000
        time.note({ askedMs, answeredMs: clock.ms, databaseMs })
        boundMs = Math.min(boundMs, clock.ms - askedMs)
        const nowMs = time.now()
        // Never backwards may keep it where a slow look has put it.
        assert.ok(nowMs === beforeMs || Math.abs(nowMs - database()) <= boundMs + 1)
        assert.ok(Number.isInteger(nowMs) && nowMs >= beforeMs)
        if (boundMs < 2 && nowMs !== beforeMs) settledCount += 1
        beforeMs = nowMs
      }
    }),
  )
  t.ok(settledCount > 100, `${settledCount} times within two milliseconds`)
})

test('time stands still after the clock of the database was set back', async (t) => {
  const clock = new SetClock()
  const time = new DatabaseTime(clock.read)
  t.throws(() => time.now(), {
    name: 'StoreError',
    message: /time of the database is not known yet/,
  })
  const note = (databaseMs: number) =>
    time.note({ askedMs: clock.ms, answeredMs: clock.ms, databaseMs })
  note(2_000_000)
  t.equal(time.now(), 2_000_000)
  clock.ms += 700
  t.equal(time.now(), 2_000_700)
  note(1_400_700)
  t.equal(time.now(), 2_000_700)
  clock.ms += 599_999
  t.equal(time.now(), 2_000_700)
  clock.ms += 2
  t.equal(time.now(), 2_000_701)
  note(2_600_701)
  t.equal(time.now(), 2_600_701, 'a step forward is taken at once')
})
