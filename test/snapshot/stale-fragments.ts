import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { rowJson } from '../../src/snapshot/stale-fragments.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveTransaction } from '../fixtures/naive.js'
import { lives, snapshotAfter } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

test('a row shows the current names of its account and categories', async (t) => {
  let renamedCount = 0
  assertProperty(
    fc.property(workspaceRows({ maxLength: 20 }), lives, (workspace, life) => {
      const snapshot = snapshotAfter(workspace, { ...life, graves: [undefined] })
      const rows = new Map(workspace.transactions.map((row) => [row.id, row]))
      for (const { segment } of snapshot.segments) {
        const stale = snapshot.staleFragments.get(segment)
        if (stale !== undefined) renamedCount += 1
        for (let ordinal = 0; ordinal < segment.rowCount; ordinal++) {
          const text = Buffer.from(rowJson(segment, ordinal, stale)).toString()
          const row = rows.get(segment.ids[ordinal] ?? 0)
          assert.deepEqual(JSON.parse(text), row && naiveTransaction(row, workspace))
        }
      }
    }),
    { numRuns: 200 },
  )
  t.ok(renamedCount > 50, `${renamedCount} segments were out of date`)
})

test('current rows have no stale fragments', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 20 }), lives, (workspace, life) => {
      assert.equal(snapshotAfter(workspace, { ...life, isRenamed: false }).staleFragments.size, 0)
    }),
  )
})
