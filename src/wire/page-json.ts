import { ordinalAt, type Run } from '../query/listing.js'
import type { Ordinal } from '../snapshot/ordinal.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { BodyBuffer } from './body-buffer.js'
import type { CustomSchema } from './custom-schema-plan.js'
import { rewriteObject } from './custom-schema-rewrite.js'

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c

/** Bytes that the processor fetches at once. */
const CACHE_LINE_BYTES = 64

/**
 * A page of transactions as a JSON array. Valid until the buffer's next body.
 * @param page rows in the order of the answer
 */
export function transactionPageJson(
  buffer: BodyBuffer,
  page: readonly Run[],
  customSchema: CustomSchema | undefined,
): Uint8Array {
  if (customSchema !== undefined) return rewrittenPage(buffer, page, customSchema)
  const body = buffer.begin(rowBytesOf(page) + 2)
  body[0] = OPEN_ARRAY
  let end = 1
  for (const run of page) end = writeRun(body, end, run)
  // Each row brings the comma after it; the last one's becomes the bracket.
  if (end > 1) end -= 1
  body[end] = CLOSE_ARRAY
  return body.subarray(0, end + 1)
}

/** One transaction as JSON. Valid until the buffer's next body. */
export function transactionJsonOf(
  buffer: BodyBuffer,
  segment: Segment,
  ordinal: Ordinal,
  customSchema: CustomSchema | undefined,
): Uint8Array {
  const start = segment.rowOffsets[ordinal] ?? 0
  const end = (segment.rowOffsets[ordinal + 1] ?? 1) - 1
  const row = segment.rowBytes.subarray(start, end)
  return customSchema === undefined ? row : objectJson(buffer, row, customSchema)
}

/** A rendered object, rewritten as the customSchema says. Valid until the buffer's next body. */
export function objectJson(
  buffer: BodyBuffer,
  object: Uint8Array,
  customSchema: CustomSchema,
): Uint8Array {
  const body = buffer.begin(object.length + customSchema.growthBytesMax)
  const end = rewriteObject(customSchema, object, body, { start: 0, outStart: 0 })
  return body.subarray(0, end)
}

/** Rendered objects as a JSON array. Valid until the buffer's next body. */
export function arrayJson(
  buffer: BodyBuffer,
  objects: readonly Uint8Array[],
  customSchema?: CustomSchema | undefined,
): Uint8Array {
  const growth = (customSchema?.growthBytesMax ?? 0) + 1
  const bytesMax = objects.reduce((sum, object) => sum + object.length + growth, 2)
  const body = buffer.begin(bytesMax)
  body[0] = OPEN_ARRAY
  let end = 1
  for (const object of objects) {
    if (end > 1) body[end++] = COMMA
    if (customSchema === undefined) {
      body.set(object, end)
      end += object.length
    } else {
      end = rewriteObject(customSchema, object, body, { start: 0, outStart: end })
    }
  }
  body[end] = CLOSE_ARRAY
  return body.subarray(0, end + 1)
}

function rewrittenPage(
  buffer: BodyBuffer,
  page: readonly Run[],
  customSchema: CustomSchema,
): Uint8Array {
  const rows = page.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => {
      const ordinal = ordinalAt(run, i)
      const { rowBytes, rowOffsets } = run.segment
      return rowBytes.subarray(rowOffsets[ordinal], (rowOffsets[ordinal + 1] ?? 1) - 1)
    }),
  )
  return arrayJson(buffer, rows, customSchema)
}

function isContiguous(run: Run): boolean {
  return run.ordinals === undefined && run.step === 1
}

function rowBytesOf(page: readonly Run[]): number {
  let byteCount = 0
  for (const run of page) byteCount += isContiguous(run) ? spanOf(run) : scatteredBytesOf(run)
  return byteCount
}

function spanOf({ segment: { rowOffsets }, first, count }: Run): number {
  return (rowOffsets[first + count] ?? 0) - (rowOffsets[first] ?? 0)
}

function scatteredBytesOf(run: Run): number {
  const { rowOffsets } = run.segment
  let byteCount = 0
  for (let i = 0; i < run.count; i++) {
    const ordinal = ordinalAt(run, i)
    byteCount += rowOffsets[ordinal + 1]! - rowOffsets[ordinal]! // ordinal < rowCount
  }
  return byteCount
}

/** @returns the position in `body` after the run's last comma */
function writeRun(body: Buffer, start: number, run: Run): number {
  const { rowBytes, rowOffsets } = run.segment
  if (isContiguous(run)) {
    const from = rowOffsets[run.first] ?? 0
    const to = rowOffsets[run.first + run.count] ?? from
    return copyShared(rowBytes, from, to, body, start)
  }
  // Where the first row goes in a moment: keeps the reads from being optimized away.
  body[start] = touchRows(run)
  let end = start
  for (let i = 0; i < run.count; i++) {
    const ordinal = ordinalAt(run, i)
    // ordinal < rowCount, and there is one offset more
    end = copyShared(rowBytes, rowOffsets[ordinal]!, rowOffsets[ordinal + 1]!, body, end)
  }
  return end
}

/**
 * Copies bytes [from, to) of shared memory. `set` and `copy` read shared memory in small atomic
 * steps, 16 µs more for a page of 60 KB; `fill` with a value as long as the place it fills is one
 * plain copy. Nothing writes to a segment, so there is nothing to be atomic about.
 * @returns the position in `body` after the last byte
 */
function copyShared(
  source: Uint8Array,
  from: number,
  to: number,
  body: Buffer,
  start: number,
): number {
  const end = start + (to - from)
  body.fill(source.subarray(from, to), start, end)
  return end
}

/**
 * Reads one byte of each cache line of the rows. The reads do not depend on each other, so the
 * processor waits for many lines at once, where copying row by row would wait for each in turn. The
 * first line of every row goes before all others: each row is in a page of its own, and looking up
 * where that page lies takes longer than the line. 100 scattered rows of 600 bytes take half the
 * time (`npm run bench -- rows`).
 * @returns the sum of the bytes, which has no meaning
 */
function touchRows(run: Run): number {
  const { rowBytes, rowOffsets } = run.segment
  let sum = 0
  for (let i = 0; i < run.count; i++) sum += rowBytes[rowOffsets[ordinalAt(run, i)]!]!
  for (let i = 0; i < run.count; i++) {
    const ordinal = ordinalAt(run, i)
    const to = rowOffsets[ordinal + 1]!
    for (let at = rowOffsets[ordinal]! + CACHE_LINE_BYTES; at < to; at += CACHE_LINE_BYTES) {
      sum += rowBytes[at]!
    }
  }
  return sum
}
