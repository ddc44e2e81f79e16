import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { updateClientActive } from '../../src/store/client-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { findGrant } from '../../src/store/grant-rows.js'
import { updateIntegrationActive } from '../../src/store/integration-rows.js'
import {
  findAccessToken,
  findRefreshToken,
  revokeByTokenHash,
  rotateRefresh,
} from '../../src/store/token-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  NOW_MS,
  newControl,
  newPair,
  someClient,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

async function isFound(control: ControlStore, access: string): Promise<boolean> {
  return (await control.look(() => findAccessToken(hashOfSecret(access)))) !== undefined
}

test('an access token is found with all its limits', async (t) => {
  const control = await newControl(t)
  const accountIds = [1, 2]
  const integration = await someIntegration(control, { accountIds, tools: ['get_accounts'] })
  const { client } = await someClient(control, integration.id, { scopes: ['accounts:read'] })
  const { grantId, access, refresh } = await someTokens(control, client)
  t.strictSame(await control.look(() => findAccessToken(hashOfSecret(access))), {
    grantId,
    clientId: client.id,
    clientName: 'app',
    integrationId: integration.id,
    integrationName: 'books',
    kind: 'oauth2',
    workspaceId: 'w',
    workspaceUid: null,
    scope: 'transactions:read accounts:read',
    clientScopes: 'accounts:read',
    integrationScopes: 'transactions:read accounts:read',
    accounts: '1,2',
    tools: 'get_accounts',
    masksIbans: 0,
    masksNames: 0,
    createdAt: NOW_MS,
    expiresAt: NOW_MS + 60_000,
  })
  t.notOk(await isFound(control, refresh), 'a refresh token is no access token')
  t.equal(
    await control.look(() => findRefreshToken(hashOfSecret(access))),
    undefined,
    'nor the reverse',
  )
})

test('an access token needs its client and its integration active', async (t) => {
  const control = await newControl(t)
  const { id } = await someIntegration(control)
  const { client } = await someClient(control, id)
  const { access } = await someTokens(control, client)
  for (const isActive of [false, true]) {
    await control.atomically(() => updateIntegrationActive({ id, isActive, at: NOW_MS }))
    t.equal(await isFound(control, access), isActive)
  }
  for (const isActive of [false, true]) {
    await control.atomically(() => updateClientActive({ id: client.id, isActive }))
    t.equal(await isFound(control, access), isActive)
  }
})

test('a refresh replaces the old pair by the new one', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const first = await someTokens(control, client)
  const other = await someTokens(control, client)
  const hash = hashOfSecret(first.refresh)
  t.match(await control.look(() => findRefreshToken(hash)), {
    grant: { id: first.grantId, clientId: client.id },
    tokenScope: 'transactions:read accounts:read',
    expiresAt: NOW_MS + 3_600_000,
    usedAt: null,
  })
  const second = newPair('accounts:read', NOW_MS + 9)
  t.equal(await control.atomically(() => rotateRefresh(hash, second.row, NOW_MS + 9)), 'rotated')
  t.notOk(await isFound(control, first.access), 'the old access token is deleted')
  t.ok(await isFound(control, second.access))
  t.ok(await isFound(control, other.access), 'of this family only')
  t.equal((await control.look(() => findRefreshToken(hash)))?.usedAt, NOW_MS + 9)
  t.equal((await control.look(() => findRefreshToken(second.row.refreshHash)))?.usedAt, null)
})

test('a refresh token used twice ends its family', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const first = await someTokens(control, client)
  const other = await someTokens(control, client)
  const second = newPair()
  const rotate = (refresh: string) =>
    control.atomically(() => rotateRefresh(hashOfSecret(refresh), newPair().row, NOW_MS + 2))
  await control.atomically(() => rotateRefresh(hashOfSecret(first.refresh), second.row, NOW_MS + 1))
  t.equal(await rotate(first.refresh), 'reused')
  t.notOk(await isFound(control, second.access))
  t.equal(await rotate(second.refresh), 'unknown')
  t.equal((await control.look(() => findGrant(first.grantId)))?.revokedAt, NOW_MS + 2)
  t.ok(await isFound(control, other.access), 'another family stays valid')
  t.equal(await rotate('rt-x'), 'unknown')
})

test('an expired refresh token ends nothing', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, refresh } = await someTokens(control, client)
  const hash = hashOfSecret(refresh)
  t.equal(
    await control.atomically(() => rotateRefresh(hash, newPair().row, NOW_MS + 3_600_000)),
    'expired',
  )
  t.equal((await control.look(() => findGrant(grantId)))?.revokedAt, null)
  t.equal(
    await control.atomically(() => rotateRefresh(hash, newPair().row, NOW_MS + 3_599_999)),
    'rotated',
  )
})

test('either token ends the family, for its own client', async (t) => {
  const control = await newControl(t)
  const { id } = await someIntegration(control)
  const { client } = await someClient(control, id)
  const stranger = (await someClient(control, id)).client
  for (const which of ['access', 'refresh'] as const) {
    const tokens = await someTokens(control, client)
    const hash = hashOfSecret(tokens[which])
    const revoke = (clientId: string) =>
      control.atomically(() => revokeByTokenHash(hash, { clientId, nowMs: NOW_MS + 1 }))
    t.equal(await revoke(stranger.id), undefined, 'not for another client')
    t.ok(await isFound(control, tokens.access))
    t.equal((await revoke(client.id))?.id, tokens.grantId)
    t.notOk(await isFound(control, tokens.access))
    t.equal(await control.look(() => findRefreshToken(hashOfSecret(tokens.refresh))), undefined)
    t.equal(await revoke(client.id), undefined, 'it has ended')
  }
})

test('an access token identifies its family until it would have expired', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, access, refresh } = await someTokens(control, client)
  const next = newPair('accounts:read', NOW_MS + 9)
  await control.atomically(() => rotateRefresh(hashOfSecret(refresh), next.row, NOW_MS + 9))
  const revoke = (secret: string, nowMs: number) =>
    control.atomically(() =>
      revokeByTokenHash(hashOfSecret(secret), { clientId: client.id, nowMs }),
    )
  t.equal(await revoke(access, NOW_MS + 60_000), undefined)
  t.ok(await isFound(control, next.access), 'an expired one does not')
  t.equal((await revoke(access, NOW_MS + 59_999))?.id, grantId, 'though it was replaced')
  t.notOk(await isFound(control, next.access))
})

/** The states of a family in plain code. */
class NaiveFamily {
  private readonly refreshTokens: { isUsed: boolean }[] = [{ isUsed: false }]
  private isEnded = false

  rotate(index: number): string {
    const token = this.refreshTokens[index]
    if (token === undefined || this.isEnded) return 'unknown'
    if (token.isUsed) {
      this.isEnded = true
      return 'reused'
    }
    token.isUsed = true
    this.refreshTokens.push({ isUsed: false })
    return 'rotated'
  }

  /** Whether an access token is valid: the newest one, while the family is. */
  works(index: number): boolean {
    return !this.isEnded && index === this.refreshTokens.length - 1
  }
}

test('families equal plain ones, in any order of uses', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const uses = fc.array(fc.record({ family: fc.nat({ max: 1 }), age: fc.nat({ max: 2 }) }), {
    maxLength: 12,
  })
  await assertProperty(
    fc.asyncProperty(uses, async (sequence) => {
      const opened = async () => {
        const pairs: { access: string; refresh: string }[] = [await someTokens(control, client)]
        return { pairs, naive: new NaiveFamily() }
      }
      const families = [await opened(), await opened()]
      for (const { family, age } of sequence) {
        const { pairs, naive } = families[family] ?? assert.fail()
        // Mostly the newest token, sometimes a used one.
        const index = Math.max(0, pairs.length - 1 - Math.max(0, age - 1))
        const next = newPair()
        const { refresh } = pairs[index] ?? assert.fail()
        const outcome = await control.atomically(() =>
          rotateRefresh(hashOfSecret(refresh), next.row, NOW_MS),
        )
        assert.equal(outcome, naive.rotate(index))
        if (outcome === 'rotated') pairs.push(next)
        for (const checked of families) {
          for (const [i, { access }] of checked.pairs.entries()) {
            assert.equal(await isFound(control, access), checked.naive.works(i))
          }
        }
      }
    }),
    { numRuns: 40 },
  )
  t.pass('40 sequences')
})
