import { compareAmounts } from '../money.js'
import type { InstantColumn } from '../snapshot/ordered-column.js'
import type { Segment } from '../snapshot/snapshot.js'
import { type AnyRun, foundRun, ordinalAt, sliceOfRun } from './listing.js'
import type { SortBy, TransactionQuery } from './transaction-query.js'

/**
 * One list of runs out of one per segment: all rows, in the order of the query. Runs are split
 * where a row of another segment stands between their rows, never listed, so the cost is that of
 * the smaller lists: each of their rows takes a binary search in the largest.
 * @param lists each in the order of the query
 */
export function mergeRuns(
  lists: readonly (readonly AnyRun[])[],
  query: TransactionQuery,
): AnyRun[] {
  const [largest = [], ...others] = lists.toSorted((a, b) => rowCountOf(b) - rowCountOf(a))
  return others.reduce<AnyRun[]>((merged, list) => mergeTwo(merged, list, query), [...largest])
}

function rowCountOf(runs: readonly AnyRun[]): number {
  return runs.reduce((count, run) => count + run.count, 0)
}

interface Row {
  readonly segment: Segment
  readonly ordinal: number
}

/** Rows of runs by position, without listing them. */
class RowsOfRuns {
  readonly count: number
  readonly #starts: number[] = []

  constructor(readonly runs: readonly AnyRun[]) {
    let start = 0
    for (const run of runs) {
      this.#starts.push(start)
      start += run.count
    }
    this.count = start
  }

  at(position: number): Row {
    const index = this.#runAt(position)
    const run = this.runs[index]! // 0 <= position < count, so a run holds it
    const row = foundRun(sliceOfRun(run, position - this.#starts[index]!, 1))
    return { segment: row.segment, ordinal: ordinalAt(row, 0) }
  }

  /** The rows in [from, to) as runs. */
  slice(from: number, to: number): AnyRun[] {
    const parts: AnyRun[] = []
    for (let index = this.#runAt(from), at = from; at < to; index++) {
      const run = this.runs[index]! // at < to <= count
      const skipped = at - this.#starts[index]!
      const count = Math.min(run.count - skipped, to - at)
      parts.push(sliceOfRun(run, skipped, count))
      at += count
    }
    return parts
  }

  #runAt(position: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#starts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}

function mergeTwo(
  larger: readonly AnyRun[],
  smaller: readonly AnyRun[],
  query: TransactionQuery,
): AnyRun[] {
  const base = new RowsOfRuns(larger)
  const added = new RowsOfRuns(smaller)
  const merged: AnyRun[] = []
  let basePosition = 0
  let addedFrom = 0
  for (let position = 0; position < added.count; position++) {
    const next = positionBefore(base, basePosition, added.at(position), query)
    if (next === basePosition) continue
    merged.push(...added.slice(addedFrom, position), ...base.slice(basePosition, next))
    basePosition = next
    addedFrom = position
  }
  merged.push(...added.slice(addedFrom, added.count), ...base.slice(basePosition, base.count))
  return merged
}

/** Position of the first base row, from `from` on, that comes after the row. */
function positionBefore(base: RowsOfRuns, from: number, row: Row, query: TransactionQuery): number {
  const comesAfter = (position: number): boolean => compareRows(base.at(position), row, query) > 0
  // Neighbours of one list are mostly neighbours in the other: look here before searching.
  if (from >= base.count || comesAfter(from)) return from
  let low = from + 1
  let high = base.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comesAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Negative when `a` comes first in the query's order; 0 only for one and the same id. */
function compareRows(a: Row, b: Row, { sortBy, order }: TransactionQuery): number {
  const direction = order === 'asc' ? 1 : -1
  const absence = Number(!hasKey(a, sortBy)) - Number(!hasKey(b, sortBy))
  if (absence !== 0) return absence
  const keys = hasKey(a, sortBy) ? compareKeys(a, b, sortBy) : 0
  if (keys !== 0) return keys * direction
  return (a.segment.ids[a.ordinal]! - b.segment.ids[b.ordinal]!) * direction
}

function instantsOf(segment: Segment, sortBy: SortBy): InstantColumn | undefined {
  if (sortBy === 'bookingDate') return segment.booked
  if (sortBy === 'valueDate') return segment.valued
  return sortBy === 'importDate' ? segment.imported : undefined
}

function hasKey({ segment, ordinal }: Row, sortBy: SortBy): boolean {
  const column = instantsOf(segment, sortBy)
  return column === undefined || column.codes[ordinal]! < column.valueCount
}

function compareKeys(a: Row, b: Row, sortBy: SortBy): number {
  if (sortBy === '_id') return 0
  if (sortBy === 'amount') return compareAmounts(amountOf(a), amountOf(b))
  return instantOf(a, sortBy) - instantOf(b, sortBy)
}

function instantOf({ segment, ordinal }: Row, sortBy: SortBy): number {
  const column = instantsOf(segment, sortBy)
  return column?.values[column.codes[ordinal]!] ?? 0
}

function amountOf({ segment: { amounts }, ordinal }: Row): { unscaled: number; scale: number } {
  const code = amounts.codes[ordinal]!
  return { unscaled: amounts.unscaled[code]!, scale: amounts.scales[code]! }
}
