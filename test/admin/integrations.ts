import { test } from 'tap'
import {
  activateIntegration,
  changeIntegration,
  deactivateIntegration,
  deleteIntegration,
  type IntegrationChange,
} from '../../src/admin/integrations.js'
import { integrationPart } from '../../src/auth/access.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { findIntegration } from '../../src/store/integration-rows.js'
import { ACTOR, NOW_MS, newControl, someIntegration } from '../fixtures/control.js'

test('a new integration has the given settings and the default lifetimes', async (t) => {
  const control = await newControl(t)
  const row = await someIntegration(control, { kind: 'mcp', letsRegister: true, accountIds: [] })
  t.match(row.id, /^[0-9a-f]{20}$/)
  t.strictSame(await control.look(() => findIntegration(row.id)), row)
  t.match(row, {
    isActive: true,
    accounts: '',
    tools: 'all',
    letsRegister: true,
    codeMs: 60_000,
    accessMs: 900_000,
    refreshMs: 2_592_000_000,
    masksIbans: false,
    masksNames: false,
  })
  const other = await someIntegration(control, { codeMs: 1_000, accessMs: 2_000, refreshMs: 3_000 })
  t.match(other, { codeMs: 1_000, accessMs: 2_000, refreshMs: 3_000, accounts: 'all' })
  await t.rejects(someIntegration(control, { letsRegister: true }), { name: 'StoreError' })
  t.equal(
    (await control.look(() => listAuditRows({ limit: 9 }))).length,
    2,
    'a failed creation is not audited',
  )
})

test('switching and deleting is audited once', async (t) => {
  const control = await newControl(t)
  const { id } = await someIntegration(control)
  t.equal(
    await activateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id),
    true,
    'it is active already',
  )
  t.equal(await deactivateIntegration({ control, nowMs: NOW_MS + 1, actor: ACTOR }, id), true)
  t.match(await control.look(() => findIntegration(id)), { isActive: false, updatedAt: NOW_MS + 1 })
  t.equal(await activateIntegration({ control, nowMs: NOW_MS + 2, actor: CLI_ACTOR }, id), true)
  t.equal((await control.look(() => findIntegration(id)))?.isActive, true)
  t.equal(await deleteIntegration({ control, nowMs: NOW_MS + 3, actor: CLI_ACTOR }, id), true)
  for (const change of [activateIntegration, deactivateIntegration, deleteIntegration]) {
    t.equal(await change({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id), false)
  }
  const logged = await control.look(() => listAuditRows({ workspaceId: 'w', limit: 9 }))
  t.match(
    logged.map(({ action, actor }) => `${actor} ${action}`),
    [
      'cli integration.delete',
      'cli integration.activate',
      'operator:anna integration.deactivate',
      'cli integration.create',
    ],
  )
  for (const row of logged) t.match(row, { subject: id, integrationId: id })
})

test('a change of settings applies to existing credentials and is audited', async (t) => {
  const control = await newControl(t)
  const row = await someIntegration(control, { kind: 'mcp' })
  const other = await someIntegration(control)
  const change: IntegrationChange = {
    id: row.id,
    name: 'new',
    scopes: ['accounts:read'],
    accountIds: [2],
    tools: ['get_accounts'],
    letsRegister: true,
    masksNames: true,
    accessMs: 5_000,
  }
  const before = control.keyVersion()
  t.equal(await changeIntegration({ control, nowMs: NOW_MS + 1, actor: ACTOR }, change), true)
  t.ok(control.keyVersion() > before, 'caches of keys are invalidated')
  t.strictSame(await control.look(() => findIntegration(row.id)), {
    ...row,
    ...{ name: 'new', scopes: 'accounts:read', accounts: '2', tools: 'get_accounts' },
    ...{ letsRegister: true, masksNames: true, accessMs: 5_000, updatedAt: NOW_MS + 1 },
  })
  t.strictSame(await control.look(() => findIntegration(other.id)), other)
  t.match(await control.look(() => listAuditRows({ limit: 1 })), [
    { actor: 'operator:anna', action: 'integration.change', subject: row.id, detail: /"new"/ },
  ])
  t.equal(
    await changeIntegration(
      { control, nowMs: NOW_MS, actor: CLI_ACTOR },
      { ...change, id: 'none' },
    ),
    false,
  )
  const forbidden = { ...change, id: other.id }
  await t.rejects(changeIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, forbidden), {
    name: 'StoreError',
  })
})

test('an access carries the settings of its integration', async (t) => {
  const control = await newControl(t)
  const all = await someIntegration(control, { kind: 'mcp', masksIbans: true })
  t.strictSame(integrationPart(all), {
    id: all.id,
    kind: 'mcp',
    name: 'books',
    tools: null,
    masksIbans: true,
    masksNames: false,
  })
  const tools = new Set(['get_accounts'])
  t.same(integrationPart({ ...all, tools: 'get_accounts' }).tools, tools)
  t.same(integrationPart({ ...all, tools: '' }).tools, new Set(), 'none is not all')
})
