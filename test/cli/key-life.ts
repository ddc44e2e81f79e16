import { test } from 'tap'
import { keyLifeOf, lastUseText, networksText } from '../../src/cli/key-life.js'

const NOW_MS = 1_782_864_000_000

const NEW = {
  state: 'active' as const,
  createdAt: NOW_MS,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  lastUsedOperation: null,
  ipAllow: null,
}

test('a key is listed with its state, end, last use and addresses', async (t) => {
  const createdAt = '2026-07-01T00:00:00.000Z'
  t.strictSame(keyLifeOf(NEW), { state: 'active', createdAt })
  t.equal(lastUseText(keyLifeOf(NEW)), 'never')
  t.equal(networksText(keyLifeOf(NEW)), 'any')
  const used = { ...NEW, lastUsedAt: NOW_MS + 1, lastUsedOperation: 'getAccounts' }
  t.equal(lastUseText(keyLifeOf(used)), '2026-07-01T00:00:00.001Z getAccounts')
  const ending = { ...used, expiresAt: NOW_MS + 2, ipAllow: ['::1', '10.0.0.0/8'] }
  t.strictSame(keyLifeOf(ending), {
    state: 'active',
    createdAt,
    expiresAt: '2026-07-01T00:00:00.002Z',
    lastUsedAt: '2026-07-01T00:00:00.001Z',
    lastUsedOperation: 'getAccounts',
    ipAllow: ['::1', '10.0.0.0/8'],
  })
  t.equal(networksText(keyLifeOf(ending)), '::1,10.0.0.0/8')
  t.equal(keyLifeOf({ ...ending, state: 'expired' }).state, 'expired')
  t.match(keyLifeOf({ ...ending, revokedAt: NOW_MS, state: 'revoked' }), {
    state: 'revoked',
    revokedAt: createdAt,
  })
})
