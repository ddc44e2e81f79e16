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
import { rowsOf } from '../fixtures/control-sql.js'

test('expired rows are deleted, rows that still matter stay', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const unused = await someGrant(control, client)
  const used = await someGrant(control, client)
  await control.atomically(() => redeemCode(hashOfSecret(used.code), NOW_MS))
  const pair = newPair()
  await control.atomically(() => issueTokenPair(used.grantId, pair.row))
  t.equal(await control.atomically(() => sweepExpired(NOW_MS + 59_999, 99)), 0)
  t.equal(await control.atomically(() => sweepExpired(NOW_MS + 60_000, 99)), 1, 'an unused family')
  t.equal(await control.look(() => findGrant(unused.grantId)), undefined)
  const next = newPair('accounts:read', NOW_MS + 60_000)
  await control.atomically(() => rotateRefresh(pair.row.refreshHash, next.row, NOW_MS + 60_000))
  await control.atomically(() => sweepExpired(NOW_MS + 3_599_999, 99))
  t.ok(
    await control.look(() => findRefreshToken(pair.row.refreshHash)),
    'used, and kept to detect a second use',
  )
  await control.atomically(() => sweepExpired(NOW_MS + 3_600_000, 99))
  t.equal(await control.look(() => findRefreshToken(pair.row.refreshHash)), undefined)
  t.ok(await control.look(() => findGrant(used.grantId)), 'its newest token is valid')
  t.match(await control.atomically(() => redeemCode(hashOfSecret(used.code), NOW_MS)), {
    outcome: 'reused',
  })
  await control.atomically(() => sweepExpired(NOW_MS + 3_659_999, 99))
  t.ok(await control.look(() => findGrant(used.grantId)), 'an ended family is listed for as long')
  await control.atomically(() => sweepExpired(NOW_MS + 3_660_000, 99))
  t.equal(await control.look(() => findGrant(used.grantId)), undefined)
})

test('a refresh does not write the row of its family, which lives on', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const tokens = await someTokens(control, client)
  const { grantId } = tokens
  const grants = () => rowsOf(control, 'SELECT * FROM grants')
  const before = await grants()
  const next = newPair('accounts:read', NOW_MS + 9)
  await control.atomically(() => rotateRefresh(hashOfSecret(tokens.refresh), next.row, NOW_MS + 9))
  t.same(await grants(), before)
  const expiresAt = NOW_MS + 3_600_009
  t.match(
    await control.look(() => listGrants({})),
    [{ id: grantId, expiresAt }],
    'the newest pair determines it',
  )
  t.equal(
    await control.atomically(() => sweepExpired(NOW_MS + 3_600_000, 99)),
    2,
    'the first pair, and a read of it',
  )
  t.match(await grants(), [{ id: grantId, expires_at: expiresAt }])
  t.ok(await control.look(() => findAccessToken(next.row.accessHash)))
  t.equal(await control.atomically(() => sweepExpired(expiresAt - 1, 99)), 0)
  t.equal(
    await control.atomically(() => sweepExpired(expiresAt, 99)),
    2,
    'the second, and the family',
  )
  t.same(await grants(), [])
})

test('after any refreshes, a family stays as long as its newest pair', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const pauses = fc.array(fc.nat({ max: 59 }), { maxLength: 5 })
  await assertProperty(
    fc.asyncProperty(
      fc.array(pauses, { maxLength: 4 }),
      fc.nat({ max: 5 }),
      async (families, rowsMax) => {
        const naive: { grantId: number; refresh: string; endsAt: number }[] = []
        for (const minutes of families) {
          let { refresh, grantId } = await someTokens(control, client)
          let at = NOW_MS
          for (const after of minutes) {
            at += after * 60_000
            const next = newPair('accounts:read', at)
            assert.equal(
              await control.atomically(() => rotateRefresh(hashOfSecret(refresh), next.row, at)),
              'rotated',
            )
            refresh = next.refresh
          }
          naive.push({ grantId, refresh, endsAt: at + 3_600_000 })
        }
        for (let at = NOW_MS; at <= NOW_MS + 6 * 3_600_000; at += 1_800_000) {
          while ((await control.atomically(() => sweepExpired(at, rowsMax + 1))) > 0);
          for (const { grantId, refresh, endsAt } of naive) {
            assert.equal((await control.look(() => findGrant(grantId))) !== undefined, at < endsAt)
            const found = await control.look(() => findRefreshToken(hashOfSecret(refresh)))
            assert.equal(found !== undefined, at < endsAt)
          }
        }
      },
    ),
    { numRuns: 30 },
  )
  t.same(await rowsOf(control, 'SELECT * FROM grants'), [])
  t.same(await rowsOf(control, 'SELECT * FROM tokens'), [], 'nothing of any remains')
})

test('sessions are deleted too, and each sweep is bounded', async (t) => {
  const control = await newControl(t)
  const operatorId = await control.atomically(() =>
    insertOperator({ name: 'a', password: '$scrypt$x', createdAt: 0 }),
  )
  const { token } = await control.atomically(() => beginSession(operatorId, NOW_MS))
  t.equal(await control.atomically(() => sweepExpired(NOW_MS + SESSION_MS, 99)), 1)
  t.equal(await control.look(() => findSession(token, NOW_MS)), undefined)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  for (let i = 0; i < 5; i++) {
    const { grantId } = await someTokens(control, client)
    await control.atomically(() => endGrant(grantId, NOW_MS))
  }
  for (const count of [2, 2, 1, 0]) {
    t.equal(await control.atomically(() => sweepExpired(NOW_MS + 3_600_000, 2)), count)
  }
  const before = control.ownWriteCount
  await control.atomically(() => sweepExpired(NOW_MS + 3_600_000, 2))
  t.equal(control.ownWriteCount, before, 'without rows to delete nothing is written')
})
