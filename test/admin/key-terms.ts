import { test } from 'tap'
import { keyStateOf } from '../../src/admin/key-terms.js'

test('a key is active until it expires or is revoked, and revocation is final', async (t) => {
  const state = (expiresAt: number | null, revokedAt: number | null): string =>
    keyStateOf({ expiresAt, revokedAt }, 100)
  t.equal(state(null, null), 'active')
  t.equal(state(101, null), 'active')
  t.equal(state(100, null), 'expired')
  t.equal(state(null, 100), 'revoked')
  t.equal(state(50, 40), 'revoked')
})
