import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { endGrant, findGrant, listGrants, redeemCode } from '../../src/store/grant-rows.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { findRefreshToken, issueTokenPair, rotateRefresh } from '../../src/store/token-rows.js'
import {
  NOW_MS,
  newControl,
  newPair,
  openControl,
  someClient,
  someGrant,
  someIntegration,
} from '../fixtures/control.js'

test('a code is valid for one attempt within its time', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const { grantId, code } = someGrant(control, client, 'accounts:read')
  const grant = {
    id: grantId,
    clientId: client.id,
    integrationId: client.integrationId,
    operatorId: null,
    scope: 'accounts:read',
    resource: null,
    createdAt: NOW_MS,
    revokedAt: null,
  }
  t.strictSame(findGrant(control, grantId), grant)
  const hash = hashOfSecret(code)
  t.strictSame(redeemCode(control, hash, NOW_MS + 59_999), {
    outcome: 'redeemed',
    code: { grant, redirectUri: 'https://app.example.org/cb', challenge: 'c'.repeat(43) },
  })
  t.same(redeemCode(control, hashOfSecret('ac-x'), NOW_MS), { outcome: 'unknown' })
  const late = someGrant(control, client)
  t.match(redeemCode(control, hashOfSecret(late.code), NOW_MS + 60_000), { outcome: 'expired' })
  const again = redeemCode(control, hashOfSecret(late.code), NOW_MS)
  t.match(again, { outcome: 'reused' }, 'an expired attempt was one as well')
})

test('a second use of a code revokes the first result, even of a refused caller', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const { grantId, code } = someGrant(control, client)
  const hash = hashOfSecret(code)
  const pair = newPair()
  t.equal(redeemCode(control, hash, NOW_MS).outcome, 'redeemed')
  issueTokenPair(control, grantId, pair.row)
  t.ok(findRefreshToken(control, pair.row.refreshHash))
  const refused = control.atomically(() => redeemCode(control, hash, NOW_MS + 1))
  t.match(refused, { outcome: 'reused', grant: { id: grantId } })
  const seen = openControl(t)
  t.equal(findGrant(seen, grantId)?.revokedAt, NOW_MS + 1)
  t.equal(findRefreshToken(seen, pair.row.refreshHash), undefined)
  t.same(redeemCode(control, hash, NOW_MS + 2), { outcome: 'unknown' }, 'it has ended')
})

test('ending a family twice keeps the first time', async (t) => {
  const control = newControl(t)
  const { client } = someClient(control, someIntegration(control).id)
  const { grantId, code } = someGrant(control, client)
  endGrant(control, grantId, NOW_MS + 1)
  endGrant(control, grantId, NOW_MS + 2)
  t.equal(findGrant(control, grantId)?.revokedAt, NOW_MS + 1)
  t.same(redeemCode(control, hashOfSecret(code), NOW_MS), { outcome: 'unknown' })
})

test('grants are listed newest first, with the names involved, all or filtered', async (t) => {
  const control = newControl(t)
  const operatorId = insertOperator(control, { name: 'anna', password: '$scrypt$x', createdAt: 0 })
  const here = someIntegration(control)
  const there = someIntegration(control, { workspaceId: 'v' })
  const { client } = someClient(control, here.id)
  const first = someGrant(control, client, 'accounts:read')
  const pair = newPair()
  issueTokenPair(control, first.grantId, pair.row)
  t.equal(listGrants(control, {})[0]?.refreshedAt, null, 'an exchange is no refresh')
  rotateRefresh(control, pair.row.refreshHash, newPair('', NOW_MS + 5).row, NOW_MS + 5)
  control.run('UPDATE grants SET operator_id = ?', operatorId)
  const second = someGrant(control, someClient(control, there.id, { name: 'other' }).client)
  endGrant(control, second.grantId, NOW_MS + 1)
  t.match(listGrants(control, {}), [
    {
      ...{ id: second.grantId, workspaceId: 'v', clientName: 'other', operatorName: null },
      ...{ revokedAt: NOW_MS + 1, refreshedAt: null, expiresAt: NOW_MS + 60_000 },
    },
    {
      ...{ id: first.grantId, workspaceId: 'w', clientName: 'app', operatorName: 'anna' },
      ...{ clientId: client.id, integrationId: here.id, scope: 'accounts:read' },
      ...{ revokedAt: null, refreshedAt: NOW_MS + 5, expiresAt: NOW_MS + 3_600_005 },
    },
  ])
  const idsOf = (filter: Parameters<typeof listGrants>[1]): number[] =>
    listGrants(control, filter).map(({ id }) => id)
  t.same(idsOf({ workspaceId: 'w' }), [first.grantId])
  t.same(idsOf({ integrationId: there.id }), [second.grantId])
  t.same(idsOf({ workspaceId: 'w', integrationId: there.id }), [])
})
