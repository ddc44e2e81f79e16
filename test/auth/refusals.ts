import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { appendAudit } from '../../src/auth/audit.js'
import { Credentials } from '../../src/auth/credentials.js'
import {
  flushRefusals,
  REFUSAL_FINGERPRINTS_MAX,
  REFUSALS_LOGGED_MAX,
} from '../../src/auth/refusals.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { type AuditRow, listAuditRows } from '../../src/store/audit-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

interface Refusal {
  readonly at: number
  readonly address: string
  readonly error: string
}

async function refuse(control: ControlStore, { at, address, error }: Refusal): Promise<void> {
  const actor = { who: 'anonymous', address, requestId: 'r' }
  await control.atomically(() =>
    appendAudit(actor, at, {
      ...{ action: 'token.issue', outcome: 'refused', integrationId: 'i', detail: { error } },
    }),
  )
}

async function rowsOf(control: ControlStore): Promise<AuditRow[]> {
  return (await control.look(() => listAuditRows({ limit: 100_000 }))).reverse()
}

/** Number of refusals that the rows stand for, by address and error. */
function loggedBy(rows: readonly AuditRow[]): Record<string, number> {
  const logged: Record<string, number> = {}
  for (const { fromAddress, detail } of rows) {
    const { error, further = 1 } = JSON.parse(detail ?? '') as { error: string; further?: number }
    const key = `${fromAddress} ${error}`
    logged[key] = (logged[key] ?? 0) + further
  }
  return logged
}

test('the first refusals of a kind are logged, further ones are counted', async (t) => {
  const control = await newControl(t)
  const times = 600
  for (let i = 0; i < times; i++) {
    await refuse(control, { at: NOW_MS + i, address: '192.0.2.1', error: 'invalid_client' })
  }
  t.equal((await rowsOf(control)).length, REFUSALS_LOGGED_MAX)
  t.same([...control.counts], [['token.issue', times]], 'metrics count each of them')
  t.match((await rowsOf(control))[9], {
    at: NOW_MS + 9,
    requestId: 'r',
    detail: '{"error":"invalid_client"}',
  })
  await control.atomically(() => flushRefusals(NOW_MS + 59_999))
  t.equal((await rowsOf(control)).length, REFUSALS_LOGGED_MAX, 'the minute is not over')
  await control.atomically(() => flushRefusals(NOW_MS + 60_000))
  const rows = await rowsOf(control)
  t.equal(rows.length, REFUSALS_LOGGED_MAX + 1)
  t.match(rows.at(-1), {
    at: NOW_MS + 60_000,
    actor: 'anonymous',
    action: 'token.issue',
    integrationId: 'i',
    fromAddress: '192.0.2.1',
    requestId: null,
    outcome: 'refused',
    detail: JSON.stringify({ error: 'invalid_client', further: times - REFUSALS_LOGGED_MAX }),
  })
  await control.atomically(() => flushRefusals(NOW_MS + 120_000))
  t.equal((await rowsOf(control)).length, REFUSALS_LOGGED_MAX + 1, 'each is logged once')
  await refuse(control, { at: NOW_MS + 120_000, address: '192.0.2.1', error: 'invalid_client' })
  t.equal(
    (await rowsOf(control)).length,
    REFUSALS_LOGGED_MAX + 2,
    'the next minute starts a new count',
  )
})

test('no refusal is lost in any order of events', async (t) => {
  const control = await newControl(t)
  let nowMs = NOW_MS
  const refusal = fc.record({
    stepMs: fc.integer({ min: 0, max: 4_000 }),
    address: fc.constantFrom('192.0.2.1', '2001:db8::1'),
    error: fc.constantFrom('invalid_client', 'invalid_grant'),
    isRegistered: fc.boolean(),
  })
  await assertProperty(
    fc.asyncProperty(fc.array(refusal, { maxLength: 120 }), async (refusals) => {
      const before = (await rowsOf(control)).length
      const naive: Record<string, number> = {}
      for (const { stepMs, address, error, isRegistered } of refusals) {
        nowMs += stepMs
        await refuse(control, { at: nowMs, address, error })
        const key = `${address} ${error}`
        naive[key] = (naive[key] ?? 0) + 1
        if (isRegistered) await control.atomically(() => flushRefusals(nowMs))
      }
      nowMs += 60_000
      await control.atomically(() => flushRefusals(nowMs))
      assert.deepEqual(loggedBy((await rowsOf(control)).slice(before)), naive)
    }),
    { numRuns: 30 },
  )
})

test('a flood from many addresses is logged without addresses', async (t) => {
  const control = await newControl(t)
  const count = 3_000
  for (let i = 0; i < count; i++) {
    await refuse(control, {
      at: NOW_MS,
      address: `2001:db8::${i.toString(16)}`,
      error: 'invalid_grant',
    })
  }
  t.equal((await rowsOf(control)).length, REFUSAL_FINGERPRINTS_MAX + REFUSALS_LOGGED_MAX)
  await control.atomically(() => flushRefusals(NOW_MS + 60_000))
  const further = count - REFUSAL_FINGERPRINTS_MAX - REFUSALS_LOGGED_MAX
  t.match((await rowsOf(control)).at(-1), {
    fromAddress: null,
    detail: JSON.stringify({ error: 'invalid_grant', further }),
  })
})

test('successes, and refusals of commands, are logged each time', async (t) => {
  const control = await newControl(t)
  const actor = { who: 'client:c', address: '192.0.2.1', requestId: 'r' }
  for (let i = 0; i < 50; i++)
    await control.atomically(() => appendAudit(actor, NOW_MS, { action: 'token.issue' }))
  for (let i = 0; i < 50; i++) {
    await control.atomically(() =>
      appendAudit(CLI_ACTOR, NOW_MS, { action: 'token.issue', outcome: 'refused' }),
    )
  }
  t.equal((await rowsOf(control)).length, 100)
})

test('refreshes of a grant take a row an hour, and one with the further count', async (t) => {
  const refresh = fc.record({
    hour: fc.integer({ min: 0, max: 2 }),
    grant: fc.constantFrom(1, 2),
    address: fc.constantFrom('192.0.2.1', '192.0.2.2'),
  })
  const begin = Math.ceil(NOW_MS / 3_600_000) * 3_600_000
  await assertProperty(
    fc.asyncProperty(fc.array(refresh, { maxLength: 60 }), async (all) => {
      const control = await newControl(t)
      const expected: Record<string, number> = {}
      const inOrder = all.toSorted((a, b) => a.hour - b.hour)
      for (const [i, { hour, grant, address }] of inOrder.entries()) {
        const key = `${hour} ${grant} ${address}`
        expected[key] = (expected[key] ?? 0) + 1
        const at = begin + hour * 3_600_000 + i * 50_000
        await control.atomically(() => flushRefusals(at))
        const actor = { who: 'client:c', address, requestId: `${i}` }
        await control.atomically(() =>
          appendAudit(actor, at, { action: 'token.refresh', detail: { grant } }),
        )
      }
      await control.atomically(() => flushRefusals(begin + 3 * 3_600_000))
      const logged: Record<string, number> = {}
      const rows = await rowsOf(control)
      for (const { at, fromAddress, detail } of rows) {
        const { grant, further } = JSON.parse(detail ?? '') as { grant: number; further?: number }
        // The count of further refusals is logged at the end of its hour.
        const hour = Math.floor((at - begin) / 3_600_000) - (further === undefined ? 0 : 1)
        const key = `${hour} ${grant} ${fromAddress}`
        logged[key] = (logged[key] ?? 0) + (further ?? 1)
      }
      assert.deepEqual(logged, expected)
      assert.ok(rows.length <= 2 * Object.keys(expected).length)
    }),
    { numRuns: 30 },
  )
})

test('maintenance writes the counts', async (t) => {
  const control = await newControl(t)
  for (let i = 0; i < 20; i++) {
    await refuse(control, { at: NOW_MS, address: '192.0.2.1', error: 'invalid_grant' })
  }
  const clock = (): number => NOW_MS + 60_000
  await new Credentials(control, { clock, ticks: () => 0 }).keepUp()
  t.match((await rowsOf(control)).at(-1)?.detail, '"further":10')
})
