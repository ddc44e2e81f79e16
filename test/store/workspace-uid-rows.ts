import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listApiKeys } from '../../src/store/api-key-rows.js'
import { listIntegrations } from '../../src/store/integration-rows.js'
import { bindToWorkspaceFile } from '../../src/store/workspace-uid-rows.js'
import { NOW_MS, newControl, someIntegration, WIDE_KEY } from '../fixtures/control.js'

test('a row without a file is bound to one, and stays with it', async (t) => {
  const control = await newControl(t)
  for (const workspaceUid of [undefined, 'first']) {
    await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...WIDE_KEY, workspaceUid })
    await someIntegration(control, { workspaceUid })
    await someIntegration(control, { workspaceUid, workspaceId: 'other' })
  }
  const uids = async (workspaceId: string): Promise<unknown> => [
    (await control.look(() => listApiKeys(workspaceId))).map((row) => row.workspaceUid),
    (await control.look(() => listIntegrations(workspaceId))).map((row) => row.workspaceUid),
  ]
  t.same(await uids('w'), [
    [null, 'first'],
    [null, 'first'],
  ])
  const before = control.keyVersion()
  await control.alone(() => bindToWorkspaceFile('w', 'second'))
  t.ok(control.keyVersion() > before, 'caches of keys are invalidated')
  const bound = [
    ['second', 'first'],
    ['second', 'first'],
  ]
  t.same(await uids('w'), bound)
  const writes = control.ownWriteCount
  await control.alone(() => bindToWorkspaceFile('w', 'third'))
  t.same(await uids('w'), bound)
  t.equal(control.ownWriteCount, writes)
  t.same(await uids('other'), [[], [null, 'first']])
})
