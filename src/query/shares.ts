import type { AnyRun, Merge } from './listing.js'
import { type Place, placeAt, standsBefore } from './place.js'

/** A run whose rows [low, high) may or may not be among the first; those below `low` are. */
interface Doubt {
  readonly run: AnyRun
  low: number
  high: number
  /** Place of the row halfway, once it was looked up. */
  middle: Place | undefined
}

/**
 * How many rows of each run are among the first `count` of all. Looks up at most log2(n) + 1 rows
 * of a run of n rows: every look settles half of the rows of one run that are in doubt.
 * @param count 0 to the merge's count
 * @returns one per run; their sum is `count`
 */
export function sharesOfFirst(merge: Merge, count: number): number[] {
  const doubts = merge.runs.map((run) => doubtAbout(run, merge, count))
  let wanted = doubts.reduce((left, { low }) => left - low, count)
  let open = doubts.filter(isOpen)
  while (open.length > 1 && wanted > 0) {
    const settled = settleHalf(open, merge, wanted)
    wanted -= settled.taken
    if (!isOpen(settled.doubt)) open = open.filter(isOpen)
  }
  // No other run is in doubt, or no more rows are wanted.
  if (open[0] !== undefined) open[0].low += wanted
  return doubts.map(({ low }) => low)
}

/** What can be told without a look: a run has at most `count` of the first, and of the rest all. */
function doubtAbout(run: AnyRun, merge: Merge, count: number): Doubt {
  const low = Math.max(0, run.count - (merge.count - count))
  return { run, low, high: Math.min(run.count, count), middle: undefined }
}

function isOpen({ low, high }: Doubt): boolean {
  return low < high
}

/**
 * Settles the half of one run, the row halfway included.
 * @param open two or more, all with rows in doubt   @param wanted how many of those rows are first
 * @returns the run, and how many of its rows turned out to be among the first
 */
function settleHalf(
  open: readonly Doubt[],
  { sortBy, order }: Merge,
  wanted: number,
): { doubt: Doubt; taken: number } {
  let earliest = open[0]! // there are two or more
  let latest = earliest
  let reach = 0
  for (const doubt of open) {
    doubt.middle ??= placeAt(doubt.run, middleOf(doubt), sortBy)
    reach += middleOf(doubt) - doubt.low + 1
    if (standsBefore(doubt.middle, earliest.middle!, order)) earliest = doubt
    if (standsBefore(latest.middle!, doubt.middle, order)) latest = doubt
  }
  // The latest middle comes after all other middles and what is below them: at least reach - 1
  // rows. The earliest one comes after nothing else than rows below a middle: fewer than `reach`.
  if (wanted < reach) {
    latest.high = middleOf(latest)
    latest.middle = undefined
    return { doubt: latest, taken: 0 }
  }
  const taken = middleOf(earliest) - earliest.low + 1
  earliest.low += taken
  earliest.middle = undefined
  return { doubt: earliest, taken }
}

function middleOf({ low, high }: Doubt): number {
  return (low + high) >>> 1
}
