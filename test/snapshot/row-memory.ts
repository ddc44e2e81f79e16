import { test } from 'tap'
import { RowBytes } from '../../src/snapshot/row-bytes.js'
import {
  growRowMemory,
  known,
  ROW_MEMORY_BYTES_MAX,
  ROW_MEMORY_BYTES_MIN,
  ROWS_AT,
  rowMemory,
  rowMemoryOf,
  rowMemoryOfAnySize,
  rowsIn,
} from '../../src/snapshot/row-memory.js'
import { SEGMENT_LIMITS } from '../../src/snapshot/segment-size.js'

test('only many rows have such memory, within its address range', async (t) => {
  t.equal(rowMemory(ROW_MEMORY_BYTES_MIN - 1), undefined)
  t.ok(rowMemory(ROW_MEMORY_BYTES_MIN))
  t.ok(rowMemory(ROW_MEMORY_BYTES_MAX), 'unwritten parts take no memory')
  t.equal(rowMemory(ROW_MEMORY_BYTES_MAX + 1), undefined)
})

test('a memory is found by its buffer, in every thread that has received it', async (t) => {
  const memory = rowMemoryOfAnySize(10)
  if (memory === undefined) throw new Error('there is memory')
  const rows = rowsIn(memory, 10)
  t.equal(rows.byteOffset, ROWS_AT)
  t.equal(rowMemoryOf(rows.buffer), memory)
  // As between threads: both refer to the same memory, and its buffer is still that of the rows.
  const there = structuredClone({ memory, rows })
  t.equal(there.memory.buffer, there.rows.buffer)
  t.equal(rowMemoryOf(there.rows.buffer), undefined)
  known(there.memory)
  t.equal(rowMemoryOf(there.rows.buffer), there.memory)
  rows[3] = 7
  t.equal(there.rows[3], 7)
})

test('a memory grows, up to its maximum', async (t) => {
  const memory = rowMemoryOfAnySize(10)
  if (memory === undefined) throw new Error('there is memory')
  rowsIn(memory, 10)[9] = 5
  t.ok(growRowMemory(memory, 10), 'there is enough room')
  t.ok(growRowMemory(memory, 1_000_000))
  t.equal(rowsIn(memory, 1_000_000)[9], 5)
  t.equal(rowMemoryOf(rowsIn(memory, 1).buffer), memory)
  t.notOk(growRowMemory(memory, ROW_MEMORY_BYTES_MAX + 1))
})

test('rows beyond the expected number are the same rows', async (t) => {
  const text = 'a row of bytes, ü '.repeat(50_000)
  for (const expected of [0, ROW_MEMORY_BYTES_MIN]) {
    const rendered = new RowBytes(SEGMENT_LIMITS, 30, expected)
    for (let row = 0; row < 30; row++) rendered.append(`${row}${text}`)
    const { rowMemory: memory, rowBytes, rowOffsets } = rendered.finish()
    t.equal(memory !== undefined, expected > 0)
    t.equal(rowMemoryOf(rowBytes.buffer), memory)
    const differing = Array.from({ length: 30 }, (_, row) => row).filter((row) => {
      const bytes = rowBytes.slice(rowOffsets[row], rowOffsets[row + 1])
      return Buffer.from(bytes).toString() !== `${row}${text}`
    })
    t.same(differing, [])
  }
})
