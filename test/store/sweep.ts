import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { beginSession, findSession, SESSION_MS } from '../../src/auth/sessions.js'
import { endGrant, findGrant, listGrants, redeemCode } from '../../src/store/grant-rows.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { sweepExpired } from '../../src/store/sweep.js'
import {
  findAccessToken,
  findRefreshToken,
  issueTokenPair,
  rotateRefresh,
} from '../../src/store/token-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  NOW_MS,
  newControl,
  newPair,
  someClient,
  someGrant,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

test('expired rows are deleted, rows that still matter stay', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const unused = someGrant(control, client)
  const used = someGrant(control, client)
  redeemCode(control, hashOfSecret(used.code), NOW_MS)
  const pair = newPair()
  issueTokenPair(control, used.grantId, pair.row)
  t.equal(sweepExpired(control, NOW_MS + 59_999, 99), 0)
  t.equal(sweepExpired(control, NOW_MS + 60_000, 99), 1, 'an unused family')
  t.equal(findGrant(control, unused.grantId), undefined)
  const next = newPair('accounts:read', NOW_MS + 60_000)
  rotateRefresh(control, pair.row.refreshHash, next.row, NOW_MS + 60_000)
  sweepExpired(control, NOW_MS + 3_599_999, 99)
  t.ok(findRefreshToken(control, pair.row.refreshHash), 'used, and kept to detect a second use')
  sweepExpired(control, NOW_MS + 3_600_000, 99)
  t.equal(findRefreshToken(control, pair.row.refreshHash), undefined)
  t.ok(findGrant(control, used.grantId), 'its newest token is valid')
  t.match(redeemCode(control, hashOfSecret(used.code), NOW_MS), { outcome: 'reused' })
  sweepExpired(control, NOW_MS + 3_659_999, 99)
  t.ok(findGrant(control, used.grantId), 'an ended family is listed for as long')
  sweepExpired(control, NOW_MS + 3_660_000, 99)
  t.equal(findGrant(control, used.grantId), undefined)
})

test('a refresh does not write the row of its family, which lives on', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const tokens = someTokens(control, client)
  const { grantId } = tokens
  const grants = () => control.all('SELECT * FROM grants')
  const before = grants()
  const next = newPair('accounts:read', NOW_MS + 9)
  rotateRefresh(control, hashOfSecret(tokens.refresh), next.row, NOW_MS + 9)
  t.same(grants(), before)
  const expiresAt = NOW_MS + 3_600_009
  t.match(listGrants(control, {}), [{ id: grantId, expiresAt }], 'the newest pair determines it')
  t.equal(sweepExpired(control, NOW_MS + 3_600_000, 99), 2, 'the first pair, and a read of it')
  t.match(grants(), [{ id: grantId, expires_at: expiresAt }])
  t.ok(findAccessToken(control, next.row.accessHash))
  t.equal(sweepExpired(control, expiresAt - 1, 99), 0)
  t.equal(sweepExpired(control, expiresAt, 99), 2, 'the second, and the family')
  t.same(grants(), [])
})

test('after any refreshes, a family stays as long as its newest pair', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const pauses = fc.array(fc.nat({ max: 59 }), { maxLength: 5 })
  assertProperty(
    fc.property(fc.array(pauses, { maxLength: 4 }), fc.nat({ max: 5 }), (families, rowsMax) => {
      const naive = families.map((minutes) => {
        let { refresh, grantId } = someTokens(control, client)
        let at = NOW_MS
        for (const after of minutes) {
          at += after * 60_000
          const next = newPair('accounts:read', at)
          assert.equal(rotateRefresh(control, hashOfSecret(refresh), next.row, at), 'rotated')
          refresh = next.refresh
        }
        return { grantId, refresh, endsAt: at + 3_600_000 }
      })
      for (let at = NOW_MS; at <= NOW_MS + 6 * 3_600_000; at += 1_800_000) {
        while (sweepExpired(control, at, rowsMax + 1) > 0);
        for (const { grantId, refresh, endsAt } of naive) {
          assert.equal(findGrant(control, grantId) !== undefined, at < endsAt)
          const found = findRefreshToken(control, hashOfSecret(refresh))
          assert.equal(found !== undefined, at < endsAt)
        }
      }
    }),
    { numRuns: 30 },
  )
  t.same(control.all('SELECT * FROM grants'), [])
  t.same(control.all('SELECT * FROM tokens'), [], 'nothing of any remains')
})

test('sessions are deleted too, and each sweep is bounded', async (t) => {
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
  t.equal(control.ownWriteCount, before, 'without rows to delete nothing is written')
})
