import { test } from 'tap'
import {
  countFingerprints,
  countRefusal,
  deleteRefusalsBefore,
  hasRefusal,
  listRefusalsBefore,
} from '../../src/store/refusal-rows.js'
import { newControl } from '../fixtures/control.js'

test('refusals are counted by minute and fingerprint, and deleted by minute', async (t) => {
  const control = await newControl(t)
  const [a, b] = ['{"a":1}', '{"b":1}'] as const
  t.equal(await control.look(() => countRefusal({ minute: 5, fingerprint: a })), 1)
  t.equal(await control.look(() => countRefusal({ minute: 5, fingerprint: a })), 2)
  t.equal(await control.look(() => countRefusal({ minute: 5, fingerprint: b })), 1)
  t.equal(await control.look(() => countRefusal({ minute: 6, fingerprint: a })), 1)
  for (const [minute, count] of [
    [4, 0],
    [5, 2],
    [6, 1],
  ] as const) {
    t.equal(await control.look(() => countFingerprints(minute)), count)
  }
  t.ok(await control.look(() => hasRefusal({ minute: 6, fingerprint: a })))
  t.notOk(await control.look(() => hasRefusal({ minute: 6, fingerprint: b })))
  t.strictSame(await control.look(() => listRefusalsBefore(6)), [
    { minute: 5, fingerprint: a, times: 2 },
    { minute: 5, fingerprint: b, times: 1 },
  ])
  await control.atomically(() => deleteRefusalsBefore(6))
  t.strictSame(await control.look(() => listRefusalsBefore(7)), [
    { minute: 6, fingerprint: a, times: 1 },
  ])
})
