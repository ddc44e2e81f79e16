import { isFull, SEGMENT_LIMITS } from './segment-size.js'
import { aliveCount, hasIndexes, type LiveSegment, type Snapshot } from './snapshot.js'

/**
 * Rows that a change may have merged with it: 50 ms. Larger segments wait for a compaction, which
 * delays no request.
 */
export const MERGED_ROWS_MAX = 16_384

/**
 * Segments of a snapshot; a list reads each of them, and past these the smaller ones are merged.
 */
export const SEGMENTS_MAX = 6

/** Segments to be merged, by position. */
export interface Compaction {
  readonly from: number
  readonly to: number
}

/** Divisor of the rows: past that share, rows of the other segments are merged into the first. */
export const GROWN_SHARE = 8

/** Divisor of the rows: past that share of deleted rows, the live ones are copied. */
const DELETED_SHARE = 4

/**
 * Segments to merge so that lists stay cheap and memory is freed, or undefined. Segments without
 * indexes are left alone until they have them; full ones, which come first, are only copied alone.
 */
export function compactionOf(
  { segments, staleFragments }: Snapshot,
  limits = SEGMENT_LIMITS,
): Compaction | undefined {
  if (!segments.every(hasIndexes)) return undefined
  const fullCount = segments.findLastIndex(({ segment }) => isFull(segment, limits)) + 1
  const full = segments.slice(0, fullCount)
  const outdated = full.findIndex((live) => isSparse([live]) || staleFragments.has(live.segment))
  if (outdated !== -1) return { from: outdated, to: outdated + 1 }
  const rest = segments.slice(fullCount)
  const [first] = rest
  if (first === undefined) return undefined
  const addedCount = liveCount(rest) - aliveCount(first)
  const isGrown = addedCount > MERGED_ROWS_MAX && addedCount * GROWN_SHARE > aliveCount(first)
  const isStale = rest.some(({ segment }) => staleFragments.has(segment))
  const to = segments.length
  if (isGrown || isSparse(rest) || isStale) return { from: fullCount, to }
  return rest.length > SEGMENTS_MAX ? { from: fullCount + 1, to } : undefined
}

/** The segments in an order for {@link compactionOf}; the same array if they have it. */
export function fullFirst(
  segments: readonly LiveSegment[],
  limits = SEGMENT_LIMITS,
): readonly LiveSegment[] {
  const [full, rest]: [LiveSegment[], LiveSegment[]] = [[], []]
  for (const live of segments) (isFull(live.segment, limits) ? full : rest).push(live)
  const isInOrder = full.every((live, place) => live === segments[place])
  return isInOrder ? segments : [...full, ...rest]
}

function liveCount(segments: readonly LiveSegment[]): number {
  return segments.reduce((sum, live) => sum + aliveCount(live), 0)
}

function isSparse(segments: readonly LiveSegment[]): boolean {
  const rowCount = segments.reduce((sum, { segment }) => sum + segment.rowCount, 0)
  return (rowCount - liveCount(segments)) * DELETED_SHARE > rowCount
}
