import type { AnyRun, Merge } from './listing.js'
import { precedes, type SortKey, sortKeyAt } from './sort-key.js'

/** A run whose rows [low, high) are undecided; those below `low` are among the first. */
interface RunSplit {
  readonly run: AnyRun
  low: number
  high: number
  /** Sort key of the middle row, once it was looked up. */
  middle: SortKey | undefined
}

/**
 * How many rows of each run are among the first `count` of all. Looks up at most log2(n) + 1 rows
 * of a run of n rows: every look settles half of the rows of one run that are undecided.
 * @param count 0 to the merge's count
 * @returns one per run; their sum is `count`
 */
export function splitRuns(merge: Merge, count: number): number[] {
  const splits = merge.runs.map((run) => splitOf(run, merge, count))
  let wanted = splits.reduce((left, { low }) => left - low, count)
  let open = splits.filter(isOpen)
  while (open.length > 1 && wanted > 0) {
    const settled = settleHalf(open, merge, wanted)
    wanted -= settled.taken
    if (!isOpen(settled.split)) open = open.filter(isOpen)
  }
  // No other run is undecided, or no more rows are wanted.
  if (open[0] !== undefined) open[0].low += wanted
  return splits.map(({ low }) => low)
}

/**
 * Bounds without a look-up: at most `count` rows of a run are among the first, and at most
 * `merge.count - count` are not.
 */
function splitOf(run: AnyRun, merge: Merge, count: number): RunSplit {
  const low = Math.max(0, run.count - (merge.count - count))
  return { run, low, high: Math.min(run.count, count), middle: undefined }
}

function isOpen({ low, high }: RunSplit): boolean {
  return low < high
}

/**
 * Decides the half of one run, the middle row included.
 * @param open two or more, all with undecided rows   @param wanted how many of those rows are first
 * @returns the run, and how many of its rows turned out to be among the first
 */
function settleHalf(
  open: readonly RunSplit[],
  { sortBy, order }: Merge,
  wanted: number,
): { split: RunSplit; taken: number } {
  let earliest = open[0]! // there are two or more
  let latest = earliest
  let reach = 0
  for (const split of open) {
    split.middle ??= sortKeyAt(split.run, middleOf(split), sortBy)
    reach += middleOf(split) - split.low + 1
    if (precedes(split.middle, earliest.middle!, order)) earliest = split
    if (precedes(latest.middle!, split.middle, order)) latest = split
  }
  // The latest middle comes after all other middles and the rows below them: at least reach - 1
  // rows. The earliest one comes only after rows below a middle: fewer than `reach`.
  if (wanted < reach) {
    latest.high = middleOf(latest)
    latest.middle = undefined
    return { split: latest, taken: 0 }
  }
  const taken = middleOf(earliest) - earliest.low + 1
  earliest.low += taken
  earliest.middle = undefined
  return { split: earliest, taken }
}

function middleOf({ low, high }: RunSplit): number {
  return (low + high) >>> 1
}
