import { test } from 'tap'
import { recordImport } from '../../src/admin/import-audit.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const NONE = { kept: 0, changed: 0, changedIds: {} }

test('the audit entry of an import identifies the file and its outcome', async (t) => {
  const control = await newControl(t)
  const counts = { accounts: 1, added: 2, unchanged: 3, updated: 0, skipped: 0 }
  const file = { format: 'csv', bytes: 9, sha256: 'ab' }
  await recordImport(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    {
      workspaceId: 'w',
      ...file,
      result: { ...counts, ...NONE },
    },
  )
  await recordImport(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { workspaceId: 'w', result: { reason: 'line 3' } },
  )
  const [refused, done] = await control.look(() => listAuditRows({ limit: 9 }))
  const logged = { action: 'workspace.import', actor: 'cli', subject: 'w', workspaceId: 'w' }
  t.match(done, { ...logged, outcome: 'ok', detail: JSON.stringify({ ...file, ...counts }) })
  t.match(refused, { ...logged, outcome: 'refused', detail: '{"reason":"line 3"}' })
})

test('the audit entry counts rows that differ and rows that were changed', async (t) => {
  const control = await newControl(t)
  const counts = { accounts: 1, added: 2, unchanged: 3, updated: 0, skipped: 0 }
  const result = { ...counts, kept: 4, changed: 0, changedIds: {} }
  await recordImport({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { workspaceId: 'w', result })
  const changedIds = { account: [1], transaction: [7, 9] }
  const changed = { ...counts, updated: 2, kept: 0, changed: 3, changedIds }
  await recordImport(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { workspaceId: 'w', result: changed },
  )
  const details = (await control.look(() => listAuditRows({ limit: 9 }))).map(
    ({ detail }) => detail,
  )
  t.same(details, [
    JSON.stringify({ ...counts, updated: 2, changed: 3, changedIds }),
    JSON.stringify({ ...counts, kept: 4 }),
  ])
})
