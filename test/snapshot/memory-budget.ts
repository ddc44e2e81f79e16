import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { Codes, SegmentBuilder } from '../../src/snapshot/build.js'
import { checkRowCount, ROW_BYTES_MIN } from '../../src/snapshot/memory-budget.js'
import { StoreError } from '../../src/store/store-error.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

test('no transaction takes fewer bytes than the least', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 20 }), (rows) => {
      for (const { segment } of snapshotOf(rows).segments) {
        assert.ok(segment.rowBytes.length >= segment.rowCount * ROW_BYTES_MIN)
      }
    }),
    { numRuns: 200 },
  )
})

test('the number of rows alone shows that a workspace is too large', async (t) => {
  const refusal = new StoreError(
    'the workspace is too large: its 5,000,000 transactions take more than the 1,000 MB of ' +
      '--memory-budget; raise it, or divide the accounts among several workspaces',
  )
  t.throws(() => checkRowCount(5_000_000, { bytes: 1e9, bytesPerRow: 0 }), refusal)
  t.throws(() => checkRowCount(5_000_000, { bytes: 1e9, bytesPerRow: 1 }), refusal)
  t.doesNotThrow(() => checkRowCount(4_000_000, { bytes: 1e9, bytesPerRow: 0 }))
  t.throws(() => checkRowCount(4_000_000, { bytes: 1e9, bytesPerRow: 1_100 }))
  t.doesNotThrow(() => checkRowCount(900_000, { bytes: 1e9, bytesPerRow: 1_100 }))
})

test('a load ends as soon as its rows are beyond the budget', async (t) => {
  const { rowBytes } = onlySegment(snapshotOf(SAMPLE))
  let readCount = 0
  const build = (totalBytes: number) => {
    readCount = 0
    const codes = new Codes({ accountIds: [], categoryIds: [] })
    const limits = { rowCount: 10, byteCount: 1e6 }
    const rowCount = SAMPLE.transactions.length
    const builder = new SegmentBuilder(SAMPLE, codes, { rowCount, limits, totalBytes })
    for (const row of SAMPLE.transactions.toReversed()) {
      readCount += 1
      builder.append(row)
    }
    return builder.finish()
  }
  t.equal(build(rowBytes.length).length, 31)
  t.throws(() => build(rowBytes.length - 1), { name: 'StoreError' })
  t.throws(() => build(rowBytes.length / 2), { name: 'StoreError' })
  t.ok(readCount < 250, `${readCount} rows were read`)
})
