import type { Segment } from '../snapshot/snapshot.js'
import { type RankedRows, selectFrom } from './ranked-rows.js'
import type { SortField, SortOrder } from './transaction-query.js'

/**
 * Rows of one segment in the listing's order, without a copy: row i is
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
 * Rows of one segment that are selected when a page needs them: the `first`-th of ranked rows and
 * those after it, from the front if the step is 1 and from the back if it is -1.
 */
export interface RankedRun {
  readonly segment: Segment
  readonly ranked: RankedRows
  readonly first: number
  readonly step: 1 | -1
  readonly count: number
}

/** A run, materialized or not. */
export type AnyRun = Run | RankedRun

/**
 * Runs of several segments whose rows interleave; the merge is computed for the requested page
 * (`merge.ts`).
 */
export interface Merge {
  /** Each in the listing's order, all rows with the sort key. */
  readonly runs: readonly AnyRun[]
  /** Sum of the runs' counts. */
  readonly count: number
  readonly sortBy: SortField
  readonly order: SortOrder
}

/** Consecutive rows of a listing. */
export type Part = AnyRun | Merge

/** All rows that pass the filters, in order: the parts one after the other. */
export interface Listing {
  /** Sum of the parts' counts. */
  readonly total: number
  readonly parts: readonly Part[]
}

/** Rows `skip` to `skip + count` of a run. */
export function sliceOfRun(run: AnyRun, skip: number, count: number): AnyRun {
  const { segment, step } = run
  if (!('ranked' in run)) {
    return { segment, ordinals: run.ordinals, first: run.first + skip * step, step, count }
  }
  const first = run.first + (step === 1 ? skip : run.count - skip - count)
  return { segment, ranked: run.ranked, first, step, count }
}

/** The same rows, materialized. */
export function materializedRun(run: AnyRun): Run {
  if (!('ranked' in run)) return run
  const { segment, ranked, step, count } = run
  const ordinals = selectFrom(ranked, run.first, count)
  return { segment, ordinals, first: step === 1 ? 0 : count - 1, step, count }
}

/** The ordinal of row i of a run. @param i 0 to count - 1 */
export function ordinalAt(run: Run, i: number): number {
  const position = run.first + i * run.step
  return run.ordinals === undefined ? position : (run.ordinals[position] ?? 0)
}

/** The ordinal of row i of a run, computed for it alone. @param i 0 to count - 1 */
export function rankedOrdinalAt(run: AnyRun, i: number): number {
  if (!('ranked' in run)) return ordinalAt(run, i)
  const position = run.first + (run.step === 1 ? i : run.count - 1 - i)
  return selectFrom(run.ranked, position, 1)[0] ?? 0
}

/** A listing of the non-empty parts. */
export function listingOf(parts: readonly Part[]): Listing {
  const filled = parts.filter((part) => part.count > 0)
  return { total: filled.reduce((total, part) => total + part.count, 0), parts: filled }
}

/** The segments that rows of a listing are in. */
export function segmentsOfListing({ parts }: Listing): Segment[] {
  const runs = parts.flatMap((part) => ('runs' in part ? part.runs : [part]))
  return [...new Set(runs.map(({ segment }) => segment))]
}
