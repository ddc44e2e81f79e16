// Regression: 3,000 refreshes added 1.9 MB to an audit log from which nothing was removed.
import { test } from 'tap'
import { trimAudit } from '../../src/admin/audit-trim.js'
import { appendAudit } from '../../src/auth/audit.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { NOW_MS, newControlFile } from '../fixtures/control.js'
import { execute } from '../fixtures/control-sql.js'

const CLIENT = { who: 'client:c', address: '192.0.2.1', requestId: 'r' }

test('a program that refreshes without a pause adds a row an hour, and its count', async (t) => {
  const control = newControlFile(t)
  for (let i = 0; i < 3_000; i++) {
    await control.atomically(() =>
      appendAudit(CLIENT, NOW_MS + i, { action: 'token.refresh', detail: { grant: 1 } }),
    )
  }
  t.equal(control.look(() => listAuditRows({ limit: 9 })).length, 1)
})

test('only a trim shortens the audit log, and its entry stays', async (t) => {
  const control = newControlFile(t)
  for (const at of [1, 2, 3])
    await control.atomically(() => appendAudit(CLIENT, at, { action: 'token.issue' }))
  const isKept = /the audit log is append-only/
  t.throws(() => execute(control, 'DELETE FROM audit'), isKept)
  await trimAudit({ control, nowMs: 4, actor: CLI_ACTOR }, 2)
  const sequences = (): number[] =>
    control.look(() => listAuditRows({ limit: 9 })).map(({ sequence }) => sequence)
  t.same(sequences(), [4, 3, 2])
  for (const sql of [
    'DELETE FROM audit',
    'DELETE FROM audit WHERE sequence = 2',
    "DELETE FROM audit WHERE action = 'audit.trim'",
    "UPDATE audit SET detail = NULL WHERE action = 'audit.trim'",
    "UPDATE audit SET action = 'audit.trim' WHERE sequence = 3",
  ]) {
    t.throws(() => execute(control, sql), isKept, sql)
  }
  await trimAudit({ control, nowMs: 10, actor: CLI_ACTOR }, 9)
  t.same(sequences(), [5, 4], 'and the earlier trim is still listed')
})
