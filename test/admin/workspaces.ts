import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { deleteWorkspaceCredentials } from '../../src/admin/workspaces.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listApiKeys } from '../../src/store/api-key-rows.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { listClients } from '../../src/store/client-rows.js'
import { listIntegrations } from '../../src/store/integration-rows.js'
import {
  ACTOR,
  NOW_MS,
  newControl,
  someClient,
  someIntegration,
  WIDE_KEY,
} from '../fixtures/control.js'

test('the credentials of a workspace are deleted and audited, others stay', async (t) => {
  const control = await newControl(t)
  for (const workspaceId of ['w', 'v', 'w']) {
    await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...WIDE_KEY, workspaceId })
    await someClient(control, (await someIntegration(control, { workspaceId })).id)
  }
  const remove = () => deleteWorkspaceCredentials({ nowMs: NOW_MS, actor: ACTOR }, 'w')
  const gone = await control.alone(remove)
  t.same(gone, { keys: 2, integrations: 2 })
  const left = [
    await control.look(listApiKeys),
    await control.look(listIntegrations),
    await control.look(listClients),
  ]
  t.same(
    left.map((rows) => rows.length),
    [1, 1, 1],
  )
  t.match(await control.look(() => listAuditRows({ limit: 1 })), [
    {
      action: 'workspace.delete',
      actor: 'operator:anna',
      subject: 'w',
      workspaceId: 'w',
      detail: '{"keys":2,"integrations":2}',
    },
  ])
  t.same(await control.alone(remove), { keys: 0, integrations: 0 })
})
