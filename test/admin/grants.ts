import { test } from 'tap'
import { revokeGrant } from '../../src/admin/grants.js'
import { hashOfSecret } from '../../src/auth/secret.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { findGrant } from '../../src/store/grant-rows.js'
import { findAccessToken, findRefreshToken } from '../../src/store/token-rows.js'
import {
  ACTOR,
  NOW_MS,
  newControl,
  someClient,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

test('a revoked grant has no tokens, and is audited once', async (t) => {
  const control = await newControl(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const taken = await someTokens(control, client)
  const kept = await someTokens(control, client)
  t.equal(await revokeGrant({ control, nowMs: NOW_MS + 1, actor: ACTOR }, taken.grantId), true)
  t.equal(await revokeGrant({ control, nowMs: NOW_MS + 2, actor: ACTOR }, taken.grantId), true)
  t.equal((await control.look(() => findGrant(taken.grantId)))?.revokedAt, NOW_MS + 1)
  t.equal(await control.look(() => findAccessToken(hashOfSecret(taken.access))), undefined)
  t.equal(await control.look(() => findRefreshToken(hashOfSecret(taken.refresh))), undefined)
  t.ok(
    await control.look(() => findAccessToken(hashOfSecret(kept.access))),
    'another grant is unaffected',
  )
  t.equal(await revokeGrant({ control, nowMs: NOW_MS, actor: ACTOR }, 99), false)
  const logged = await control.look(() => listAuditRows({ action: 'grant.revoke', limit: 9 }))
  t.match(logged, [
    {
      ...{ actor: 'operator:anna', subject: `${taken.grantId}`, workspaceId: 'w', outcome: 'ok' },
      detail: `{"client":"${client.id}","scope":"transactions:read accounts:read"}`,
    },
  ])
  t.equal(logged.length, 1)
})
