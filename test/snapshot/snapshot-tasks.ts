import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'tap'
import { snapshotAfter } from '../../src/snapshot/follow.js'
import {
  applyDeletes,
  follow,
  index,
  load,
  merge,
  reload,
} from '../../src/snapshot/snapshot-tasks.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { rowsOfFile } from '../fixtures/changes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { addressOf } from '../fixtures/stored-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

test('a small workspace is loaded together with its indexes', async (t) => {
  const path = join(t.testdir(), 'w.db')
  const address = addressOf(path)
  await writeWorkspace(path, SAMPLE)
  const { snapshot } = await load({ workspaceId: 'w', address, cache: undefined })
  assertHolds(snapshot, SAMPLE)
  const [live] = snapshot.segments
  assert.ok(live)
  const { text, match } = live
  assert.deepEqual({ text, match }, index(live.segment))
  await t.rejects(
    load({ workspaceId: 'w', address: addressOf(`${path}.no`), cache: undefined }),
    /there is no such file/,
  )
})

test('a file is followed, and deletes are applied to a concurrent merge', async (t) => {
  const path = join(t.testdir(), 'w.db')
  const address = addressOf(path)
  await writeWorkspace(path, SAMPLE)
  const loaded = await load({ workspaceId: 'w', address, cache: undefined })
  const { snapshot: from, seal } = loaded
  const writer = new Database(path)
  t.teardown(() => writer.close())
  writer.exec('UPDATE transactions SET amount_unscaled = 7 WHERE id IN (5, 6)')
  writer.exec('DELETE FROM transactions WHERE id = 9')
  const step = await follow({ address, from, seal, fixedCount: 1 })
  assert.equal(step.kind, 'next')
  const next = snapshotAfter(from, step.next, 2)
  const file = WorkspaceFile.openForReading(path)
  t.teardown(() => file.close())
  assertHolds(next, rowsOfFile(file))
  t.strictSame([...step.next.touchedIds], [9, 6, 5])
  const [merged] = merge({ segments: from.segments, fragments: from.fragments })
  assert.ok(merged)
  const thinned = applyDeletes({
    live: merged,
    ids: [Float64Array.of(9, 6), Float64Array.of(5, 1_000)],
  })
  t.equal(thinned.alive?.count, 299)
  t.equal(
    applyDeletes({ live: merged, ids: [Float64Array.of(1_000)] }),
    merged,
    'none of them is its own',
  )
  const segments = [thinned, ...next.segments.slice(1)]
  assertHolds({ ...next, segments }, rowsOfFile(file))
})

test('an unavailable database is busy: the snapshot in memory is still served', async (t) => {
  const path = join(t.testdir(), 'w.db')
  await writeWorkspace(path, SAMPLE)
  const address = addressOf(path)
  const { snapshot: from, seal } = await load({ workspaceId: 'w', address, cache: undefined })
  const unavailable = { engine: 'postgres', url: 'postgres://127.0.0.1:1/none', no: 1 } as const
  const busy = { kind: 'busy', reason: /does not answer/ }
  t.match(await follow({ address: unavailable, from, seal, fixedCount: 0 }), busy)
  const task = { workspaceId: 'w', address: unavailable, cache: undefined }
  t.match(await reload(task), busy)
  await t.rejects(load(task), /does not answer/)
  t.match(await reload({ ...task, address }), { kind: 'loaded', snapshot: { workspaceId: 'w' } })
})

test('a lock is reported at once, other errors are thrown', async (t) => {
  const path = join(t.testdir(), 'w.db')
  const address = addressOf(path)
  await writeWorkspace(path, SAMPLE)
  const loaded = await load({ workspaceId: 'w', address, cache: undefined })
  const { snapshot: from, seal } = loaded
  const writer = new Database(path)
  writer.pragma('journal_mode = DELETE')
  writer.exec('BEGIN EXCLUSIVE')
  t.match(await follow({ address, from, seal, fixedCount: 0 }), { kind: 'busy', reason: /locked/ })
  writer.exec('ROLLBACK')
  writer.close()
  t.match(await follow({ address, from, seal, fixedCount: 0 }), { kind: 'lost' })
  await t.rejects(
    follow({ address: addressOf(`${path}.no`), from, seal, fixedCount: 0 }),
    /there is no such file/,
  )
})
