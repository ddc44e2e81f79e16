import { strict as assert } from 'node:assert'
import {
  type AnyRun,
  type Merge,
  materializedRun,
  type Part,
  type Run,
  sliceOfRun,
} from './listing.js'
import { precedes, type SortKey, sortKeyAt } from './sort-key.js'
import { splitRuns } from './split-runs.js'
import type { SortField, SortOrder, TransactionQuery } from './transaction-query.js'

/**
 * The parts of a listing of several segments: their rows with the sort key, then those without it,
 * merged by id.
 * @param lists one per segment, each of up to two runs: rows with the key, then rows without
 */
export function mergedParts(
  lists: readonly (readonly AnyRun[])[],
  { sortBy, order }: TransactionQuery,
): Part[] {
  assert(lists.every((list) => list.length <= 2))
  const withKey = lists.flatMap((list) => list.slice(0, 1))
  const withoutKey = lists.flatMap((list) => list.slice(1))
  return [partOf(withKey, sortBy, order), partOf(withoutKey, '_id', order)]
}

function partOf(runs: readonly AnyRun[], sortBy: SortField, order: SortOrder): Part {
  const filled = runs.filter((run) => run.count > 0)
  const [only] = filled
  if (only !== undefined && filled.length === 1) return only
  return mergeOf(filled, sortBy, order)
}

function mergeOf(runs: readonly AnyRun[], sortBy: SortField, order: SortOrder): Merge {
  return { runs, count: runs.reduce((count, run) => count + run.count, 0), sortBy, order }
}

/**
 * Rows `skip` to `skip + count` of a merge; neighbours of one run are mostly returned as one run.
 * Looks up some log2(n) rows of each run of n rows and the page's own, and no others.
 * @param count `skip + count` is at most the merge's
 */
export function mergedPage(merge: Merge, skip: number, count: number): Run[] {
  const { sortBy, order } = merge
  const page: Run[] = []
  const heads = headsOf(merge, skip, count)
  let wanted = count
  while (wanted > 0 && heads[0] !== undefined) {
    const [head, next] = heads
    const { found, position } = head
    const endMax = Math.min(found.count, position + wanted)
    const end = next === undefined ? endMax : endBefore(head, next.place, { endMax, sortBy, order })
    page.push(materializedRun(sliceOfRun(found, position, end - position)))
    wanted -= end - position
    if (wanted > 0) moveOn(heads, end, merge)
  }
  return page
}

/** The position in a run: rows selected so far, and those after them. */
interface Head {
  found: Run
  rest: AnyRun
  /** Position of the first selected row that is not on the page yet. */
  position: number
  place: SortKey
}

/** Rows selected of a ranked run beyond those expected on the page. */
const SPARE_ROWS = 8

/** The runs without the first `skip` rows of the merge, ordered by their next rows. */
function headsOf(merge: Merge, skip: number, count: number): Head[] {
  const { runs, sortBy, order } = merge
  const shares = splitRuns(merge, skip)
  const heads: Head[] = []
  for (const [i, run] of runs.entries()) {
    const share = shares[i]! // one per run
    if (share === run.count) continue
    const rest = sliceOfRun(run, share, run.count - share)
    const expectedCount = Math.ceil((count * run.count) / merge.count)
    heads.unshift(headOf(rest, expectedCount + SPARE_ROWS, sortBy))
    sink(heads, order)
  }
  return heads
}

/** A head with `count` selected rows, or all of a materialized run. @param run not empty */
function headOf(run: AnyRun, count: number, sortBy: SortField): Head {
  const foundCount = 'ranked' in run ? Math.min(run.count, count) : run.count
  const found = materializedRun(sliceOfRun(run, 0, foundCount))
  const rest = sliceOfRun(run, foundCount, run.count - foundCount)
  return { found, rest, position: 0, place: sortKeyAt(found, 0, sortBy) }
}

/**
 * Continues the first head from `end`; selects twice as many rows as before when all are used up.
 */
function moveOn(heads: Head[], end: number, { sortBy, order }: Merge): void {
  const head = heads[0]! // there is one
  const { found, rest } = head
  if (end < found.count) {
    head.position = end
    head.place = sortKeyAt(found, end, sortBy)
  } else if (rest.count > 0) {
    heads[0] = headOf(rest, found.count * 2, sortBy)
  } else {
    heads.shift()
    return
  }
  sink(heads, order)
}

/** Moves the first head to its position in the order; the others are sorted. */
function sink(heads: Head[], order: SortOrder): void {
  const head = heads[0]! // there is one
  let i = 1
  for (; i < heads.length; i++) {
    const next = heads[i]! // i < length
    if (!precedes(next.place, head.place, order)) break
    heads[i - 1] = next
  }
  heads[i - 1] = head
}

/**
 * Position after the last selected row, below `endMax`, that precedes the sort key; the row at the
 * head does. Galloping search: steps double before they halve, so that it takes a look or two where
 * runs alternate.
 */
function endBefore(
  { found, position }: Head,
  place: SortKey,
  { endMax, sortBy, order }: { endMax: number; sortBy: SortField; order: SortOrder },
): number {
  const isBefore = (i: number): boolean => precedes(sortKeyAt(found, i, sortBy), place, order)
  let low = position + 1
  let step = 1
  while (low + step <= endMax && isBefore(low + step - 1)) {
    low += step
    step *= 2
  }
  // By hand: it runs for each row where runs alternate, and lowerBound takes 2 % of such a page.
  let high = Math.min(low + step - 1, endMax)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
