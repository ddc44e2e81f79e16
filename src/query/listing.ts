import type { Segment } from '../snapshot/snapshot.js'

/**
 * Rows of one segment in the order of the answer, without listing them: row i is
 * `ordinals[first + i * step]`, or `first + i * step` itself where there are no ordinals.
 */
export interface Run {
  readonly segment: Segment
  readonly ordinals: Uint32Array | undefined
  readonly first: number
  readonly step: 1 | -1
  readonly count: number
}

/** Everything that passes the filters, in order: the runs one after the other. */
export interface Listing {
  /** Sum of the runs' counts. */
  readonly total: number
  readonly runs: readonly Run[]
}

/** The rows at `offset` to `offset + limit` of the listing; costs the same at any offset. */
export function pageOf(listing: Listing, offset: number, limit: number): Run[] {
  const page: Run[] = []
  let skip = offset
  let wanted = limit
  for (const run of listing.runs) {
    if (wanted === 0) break
    if (skip >= run.count) {
      skip -= run.count
      continue
    }
    const count = Math.min(run.count - skip, wanted)
    page.push({ ...run, first: run.first + skip * run.step, count })
    wanted -= count
    skip = 0
  }
  return page
}

/** The ordinal of row i of a run. @param i 0 to count - 1 */
export function ordinalAt(run: Run, i: number): number {
  const position = run.first + i * run.step
  return run.ordinals === undefined ? position : (run.ordinals[position] ?? 0)
}

/** A listing of the runs that hold any row. */
export function listingOf(runs: readonly Run[]): Listing {
  const filled = runs.filter((run) => run.count > 0)
  return { total: filled.reduce((total, run) => total + run.count, 0), runs: filled }
}
