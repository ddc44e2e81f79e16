import type { Segment } from './snapshot.js'

/** The largest size of a segment. */
export interface SegmentBounds {
  /** At least 1. */
  readonly rowCount: number
  /** Bytes of the rendered rows; at least those of the largest row. */
  readonly byteCount: number
}

/**
 * Bounds of every segment: no array of one is longer than 2 GiB, which not all of the system's and
 * the runtime's functions can pass, and no thread builds or merges one for minutes.
 */
export const SEGMENT_BOUNDS: SegmentBounds = { rowCount: 2 ** 21, byteCount: 2 ** 31 - 1 }

/** Whether a segment is so large that it is not merged with others any more. */
export function isFull(
  { rowCount, rowBytes }: Pick<Segment, 'rowCount' | 'rowBytes'>,
  bounds: SegmentBounds,
): boolean {
  return rowCount * 2 > bounds.rowCount || rowBytes.length * 2 > bounds.byteCount
}
