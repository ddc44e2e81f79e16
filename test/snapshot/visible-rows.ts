import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { partIndexOf } from '../../src/free-text/merge.js'
import { codeCountOf, postingOf } from '../../src/snapshot/postings.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { rowsOfAccounts, visiblePart, visiblePartBytes } from '../../src/snapshot/visible-rows.js'
import { BuilderPool } from '../../src/threads/builder-pool.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { lives, segmentOf, snapshotAfter } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const cases = workspaceRows({ maxLength: 40 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    // Includes accounts newer than the segment.
    accountCodes: fc.subarray([...workspace.accounts.map((_, code) => code), 1_000]),
  }),
)

test('a part has the rows of its accounts, with their texts and categories', async () => {
  assertProperty(
    fc.property(cases, ({ workspace, life, accountCodes }) => {
      for (const { segment, text } of snapshotAfter(workspace, life).segments) {
        assert(text !== undefined)
        const rows = Array.from({ length: segment.rowCount }, (_, row) => row).filter((row) =>
          accountCodes.includes(segment.accountCodes[row] ?? -1),
        )
        const lists = rowsOfAccounts(segment, accountCodes)
        const listed = lists.flatMap((list) => [...list])
        assert.deepEqual(
          listed.sort((a, b) => a - b),
          rows,
        )
        const part = visiblePart({ segment, text, accountCodes })
        assert.deepEqual([...part.rows], rows)
        assert.deepEqual(part.text, partIndexOf(text, Uint32Array.from(rows)))
        assert.equal(codeCountOf(part.eitherPostings), codeCountOf(segment.eitherPostings))
        for (let code = 0; code < codeCountOf(segment.eitherPostings); code++) {
          const whole = [...postingOf(segment.eitherPostings, code)]
          const moved = [...postingOf(part.eitherPostings, code)].map((row) => rows[row])
          assert.deepEqual(
            moved,
            whole.filter((row) => rows.includes(row)),
          )
        }
        assert(visiblePartBytes(part) >= 4 * rows.length)
      }
    }),
    { numRuns: 60 },
  )
})

test('a thread builds the same part', async (t) => {
  const pool = new BuilderPool()
  t.teardown(() => pool.close())
  const segment = segmentOf(SAMPLE)
  const { text } = indexesOfSegment(segment)
  const { rowCount, accountPostings, eitherPostings, categoryCodes, parentCodes } = segment
  const rows = { rowCount, accountPostings, eitherPostings, categoryCodes, parentCodes }
  const task = { segment: rows, text, accountCodes: [1] }
  t.strictSame(await pool.part(task), visiblePart(task))
})
