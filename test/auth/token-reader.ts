import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { LOOK_UPS_WAITING_MAX, TokenReader } from '../../src/auth/token-reader.js'
import { StoreUnavailableError } from '../../src/store/store-error.js'
import { findAccessToken } from '../../src/store/token-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import { newControlFile, someClient, someIntegration, someTokens } from '../fixtures/control.js'

test('concurrent look-ups share few statements, and each gets its own token', async (t) => {
  const file = newControlFile(t)
  const { client } = await someClient(file, (await someIntegration(file)).id)
  const secrets: string[] = []
  for (let i = 0; i < 150; i += 1) secrets.push((await someTokens(file, client)).access)
  const control = new AwaitingControl(file)
  const reader = new TokenReader(control)
  await assertProperty(
    fc.asyncProperty(fc.array(fc.nat({ max: 299 }), { maxLength: 200 }), async (wanted) => {
      const before = control.lookCount
      const hashes = wanted.map((i) => hashOfSecret(secrets[i] ?? `at-unknown-${i}`))
      const found = await Promise.all(hashes.map((hash) => reader.find(hash)))
      const expected = hashes.map((hash) => file.look(() => findAccessToken(hash)))
      assert.deepEqual(found, expected)
      assert.equal(control.lookCount - before, Math.ceil(wanted.length / 64))
    }),
    { numRuns: 30 },
  )
  t.pass('equal')
})

test('look-ups fail while the store is unreachable, and succeed later', async (t) => {
  const control = new AwaitingControl(newControlFile(t))
  const reader = new TokenReader(control)
  control.isUnavailable = true
  const failed = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => reader.find(hashOfSecret(`at-${i}`))),
  )
  t.ok(
    failed.every((one) => one.status === 'rejected' && one.reason instanceof StoreUnavailableError),
  )
  control.isUnavailable = false
  t.equal(await reader.find(hashOfSecret('at-1')), undefined)
})

test('a flood of look-ups is refused', async (t) => {
  const reader = new TokenReader(new AwaitingControl(newControlFile(t)))
  const asked = Array.from({ length: LOOK_UPS_WAITING_MAX }, (_, i) =>
    reader.find(hashOfSecret(`at-${i}`)),
  )
  await t.rejects(reader.find(hashOfSecret('at-more')), { message: /too many/ })
  t.same(new Set(await Promise.all(asked)), new Set([undefined]))
})
