import { aliveCount, hasIndexes, type Snapshot } from './snapshot.js'

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
const GROWN_SHARE = 8

/** Divisor of the rows: past that share of deleted rows, the live ones are copied. */
const DELETED_SHARE = 4

/**
 * Segments to merge so that lists stay cheap and memory is freed, or undefined. Segments without
 * indexes are left alone until they have them.
 */
export function compactionOf({ segments, staleFragments }: Snapshot): Compaction | undefined {
  const [first] = segments
  if (first === undefined || !segments.every(hasIndexes)) return undefined
  const rowCount = segments.reduce((sum, { segment }) => sum + segment.rowCount, 0)
  const liveCount = segments.reduce((sum, live) => sum + aliveCount(live), 0)
  const addedCount = liveCount - aliveCount(first)
  const isGrown = addedCount > MERGED_ROWS_MAX && addedCount * GROWN_SHARE > aliveCount(first)
  const isSparse = (rowCount - liveCount) * DELETED_SHARE > rowCount
  if (isGrown || isSparse || staleFragments.size > 0) return { from: 0, to: segments.length }
  return segments.length > SEGMENTS_MAX ? { from: 1, to: segments.length } : undefined
}
