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

/** Rows of a {@link ListedRows} at most: some ten microseconds of adding up. */
export const LISTED_ROWS_MAX = 2_048

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

/**
 * The rows of a listing, each once, in no order but the same each time. The ordinals are valid
 * until the next rows.
 */
export function* rowsOfListing(listing: Listing): Generator<ListedRows, void, void> {
  const found = new Uint32Array(LISTED_ROWS_MAX)
  for (const { segment, ordinals, words, alive = words, from, to } of spansOf(listing)) {
    for (let at = from; at < to; at += LISTED_ROWS_MAX) {
      const end = Math.min(at + LISTED_ROWS_MAX, to)
      if (ordinals !== undefined) {
        yield { segment, ordinals, from: at, to: end }
        continue
      }
      const isPlain = words === undefined || alive === undefined
      if (isPlain) writeBetween(found, at, end)
      const count = isPlain ? end - at : writePassing(found, words, alive, at, end)
      yield { segment, ordinals: found, from: 0, to: count }
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

function writeBetween(rows: Uint32Array, from: number, to: number): void {
  for (let i = 0; i < to - from; i++) rows[i] = from + i
}

/** Writes the rows in [from, to) that have both bits. @returns how many */
function writePassing(
  rows: Uint32Array,
  words: Uint32Array,
  alive: Uint32Array,
  from: number,
  to: number,
): number {
  let end = 0
  for (let i = from >>> 5; i < to >>> 5; i++) {
    for (let rest = words[i]! & alive[i]!; rest !== 0; rest &= rest - 1) {
      rows[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return end
}
