import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import {
  cannotLookUp,
  HEARD_FRESH_MS,
  OFFLINE_MS_DEFAULT,
  StoreTrust,
} from '../../src/auth/store-trust.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import { newControlFile } from '../fixtures/control.js'

test('a loss of contact is noticed after two seconds, and tolerated for a minute', async (t) => {
  const control = new AwaitingControl(newControlFile(t))
  const trust = new StoreTrust(control)
  const told: [number, boolean, number, boolean][] = []
  for (const ms of [0, HEARD_FRESH_MS, HEARD_FRESH_MS + 1, OFFLINE_MS_DEFAULT]) {
    control.silenceMs = ms
    told.push([ms, trust.isSilent, trust.silentMs, trust.hasExpired])
    trust.requireValid()
  }
  t.strictSame(told, [
    [0, false, 0, false],
    [2_000, false, 0, false],
    [2_001, true, 2_001, false],
    [60_000, true, 60_000, false],
  ])
  for (const ms of [OFFLINE_MS_DEFAULT + 1, Number.POSITIVE_INFINITY]) {
    control.silenceMs = ms
    t.ok(trust.hasExpired)
    t.throws(() => trust.requireValid(), { message: /not answered for too long/ })
  }
})

test('with a limit of 0, a loss of contact is not tolerated once it is noticed', async (t) => {
  const control = new AwaitingControl(newControlFile(t))
  const trust = new StoreTrust(control, 0)
  control.silenceMs = HEARD_FRESH_MS
  trust.requireValid()
  control.silenceMs += 1
  t.throws(() => trust.requireValid(), { message: /not answered for too long/ })
})

test('SQLite is never out of contact', async (t) => {
  const trust = new StoreTrust(newControlFile(t), 0)
  t.notOk(trust.isSilent)
  t.notOk(trust.hasExpired)
  t.equal(trust.silentMs, 0)
})

test('a look-up has a time limit', async (t) => {
  const trust = new StoreTrust(newControlFile(t))
  t.equal(await trust.inTime(Promise.resolve(7)), 7)
  await t.rejects(trust.inTime(Promise.reject(new Error('no'))), { message: 'no' })
  const never = new Promise(() => undefined)
  const alive = new AbortController()
  const keptAlive = wait(60_000, undefined, { signal: alive.signal }).catch(() => undefined)
  await t.rejects(trust.inTime(never), { message: cannotLookUp().message })
  alive.abort()
  await keptAlive
})
