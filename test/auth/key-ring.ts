import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { createApiKey, revokeApiKey } from '../../src/admin/api-keys.js'
import type { Access } from '../../src/auth/access.js'
import { ControlWatch } from '../../src/auth/control-watch.js'
import { heldApiKeys } from '../../src/auth/held-keys.js'
import { KeyRing } from '../../src/auth/key-ring.js'
import { StoreTrust } from '../../src/auth/store-trust.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { noteApiKeyUses } from '../../src/store/api-key-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { listen, NOW_MS, newControl, openControl, WIDE_KEY } from '../fixtures/control.js'

const HERE = { remoteAddress: '127.0.0.1' }

/** A ring of API keys, its clock, and the number of times it has read the keys. */
function ringOf(control: ControlStore) {
  const state = { nowMs: NOW_MS, reads: 0, ticks: 0, foreign: [] as string[] }
  const ring = new KeyRing<Access>({
    control,
    watch: new ControlWatch(control, () => (state.ticks += 1)),
    trust: new StoreTrust(control),
    clock: () => state.nowMs,
    read: () => {
      state.reads += 1
      return heldApiKeys()
    },
    onBlockedUse: (access, { remoteAddress }) => {
      state.foreign.push(`${access.key?.id} ${remoteAddress}`)
    },
  })
  return { ring, state }
}

async function revoke(control: ControlStore, id: number): Promise<void> {
  await revokeApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
}

test('only a key that is neither expired nor revoked grants access', async (t) => {
  const control = await newControl(t)
  const { ring, state } = ringOf(control)
  const ending = { ...WIDE_KEY, expiresAtMs: NOW_MS + 1 }
  const narrow = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, ending)
  const wide = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  t.ok(await ring.find(narrow.key, HERE))
  t.ok(await ring.find(wide.key, HERE))
  state.nowMs += 1
  t.equal(await ring.find(narrow.key, HERE), undefined, 'expired')
  t.ok(await ring.find(wide.key, HERE))
  await revoke(control, wide.id)
  t.equal(await ring.find(wide.key, HERE), undefined, 'revoked')
  for (const unknown of ['', 'sk-', wide.key.slice(1), `${wide.key}A`]) {
    t.equal(await ring.find(unknown, HERE), undefined)
  }
})

test('a key with an address list is valid from those addresses only', async (t) => {
  const control = await newControl(t)
  const { ring, state } = ringOf(control)
  const listed = { ...WIDE_KEY, ipAllow: ['192.0.2.0/24', '::1'] }
  const { key } = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, listed)
  for (const remoteAddress of ['192.0.2.1', '192.0.2.255', '::1']) {
    t.ok(await ring.find(key, { remoteAddress }), remoteAddress)
  }
  t.same(state.foreign, [])
  for (const remoteAddress of ['192.0.3.1', '127.0.0.1', '::2', '', 'localhost']) {
    t.equal(await ring.find(key, { remoteAddress }), undefined, remoteAddress)
    t.equal(state.foreign.pop(), `1 ${remoteAddress}`)
  }
  const free = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const unasked = {
    get remoteAddress(): string {
      throw new Error('a key without a list does not ask')
    },
  }
  // While keys are being read, the address is copied before the wait.
  t.ok(await ring.find(free.key, HERE))
  t.ok(await ring.find(free.key, unasked))
})

test('creations and revocations from any connection take effect at once', async (t: Test) => {
  const own = await newControl(t)
  const other = await openControl(t)
  const { ring } = ringOf(own)
  const steps = fc.array(
    fc.record({ makes: fc.boolean(), byOther: fc.boolean(), which: fc.nat({ max: 20 }) }),
    { maxLength: 25 },
  )
  await assertProperty(
    fc.asyncProperty(steps, async (sequence) => {
      const made: { id: number; key: string; isValid: boolean }[] = []
      for (const { makes, byOther, which } of sequence) {
        const control = byOther ? other : own
        const target = made[which % Math.max(1, made.length)]
        if (makes || target === undefined) {
          made.push({
            ...(await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)),
            isValid: true,
          })
        } else {
          await revoke(control, target.id)
          target.isValid = false
        }
        await listen(own)
        for (const { key, isValid } of made) {
          assert.equal((await ring.find(key, HERE)) !== undefined, isValid)
        }
      }
    }),
    { numRuns: 30 },
  )
  t.pass('30 sequences')
})

test('writes to other tables do not reload the keys', async (t) => {
  const control = await newControl(t)
  const other = await openControl(t)
  const { ring, state } = ringOf(control)
  const { id, key } = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  await listen(control)
  t.ok(await ring.find(key, HERE))
  t.equal(state.reads, 1)
  for (const writer of [control, other]) {
    await writer.atomically(() =>
      noteApiKeyUses([{ id, at: NOW_MS + 1, operation: 'getAccounts' }]),
    )
    await listen(control)
    t.ok(await ring.find(key, HERE))
  }
  t.equal(state.reads, 1)
  await revoke(other, id)
  await listen(control)
  t.equal(await ring.find(key, HERE), undefined)
  t.equal(state.reads, 2)
})
