import type { Segment } from './snapshot.js'

/** The largest size of a segment. */
export interface SegmentLimits {
  /** At least 1. */
  readonly rowCount: number
  /** Bytes of the rendered rows; at least those of the largest row. */
  readonly byteCount: number
}

/**
 * Limits of every segment: no array of one is longer than 2 GiB, which not all of the system's and
 * the runtime's functions can pass, and no thread builds or merges one for minutes.
 */
export const SEGMENT_LIMITS: SegmentLimits = { rowCount: 2 ** 21, byteCount: 2 ** 31 - 1 }

/** Whether a segment is so large that it is not merged with others any more. */
export function isFull(
  { rowCount, rowBytes }: Pick<Segment, 'rowCount' | 'rowBytes'>,
  limits: SegmentLimits,
): boolean {
  return rowCount * 2 > limits.rowCount || rowBytes.length * 2 > limits.byteCount
}
