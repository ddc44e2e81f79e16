import { setImmediate } from 'node:timers/promises'
import { bitCount } from '../ordinals/bit-set.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { AnyRun, Listing, Run } from './listing.js'

/** Rows of one segment, in any order: the ordinals at positions [from, to). */
export interface ListedRows {
  readonly segment: Segment
  readonly ordinals: Uint32Array
  readonly from: number
  readonly to: number
}

/**
 * Rows of one segment, in any order: those at positions [from, to) of `ordinals`; or, without them,
 * the ordinals [from, to) themselves; or those among them that have their bit in `words` and in
 * `alive`, where `from` and `to` are multiples of 32.
 */
interface RowSpan {
  readonly segment: Segment
  readonly ordinals?: Uint32Array | undefined
  readonly words?: Uint32Array | undefined
  /** Present with `words`. */
  readonly alive?: Uint32Array | undefined
  readonly from: number
  readonly to: number
}

/** Cooperative scheduling: rows per slice before the loop yields, and the signal that ends it. */
export interface SliceOptions {
  readonly signal: AbortSignal
  readonly rowsAtOnce: number
}

/**
 * Passes every row of a listing to `take`, each once, in no order: synchronously when there are
 * few, and in slices, yielding to other requests between them, when there are many. Rejects with
 * the signal's reason when it is aborted.
 * @param take must not keep the ordinals
 */
export function visitRows(
  listing: Listing,
  slices: SliceOptions,
  take: (rows: ListedRows) => void,
): void | Promise<void> {
  const spans = spansOf(listing)
  const rowCount = spans.reduce((count, { from, to }) => count + to - from, 0)
  if (rowCount > slices.rowsAtOnce) return visitInSlices(spans, slices, take)
  for (const span of spans) takeSpan(span, take)
}

async function visitInSlices(
  spans: readonly RowSpan[],
  { signal, rowsAtOnce }: SliceOptions,
  take: (rows: ListedRows) => void,
): Promise<void> {
  let left = rowsAtOnce
  for (const span of spans) {
    for (let from = span.from; from < span.to; ) {
      if (left <= 0) {
        await setImmediate()
        signal.throwIfAborted()
        left = rowsAtOnce
      }
      // Rounded up to whole words of bits.
      const to = Math.min(span.to, from + ((left + 31) & ~31))
      takeSpan({ ...span, from, to }, take)
      left -= to - from
      from = to
    }
  }
}

/** The rows of a listing, each once. */
function spansOf({ parts }: Listing): RowSpan[] {
  const bySegment = new Map<Segment, AnyRun[]>()
  for (const run of parts.flatMap((part) => ('runs' in part ? part.runs : [part]))) {
    bySegment.set(run.segment, [...(bySegment.get(run.segment) ?? []), run])
  }
  return Array.from(bySegment, ([segment, runs]) => spansOfSegment(segment, runs)).flat()
}

function spansOfSegment(segment: Segment, runs: readonly AnyRun[]): RowSpan[] {
  const { rowCount } = segment
  // Read in ordinal order, which takes half the time of the listing's order.
  const listedCount = runs.reduce((count, run) => count + run.count, 0)
  if (listedCount === rowCount) return [{ segment, from: 0, to: rowCount }]
  const seen = new Set<object>()
  return runs.flatMap((run): RowSpan[] => {
    if (!('ranked' in run)) return [spanOfRun(run)]
    // Rows with and without the sort key are two runs of the same ranked rows, and together all of
    // them.
    const { words, alive } = run.ranked
    if (seen.has(words)) return []
    seen.add(words)
    return [{ segment, words, alive, from: 0, to: words.length * 32 }]
  })
}

function spanOfRun({ segment, ordinals, first, step, count }: Run): RowSpan {
  const from = step === 1 ? first : first - count + 1
  return { segment, ordinals, from, to: from + count }
}

function takeSpan(span: RowSpan, take: (rows: ListedRows) => void): void {
  const { segment, ordinals, words, alive = words, from, to } = span
  if (ordinals !== undefined) {
    take({ segment, ordinals, from, to })
    return
  }
  for (let at = from; at < to; at += FOUND_ROWS) {
    const end = Math.min(at + FOUND_ROWS, to)
    const isPlain = words === undefined || alive === undefined
    const found = isPlain ? rowsBetween(at, end) : rowsPassing(words, alive, at, end)
    take({ segment, ordinals: found, from: 0, to: found.length })
  }
}

/** Ordinals that are materialized at a time, for the one loop over arrays of ordinals. */
const FOUND_ROWS = 4_096

function rowsBetween(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from)
  for (let i = 0; i < rows.length; i++) rows[i] = from + i
  return rows
}

/** The rows in [from, to) that have both bits. @param from a multiple of 32, as `to` */
function rowsPassing(
  words: Uint32Array,
  alive: Uint32Array,
  from: number,
  to: number,
): Uint32Array {
  const rows = new Uint32Array(to - from)
  let end = 0
  for (let i = from >>> 5; i < to >>> 5; i++) {
    for (let rest = words[i]! & alive[i]!; rest !== 0; rest &= rest - 1) {
      rows[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return rows.subarray(0, end)
}
