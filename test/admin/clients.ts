import { test } from 'tap'
import { activateClient, deactivateClient, deleteClient } from '../../src/admin/clients.js'
import { isSecretOf } from '../../src/auth/secret.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { findClient } from '../../src/store/client-rows.js'
import { ACTOR, NOW_MS, newControl, someClient, someIntegration } from '../fixtures/control.js'

test('a confidential client has a secret, a public one none', async (t) => {
  const control = await newControl(t)
  const { id } = await someIntegration(control)
  const { client, secret } = await someClient(control, id, { type: 'confidential' })
  t.match(secret, /^cs-[-\w]{43}$/)
  t.match(client.id, /^[0-9a-f]{20}$/)
  t.strictSame(await control.look(() => findClient(client.id)), client)
  const { secretHash } = client
  if (secretHash === null) throw new Error('a confidential client has a secret')
  t.equal(isSecretOf(secret ?? '', secretHash), true)
  for (const wrong of ['', `${secret}x`, (secret ?? '').slice(3), client.id]) {
    t.equal(isSecretOf(wrong, secretHash), false)
  }
  const open = await someClient(control, id)
  t.equal(open.secret, undefined)
  t.equal(open.client.secretHash, null)
  await t.rejects(someClient(control, 'none'), { name: 'StoreError' })
})

test('creating, switching and deleting is audited once', async (t) => {
  const control = await newControl(t)
  const integration = await someIntegration(control, { kind: 'mcp' })
  const { id } = (await someClient(control, integration.id, { registered: 'dynamic' })).client
  t.equal(await deactivateClient({ control, nowMs: NOW_MS, actor: ACTOR }, id), true)
  t.equal(await deactivateClient({ control, nowMs: NOW_MS, actor: ACTOR }, id), true)
  t.equal((await control.look(() => findClient(id)))?.isActive, false)
  t.equal(await activateClient({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id), true)
  t.equal((await control.look(() => findClient(id)))?.isActive, true)
  t.equal(await deleteClient({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id), true)
  for (const change of [activateClient, deactivateClient, deleteClient]) {
    t.equal(await change({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id), false)
  }
  await someClient(control, integration.id)
  const logged = await control.look(() => listAuditRows({ limit: 9 }))
  t.same(
    logged.map(({ action }) => action),
    [
      'client.create',
      'client.delete',
      'client.activate',
      'client.deactivate',
      'client.register',
      'integration.create',
    ],
  )
  for (const row of logged.slice(0, 5)) {
    t.match(row, { workspaceId: 'w', integrationId: integration.id })
  }
})
