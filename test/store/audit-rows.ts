import { test } from 'tap'
import { type AuditRow, insertAuditRow, listAuditRows } from '../../src/store/audit-rows.js'
import { newControl } from '../fixtures/control.js'

const ROW: Omit<AuditRow, 'sequence'> = {
  at: 5,
  actor: 'cli',
  action: 'api_key.create',
  subject: '1',
  workspaceId: 'w',
  integrationId: 'i',
  fromAddress: '::1',
  requestId: 'r',
  outcome: 'refused',
  detail: '{"a":1}',
}

test('rows are stored unchanged, and found by filters, newest first', async (t) => {
  const control = await newControl(t)
  await control.atomically(() => insertAuditRow(ROW))
  const bare = { subject: null, workspaceId: null, integrationId: null, fromAddress: null }
  await control.atomically(() =>
    insertAuditRow({ ...ROW, ...bare, requestId: null, detail: null, outcome: 'ok', at: 6 }),
  )
  await control.atomically(() => insertAuditRow({ ...ROW, action: 'api_key.revoke', at: 7 }))
  await control.atomically(() => insertAuditRow({ ...ROW, workspaceId: 'v', at: 8 }))
  const found = async (
    conditions: Partial<Parameters<typeof listAuditRows>[0]>,
  ): Promise<number[]> =>
    (await control.look(() => listAuditRows({ limit: 9, ...conditions }))).map(
      ({ sequence }) => sequence,
    )
  t.strictSame((await control.look(() => listAuditRows({ limit: 9 }))).at(-1), {
    sequence: 1,
    ...ROW,
  })
  t.same(await found({}), [4, 3, 2, 1])
  t.same(await found({ limit: 2 }), [4, 3])
  t.same(await found({ workspaceId: 'w' }), [3, 1])
  t.same(await found({ action: 'api_key.create' }), [4, 2, 1])
  t.same(await found({ sinceMs: 7 }), [4, 3])
  t.same(await found({ workspaceId: 'w', action: 'api_key.create', sinceMs: 5 }), [1])
})
