import type { Segment } from '../snapshot/snapshot.js'
import { passingOrdinals, type Sifting } from './sifting.js'

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

/**
 * Rows of one segment that are found when a page needs them: the `first`-th of a sifting and those
 * after it, taken from the front if the step is 1 and from the back if it is -1.
 */
export interface SiftedRun {
  readonly segment: Segment
  readonly sifting: Sifting
  readonly first: number
  readonly step: 1 | -1
  readonly count: number
}

/** A part of a listing. */
export type AnyRun = Run | SiftedRun

/** Everything that passes the filters, in order: the runs one after the other. */
export interface Listing {
  /** Sum of the runs' counts. */
  readonly total: number
  readonly runs: readonly AnyRun[]
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
    page.push(foundRun(sliceOfRun(run, skip, count)))
    wanted -= count
    skip = 0
  }
  return page
}

/** Rows `skip` to `skip + count` of a run. */
export function sliceOfRun(run: AnyRun, skip: number, count: number): AnyRun {
  if (!('sifting' in run)) return { ...run, first: run.first + skip * run.step, count }
  return { ...run, first: run.first + (run.step === 1 ? skip : run.count - skip - count), count }
}

/** The same rows, found. */
export function foundRun(run: AnyRun): Run {
  if (!('sifting' in run)) return run
  const { segment, sifting, step, count } = run
  const ordinals = passingOrdinals(sifting, run.first, count)
  return { segment, ordinals, first: step === 1 ? 0 : count - 1, step, count }
}

/** The ordinal of row i of a run. @param i 0 to count - 1 */
export function ordinalAt(run: Run, i: number): number {
  const position = run.first + i * run.step
  return run.ordinals === undefined ? position : (run.ordinals[position] ?? 0)
}

/** A listing of the runs that hold any row. */
export function listingOf(runs: readonly AnyRun[]): Listing {
  const filled = runs.filter((run) => run.count > 0)
  return { total: filled.reduce((total, run) => total + run.count, 0), runs: filled }
}
