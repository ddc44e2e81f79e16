import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { AuditAction } from '../../src/domain/audit.js'
import { type AuditRow, insertAuditRow, listAuditRows } from '../../src/store/audit-rows.js'
import { type AuditSearch, searchAuditRows } from '../../src/store/audit-search.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { newControl } from '../fixtures/control.js'

const ACTIONS: readonly AuditAction[] = [
  'token.issue',
  'api_key.create',
  'session.end',
  'token.refresh',
]
const ACTORS = ['cli', 'operator:Ada', 'operator:bob', 'client:x1', 'anonymous']
const WORKSPACES = ['w', 'other', null]
const OUTCOMES = ['ok', 'refused'] as const

/** Indexes of the rows that a search selects, by a scan of all. */
function naive(rows: readonly AuditRow[], search: AuditSearch): number[] {
  const { action, workspaceId, actor, outcome, sinceMs, untilMs, beforeSequence } = search
  return rows
    .filter((row) => action === undefined || row.action === action)
    .filter((row) => workspaceId === undefined || row.workspaceId === workspaceId)
    .filter((row) => row.actor.toLowerCase().includes(actor?.toLowerCase() ?? ''))
    .filter((row) => outcome === undefined || row.outcome === outcome)
    .filter((row) => sinceMs === undefined || row.at >= sinceMs)
    .filter((row) => untilMs === undefined || row.at < untilMs)
    .filter((row) => beforeSequence === undefined || row.sequence < beforeSequence)
    .map(({ sequence }) => sequence)
}

test('the pages of a search together equal a scan of every row', async (t) => {
  const control = await newControl(t)
  const empty = await control.look(() => searchAuditRows({}, { limit: 1, scannedMax: 1 }))
  t.same(empty, { rows: [], nextBefore: undefined })
  for (let i = 0; i < 200; i++) {
    await control.atomically(() =>
      insertAuditRow({
        // Several at one moment, as in a busy service.
        at: 1_000 + Math.floor(i / 3) * 10,
        actor: ACTORS[(i * 7) % 5] ?? '',
        action: ACTIONS[(i * 5) % 4] ?? 'session.end',
        subject: String(i),
        workspaceId: WORKSPACES[(i * 11) % 3] ?? null,
        integrationId: null,
        fromAddress: null,
        requestId: null,
        outcome: OUTCOMES[i % 2] ?? 'ok',
        detail: null,
      }),
    )
  }
  const all = await control.look(() => listAuditRows({ limit: 1_000 }))
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(value, { nil: undefined })
  const searches = fc.record({
    action: maybe(fc.constantFrom(...ACTIONS)),
    workspaceId: maybe(fc.constantFrom('w', 'other', 'none')),
    actor: maybe(fc.constantFrom('operator', 'ADA', 'cli', 'x', '%', '_')),
    outcome: maybe(fc.constantFrom(...OUTCOMES)),
    sinceMs: maybe(fc.integer({ min: 900, max: 1_800 })),
    untilMs: maybe(fc.integer({ min: 900, max: 1_800 })),
    beforeSequence: maybe(fc.integer({ min: 0, max: 210 })),
  })
  const bounds = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 250 }))
  await assertProperty(
    fc.asyncProperty(searches, bounds, async (search, [limit, scannedMax]) => {
      const found: number[] = []
      let beforeSequence = search.beforeSequence
      for (let pages = 0; ; pages++) {
        assert.ok(pages <= 400, 'each page advances')
        const input = { ...search, beforeSequence }
        const page = await control.look(() => searchAuditRows(input, { limit, scannedMax }))
        assert.ok(page.rows.length <= limit)
        found.push(...page.rows.map(({ sequence }) => sequence))
        if (page.nextBefore === undefined) break
        beforeSequence = page.nextBefore
      }
      assert.deepEqual(found, naive(all, search), JSON.stringify(search))
    }),
    { numRuns: 80 },
  )
  const [row] = (await control.look(() => searchAuditRows({}, { limit: 1, scannedMax: 1 }))).rows
  t.same(row, all[0], 'rows are complete')
})
