import { strict as assert } from 'node:assert'
import { type AnyRun, foundRun, type Merge, type Part, type Run, sliceOfRun } from './listing.js'
import { type Place, placeAt, standsBefore } from './place.js'
import { sharesOfFirst } from './shares.js'
import type { SortBy, SortOrder, TransactionQuery } from './transaction-query.js'

/**
 * The parts of a listing of several segments: their rows with the sort key, then those without it,
 * which stand among each other by id.
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

function partOf(runs: readonly AnyRun[], sortBy: SortBy, order: SortOrder): Part {
  const filled = runs.filter((run) => run.count > 0)
  const [only] = filled
  if (only !== undefined && filled.length === 1) return only
  return mergeOf(filled, sortBy, order)
}

function mergeOf(runs: readonly AnyRun[], sortBy: SortBy, order: SortOrder): Merge {
  return { runs, count: runs.reduce((count, run) => count + run.count, 0), sortBy, order }
}

/**
 * The rows at `skip` to `skip + count` of a merge, found. Looks up some log2(n) rows of each run of
 * n rows, and some of the page's own; no others.
 * @param count `skip + count` is at most the merge's
 */
export function foundMerge(merge: Merge, skip: number, count: number): Run[] {
  const { sortBy, order } = merge
  const skipped = sharesOfFirst(merge, skip)
  const rest = mergeOf(
    merge.runs.map((run, i) => sliceOfRun(run, skipped[i]!, run.count - skipped[i]!)), // as many
    sortBy,
    order,
  )
  const shares = sharesOfFirst(rest, count)
  const found = rest.runs.flatMap((run, i) => {
    const share = shares[i]! // as many
    return share === 0 ? [] : [foundRun(sliceOfRun(run, 0, share))]
  })
  return interleaved(found, sortBy, order)
}

/** A run, and the place of its first row that is not on the page yet. */
interface Head {
  readonly run: Run
  position: number
  place: Place
}

/** The rows of all runs in order: neighbours of one run stay one run. */
function interleaved(runs: readonly Run[], sortBy: SortBy, order: SortOrder): Run[] {
  if (runs.length === 1) return [...runs]
  const page: Run[] = []
  const heads: Head[] = []
  for (const run of runs) {
    heads.unshift({ run, position: 0, place: placeAt(run, 0, sortBy) })
    sink(heads, order)
  }
  while (heads[0] !== undefined) {
    const [head, next] = heads
    const end = next === undefined ? head.run.count : endBefore(head, next.place, sortBy, order)
    page.push(foundRun(sliceOfRun(head.run, head.position, end - head.position)))
    if (end === head.run.count) heads.shift()
    else {
      head.position = end
      head.place = placeAt(head.run, end, sortBy)
      sink(heads, order)
    }
  }
  return page
}

/** Puts the first head where it belongs; the others are in order. */
function sink(heads: Head[], order: SortOrder): void {
  const head = heads[0]! // there is one
  let i = 1
  for (; i < heads.length; i++) {
    const next = heads[i]! // i < length
    if (!standsBefore(next.place, head.place, order)) break
    heads[i - 1] = next
  }
  heads[i - 1] = head
}

/**
 * Position after the last row of the run that stands before the place. The row at the head does.
 * Steps double before they halve, so that it takes a look or two where runs alternate.
 */
function endBefore(
  { run, position }: Head,
  place: Place,
  sortBy: SortBy,
  order: SortOrder,
): number {
  const isBefore = (i: number): boolean => standsBefore(placeAt(run, i, sortBy), place, order)
  let low = position + 1
  let step = 1
  while (low + step <= run.count && isBefore(low + step - 1)) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, run.count)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
