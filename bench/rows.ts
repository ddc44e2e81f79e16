// Workload: 100 rows from random places of 600 MB of shared memory, copied one after the other into
// one buffer, like a page in any order but the default (src/wire/page-json.ts). The bench compares
// ways to copy the bytes, with and without a first read of one byte of each cache line, and
// WebAssembly for all of it (src/wire/gather.ts), which can only copy within one memory.
// Data: 1,000,000 rows of 500 to 700 bytes, made of one text; seed 7.
// Read: microseconds per page of each way, to be compared with one another.
// Run: npm run bench -- rows [--rows N]
import { strict as assert } from 'node:assert'
import { type Random, randomOf } from '../src/demo/random.js'
import { rowMemoryOfAnySize, rowsIn } from '../src/snapshot/row-memory.js'
import { ByteRanges } from '../src/wire/byte-ranges.js'
import { gathered } from '../src/wire/gather.js'
import { shown, table } from './report.js'
import { medianOf } from './statistics.js'

/** Rows of one page. */
const PAGE_ROWS = 100

/** One way to copy a page. */
export interface CopyFigures {
  readonly name: string
  /** Median microseconds of a page. */
  readonly pageUs: number
}

interface Rows {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly memory: WebAssembly.Memory
  readonly ranges: ByteRanges
}

/** @returns the bytes: the body, or the memory they were gathered in */
type Copy = (rows: Rows, page: Uint32Array, body: Buffer) => Uint8Array

/** Times each way over the same pages, after checking that all give the same bytes. */
export function measureRows(
  rowCount: number,
  seed: number,
  pageCount: number,
): readonly CopyFigures[] {
  const random = randomOf(seed)
  const rows = makeRows(rowCount, random)
  const pages = Array.from({ length: pageCount }, () =>
    Uint32Array.from({ length: PAGE_ROWS }, () => random.below(rowCount)),
  )
  const body = Buffer.allocUnsafeSlow(PAGE_ROWS * ROW_BYTES_MAX)
  const copies: readonly (readonly [string, Copy])[] = [
    ['set', copyBySet],
    ['set, every line touched first', touched(copyBySet, touchLines)],
    ['fill', copyByFill],
    ['fill, every line touched first', touched(copyByFill, touchLines)],
    ['fill, row by row, then every line touched first', touched(copyByFill, touchRowsThenLines)],
    ['WebAssembly, which does likewise', copyByGathering],
  ]
  const [first] = pages
  assert(first !== undefined, 'there is a page')
  const expected = Buffer.from(copyByFill(rows, first, body))
  for (const [name, copy] of copies) {
    assert(expected.equals(copy(rows, first, body)), name)
  }
  return copies.map(([name, copy]) => {
    // The first half warms up with other pages.
    const durations = pages.map((page) => {
      const startedMs = performance.now()
      copy(rows, page, body)
      return (performance.now() - startedMs) * 1_000
    })
    return { name, pageUs: medianOf(durations.slice(durations.length >> 1)) }
  })
}

/** The figures as Markdown. */
export function reportRows(figures: readonly CopyFigures[]): string {
  const rows = figures.map(({ name, pageUs }) => [name, shown(pageUs)])
  return table([`${PAGE_ROWS} scattered rows copied by`, 'µs a page'], rows)
}

const ROW_BYTES_MIN = 500
const ROW_BYTES_MAX = 700

function makeRows(rowCount: number, random: Random): Rows {
  const offsets = new Uint32Array(new SharedArrayBuffer((rowCount + 1) * 4))
  for (let row = 0; row < rowCount; row++) {
    offsets[row + 1] = offsets[row]! + random.between(ROW_BYTES_MIN, ROW_BYTES_MAX)
  }
  const byteCount = offsets[rowCount]!
  const memory = rowMemoryOfAnySize(byteCount)
  assert(memory !== undefined, 'there are addresses for the rows')
  const bytes = rowsIn(memory, byteCount)
  for (let at = 0; at < byteCount; at++) bytes[at] = 32 + (at % 89)
  return { bytes, offsets, memory, ranges: new ByteRanges() }
}

function copyBySet({ bytes, offsets }: Rows, page: Uint32Array, body: Buffer): Uint8Array {
  let end = 0
  for (let i = 0; i < page.length; i++) {
    const row = bytes.subarray(offsets[page[i]!]!, offsets[page[i]! + 1]!)
    body.set(row, end)
    end += row.length
  }
  return body.subarray(0, end)
}

function copyByFill({ bytes, offsets }: Rows, page: Uint32Array, body: Buffer): Uint8Array {
  let end = 0
  for (let i = 0; i < page.length; i++) {
    const row = bytes.subarray(offsets[page[i]!]!, offsets[page[i]! + 1]!)
    body.fill(row, end, end + row.length)
    end += row.length
  }
  return body.subarray(0, end)
}

function copyByGathering({ offsets, memory, ranges }: Rows, page: Uint32Array): Uint8Array {
  const { starts, ends } = ranges
  let byteCount = 0
  for (let i = 0; i < page.length; i++) {
    starts[i] = offsets[page[i]!]!
    ends[i] = offsets[page[i]! + 1]!
    byteCount += ends[i]! - starts[i]!
  }
  ranges.count = page.length
  ranges.byteCount = byteCount
  const body = gathered(memory, ranges)
  assert(body !== undefined, 'a page has room before the rows')
  return body.subarray(1, byteCount + 1)
}

type Touch = (rows: Rows, page: Uint32Array) => number

function touched(copy: Copy, touch: Touch): Copy {
  return (rows, page, body) => {
    // Overwritten by the first row; keeps the reads from being optimized away.
    body[0] = touch(rows, page)
    return copy(rows, page, body)
  }
}

function touchLines({ bytes, offsets }: Rows, page: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < page.length; i++) {
    const end = offsets[page[i]! + 1]!
    for (let at = offsets[page[i]!]!; at < end; at += 64) sum += bytes[at]!
  }
  return sum
}

function touchRowsThenLines(rows: Rows, page: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < page.length; i++) sum += rows.bytes[rows.offsets[page[i]!]!]!
  return sum + touchLines(rows, page)
}
