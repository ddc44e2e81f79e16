import type { Ordinal } from '../ordinals/ordinal.js'
import { ordinalAt, type Run } from '../query/listing.js'
import type { Segment, StaleSegments } from '../snapshot/snapshot.js'
import { rowJson } from '../snapshot/stale-fragments.js'
import type { BodyBuffer } from './body-buffer.js'
import { type ByteRanges, touchRanges } from './byte-ranges.js'
import type { CustomSchema } from './custom-schema-plan.js'
import { rewriteObject } from './custom-schema-rewrite.js'
import { gathered } from './gather.js'

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c

/** Changes to rendered transactions before they are sent. */
export interface RowChanges {
  readonly staleFragments: StaleSegments
  readonly customSchema: CustomSchema | undefined
}

/**
 * A page of transactions as a JSON array. Valid until the buffer's next body.
 * @param page rows in the order of the answer
 */
export function transactionPageJson(
  buffer: BodyBuffer,
  page: readonly Run[],
  changes: RowChanges,
): Uint8Array {
  if (changes.customSchema !== undefined || changes.staleFragments.size > 0) {
    return arrayJson(buffer, rowsOf(page, changes.staleFragments), changes.customSchema)
  }
  const { ranges } = buffer
  ranges.take(page)
  const { memory, byteCount } = ranges
  const inMemory = memory === undefined ? undefined : gathered(memory, ranges)
  const body = inMemory ?? copied(buffer, ranges)
  ranges.forget()
  body[0] = OPEN_ARRAY
  // Each row includes the comma after it; the last one's becomes the bracket.
  const end = Math.max(byteCount, 1)
  body[end] = CLOSE_ARRAY
  return body.subarray(0, end + 1)
}

/** The ranges one after the other, from byte 1 on. Valid until the buffer's next body. */
function copied(buffer: BodyBuffer, ranges: ByteRanges): Uint8Array {
  const { starts, ends, sources, count, byteCount } = ranges
  const body = buffer.begin(byteCount + 2)
  // A single range is read in order, which the processor prefetches by itself. The sum is stored
  // where the first row is copied next, so that the reads are not optimized away.
  if (count > 1) body[1] = touchRanges(ranges)
  let end = 1
  for (let i = 0; i < count; i++) {
    end = copyShared(sources[i]!, starts[i]!, ends[i]!, body, end) // i < count
  }
  return body
}

/** One transaction as JSON. Valid until the buffer's next body. */
export function transactionJsonOf(
  buffer: BodyBuffer,
  segment: Segment,
  ordinal: Ordinal,
  { staleFragments, customSchema }: RowChanges,
): Uint8Array {
  const row = rowJson(segment, ordinal, staleFragments.get(segment))
  return customSchema === undefined ? row : objectJson(buffer, row, customSchema)
}

/** A rendered object, rewritten by the customSchema. Valid until the buffer's next body. */
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

function rowsOf(page: readonly Run[], staleFragments: StaleSegments): Uint8Array[] {
  return page.flatMap((run) => {
    const stale = staleFragments.get(run.segment)
    return Array.from({ length: run.count }, (_, i) =>
      rowJson(run.segment, ordinalAt(run, i), stale),
    )
  })
}

/**
 * Copies bytes [from, to) of shared memory, or of any. `set` and `copy` read shared memory in small
 * atomic steps, 16 µs more for a page of 60 KB; `fill` with a value as long as the range it fills
 * is one plain copy. Segments are never written to, so no read needs to be atomic.
 * @returns the position in `body` after the last byte
 */
export function copyShared(
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
