import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { beginSession, findSession } from '../../src/auth/sessions.js'
import { SESSION_MS } from '../../src/credential-limits.js'
import { endGrant, findGrant, redeemCode } from '../../src/store/grant-rows.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { sweepExpired } from '../../src/store/sweep.js'
import { findRefreshToken, issueTokenPair, rotateRefresh } from '../../src/store/token-rows.js'
import {
  NOW_MS,
  newControl,
  newPair,
  someClient,
  someGrant,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

test('what has expired goes, what may still matter stays', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const unused = someGrant(control, client)
  const used = someGrant(control, client)
  redeemCode(control, hashOfSecret(used.code), NOW_MS)
  const pair = newPair()
  issueTokenPair(control, used.grantId, pair.row)
  t.equal(sweepExpired(control, NOW_MS + 59_999, 99), 0)
  t.equal(sweepExpired(control, NOW_MS + 60_000, 99), 2, 'an access token, an unused family')
  t.equal(findGrant(control, unused.grantId), undefined)
  const next = newPair('accounts:read', NOW_MS + 60_000)
  rotateRefresh(control, pair.row.refreshHash, next.row, NOW_MS + 60_000)
  sweepExpired(control, NOW_MS + 3_599_999, 99)
  t.ok(findRefreshToken(control, pair.row.refreshHash), 'used, and to be known again')
  sweepExpired(control, NOW_MS + 3_600_000, 99)
  t.equal(findRefreshToken(control, pair.row.refreshHash), undefined)
  t.ok(findGrant(control, used.grantId), 'its newest token is valid')
  t.match(redeemCode(control, hashOfSecret(used.code), NOW_MS), { outcome: 'reused' })
  sweepExpired(control, NOW_MS + 3_659_999, 99)
  t.ok(findGrant(control, used.grantId), 'a family that was ended is listed for as long')
  sweepExpired(control, NOW_MS + 3_660_000, 99)
  t.equal(findGrant(control, used.grantId), undefined)
})

test('sessions go too, and no sweep takes more than it may', async (t) => {
  const control = newControl(t)
  const operatorId = insertOperator(control, { name: 'a', password: '$scrypt$x', createdAt: 0 })
  const { token } = beginSession(control, operatorId, NOW_MS)
  t.equal(sweepExpired(control, NOW_MS + SESSION_MS, 99), 1)
  t.equal(findSession(control, token, NOW_MS), undefined)
  const { client } = someClient(control, someIntegration(control).id)
  for (let i = 0; i < 5; i++) endGrant(control, someTokens(control, client).grantId, NOW_MS)
  t.same(
    Array.from({ length: 4 }, () => sweepExpired(control, NOW_MS + 3_600_000, 2)),
    [2, 2, 1, 0],
  )
  const before = control.ownWriteCount
  sweepExpired(control, NOW_MS + 3_600_000, 2)
  t.equal(control.ownWriteCount, before, 'nothing to do is no write')
})
