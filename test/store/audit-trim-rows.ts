import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { trimAudit } from '../../src/admin/audit-trim.js'
import { type AuditAction, CLI_ACTOR } from '../../src/domain/audit.js'
import { insertAuditRow, listAuditRows } from '../../src/store/audit-rows.js'
import { auditKey, oldestAuditRows } from '../../src/store/audit-trim-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { newControl } from '../fixtures/control.js'

async function insert(control: ControlStore, at: number, action: AuditAction): Promise<void> {
  await control.atomically(() =>
    insertAuditRow({
      ...{ at, action, actor: 'cli', subject: null, workspaceId: null, integrationId: null },
      ...{ fromAddress: null, requestId: null, outcome: 'ok', detail: null },
    }),
  )
}

test('a trim takes the rows before the first one that is not older', async (t) => {
  const row = fc.record({
    at: fc.integer({ min: 1, max: 9 }),
    action: fc.constantFrom<AuditAction>('token.issue', 'session.begin', 'api_key.create'),
  })
  await assertProperty(
    fc.asyncProperty(
      fc.array(row),
      fc.array(fc.integer({ min: 0, max: 10 })),
      async (rows, befores) => {
        const control = await newControl(t)
        for (const { at, action } of rows) await insert(control, at, action)
        const kept = (await control.look(() => listAuditRows({ limit: 1_000 }))).toReversed()
        const trims: { rows: number; last: number }[] = []
        for (const before of befores) {
          const end = kept.findIndex(({ at }) => at >= before)
          const gone = kept.splice(0, end < 0 ? kept.length : end)
          const found = await control.look(() => oldestAuditRows(before))
          assert.equal(found?.rowCount ?? 0, gone.length)
          if (found !== undefined) {
            assert.equal(found.firstAt, Math.min(...gone.map(({ at }) => at)))
            assert.equal(found.lastAt, Math.max(...gone.map(({ at }) => at)))
            for (const [action, count] of Object.entries(found.actions)) {
              assert.equal(gone.filter((row) => row.action === action).length, count)
            }
            trims.push({ rows: gone.length, last: found.last })
          }
          await trimAudit({ control, nowMs: 10, actor: CLI_ACTOR }, before)
        }
        const left = (await control.look(() => listAuditRows({ limit: 1_000 }))).toReversed()
        assert.deepEqual(
          left.filter(({ action }) => action !== 'audit.trim'),
          kept,
        )
        const shown = left.filter(({ action }) => action === 'audit.trim')
        assert.equal(shown.length, trims.length)
      },
    ),
    { numRuns: 50 },
  )
})

test('each control.db has its own key', async (t) => {
  const folder = t.testdir()
  const [one, other] = ['one.db', 'other.db'].map((name) => {
    const control = ControlFile.open(join(folder, name))
    t.teardown(() => control.close())
    return control.look(auditKey)
  })
  t.equal(one?.length, 32)
  t.notSame(one, other)
})
