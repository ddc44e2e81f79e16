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
import { execute } from '../fixtures/control-sql.js'

test('a code is valid for one attempt within its time', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, code } = await someGrant(control, client, 'accounts:read')
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
  t.strictSame(await control.look(() => findGrant(grantId)), grant)
  const hash = hashOfSecret(code)
  t.strictSame(await control.atomically(() => redeemCode(hash, NOW_MS + 59_999)), {
    outcome: 'redeemed',
    code: { grant, redirectUri: 'https://app.example.org/cb', challenge: 'c'.repeat(43) },
  })
  t.same(await control.atomically(() => redeemCode(hashOfSecret('ac-x'), NOW_MS)), {
    outcome: 'unknown',
  })
  const late = await someGrant(control, client)
  t.match(await control.atomically(() => redeemCode(hashOfSecret(late.code), NOW_MS + 60_000)), {
    outcome: 'expired',
  })
  const again = await control.atomically(() => redeemCode(hashOfSecret(late.code), NOW_MS))
  t.match(again, { outcome: 'reused' }, 'an expired attempt was one as well')
})

test('a second use of a code revokes the first result, even of a refused caller', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, code } = await someGrant(control, client)
  const hash = hashOfSecret(code)
  const pair = newPair()
  t.equal((await control.atomically(() => redeemCode(hash, NOW_MS))).outcome, 'redeemed')
  await control.atomically(() => issueTokenPair(grantId, pair.row))
  t.ok(await control.look(() => findRefreshToken(pair.row.refreshHash)))
  const refused = await control.atomically(() => redeemCode(hash, NOW_MS + 1))
  t.match(refused, { outcome: 'reused', grant: { id: grantId } })
  const seen = await openControl(t)
  t.equal((await seen.look(() => findGrant(grantId)))?.revokedAt, NOW_MS + 1)
  t.equal(await seen.look(() => findRefreshToken(pair.row.refreshHash)), undefined)
  t.same(
    await control.atomically(() => redeemCode(hash, NOW_MS + 2)),
    { outcome: 'unknown' },
    'it has ended',
  )
})

test('ending a family twice keeps the first time', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, code } = await someGrant(control, client)
  await control.atomically(() => endGrant(grantId, NOW_MS + 1))
  await control.atomically(() => endGrant(grantId, NOW_MS + 2))
  t.equal((await control.look(() => findGrant(grantId)))?.revokedAt, NOW_MS + 1)
  t.same(await control.atomically(() => redeemCode(hashOfSecret(code), NOW_MS)), {
    outcome: 'unknown',
  })
})

test('grants are listed newest first, with the names involved, all or filtered', async (t) => {
  const control = await newControl(t)
  const operatorId = await control.atomically(() =>
    insertOperator({ name: 'anna', password: '$scrypt$x', createdAt: 0 }),
  )
  const here = await someIntegration(control)
  const there = await someIntegration(control, { workspaceId: 'v' })
  const { client } = await someClient(control, here.id)
  const first = await someGrant(control, client, 'accounts:read')
  const pair = newPair()
  await control.atomically(() => issueTokenPair(first.grantId, pair.row))
  t.equal(
    (await control.look(() => listGrants({})))[0]?.refreshedAt,
    null,
    'an exchange is no refresh',
  )
  await control.atomically(() =>
    rotateRefresh(pair.row.refreshHash, newPair('', NOW_MS + 5).row, NOW_MS + 5),
  )
  await execute(control, 'UPDATE grants SET operator_id = @operatorId', { operatorId })
  const second = await someGrant(
    control,
    (await someClient(control, there.id, { name: 'other' })).client,
  )
  await control.atomically(() => endGrant(second.grantId, NOW_MS + 1))
  t.match(await control.look(() => listGrants({})), [
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
  const idsOf = async (filter: Parameters<typeof listGrants>[0]): Promise<number[]> =>
    (await control.look(() => listGrants(filter))).map(({ id }) => id)
  t.same(await idsOf({ workspaceId: 'w' }), [first.grantId])
  t.same(await idsOf({ integrationId: there.id }), [second.grantId])
  t.same(await idsOf({ workspaceId: 'w', integrationId: there.id }), [])
})
