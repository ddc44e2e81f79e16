import { test } from 'tap'
import { isBehindImports, summaryOf } from '../../src/dashboard/workspace-summary.js'
import { overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { wordsOf } from '../fixtures/page-visitor.js'

test('a workspace outside memory is shown as such, and not loaded', async (t) => {
  const tell = (state: unknown): unknown =>
    summaryOf({ snapshots: { stateOf: () => state } as never }, 'w')
  t.same(tell({ kind: 'absent' }), { workspaceId: 'w', condition: 'absent' })
  t.same(tell({ kind: 'loading' }), { workspaceId: 'w', condition: 'loading' })
  const failed = { workspaceId: 'w', condition: 'failed', reason: 'torn' }
  t.same(tell({ kind: 'failed', reason: 'torn' }), failed)
})

test('an import is awaited until it is in memory', async (t) => {
  const behind = (state: unknown, last: number): boolean => {
    const parts = { snapshots: { stateOf: () => state }, imports: { lastSequence: () => last } }
    return isBehindImports(parts as never, 'w')
  }
  const loaded = { kind: 'loaded', snapshot: { version: { sequence: 7 } } }
  t.ok(behind(loaded, 8))
  t.notOk(behind(loaded, 7))
  t.notOk(behind(loaded, 0), 'nothing was imported')
  t.notOk(behind({ kind: 'absent' }, 8), 'a page does not reload forever')
})

test(
  'a loaded workspace shows its accounts, rows and whether it can be searched',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/workspaces`
    t.match(wordsOf(await visitor.get(url)), 'w Not in memory – – –')
    const ready = /w Ready 3 302 /
    await visitor.get(`${fixture.url}/dashboard`)
    await fixture.service.until(async () => ready.test(wordsOf(await visitor.get(url))))
    t.match(wordsOf(await visitor.get(url)), ready)
  }),
)
