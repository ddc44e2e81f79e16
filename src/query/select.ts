import {
  addRows,
  type BitSet,
  bitSetOf,
  emptyWords,
  fullWords,
  intersect,
  ordinalsOf,
  removeRows,
} from '../ordinals/bit-set.js'
import type { OrderedCodes } from '../snapshot/ordered-column.js'
import type { Segment } from '../snapshot/snapshot.js'
import {
  failingLists,
  keepPassing,
  type ListedPredicate,
  listsNoMore,
  type Predicate,
  passingLists,
} from './predicate.js'
import { type RankedRows, rankedRowsOf } from './ranked-rows.js'

/** Passing rows, ready to be paged through in one order. */
export type Selection = OrdinalSelection | BitSelection

/** A few rows: all of them, ascending by (key, id), or by ordinal without a key. */
interface OrdinalSelection {
  readonly kind: 'ordinals'
  readonly ordinals: Uint32Array
}

/** Many rows: a bit set, in the key's order. */
interface BitSelection {
  readonly kind: 'bits'
  readonly ranked: RankedRows
}

/**
 * Divisor of the rows: up to that share a selection is an array that is sorted; for more rows,
 * walking the order of the key and testing the bit set takes no longer, and the bit set is smaller.
 */
const SPARSE_SHARE = 64

/**
 * Divisor of the rows: up to that share the rows of the narrowest predicate are tested with the
 * others one by one; for more rows, intersecting bit sets takes less time.
 */
const TESTED_SHARE = 4

/**
 * The rows that pass all predicates.
 * @param predicates at least one   @param key undefined = in the order of the ordinals
 */
export function select(
  segment: Segment,
  predicates: readonly Predicate[],
  key: OrderedCodes | undefined,
): Selection {
  const { rowCount } = segment
  const [narrowest, ...others] = predicates.toSorted((a, b) => a.count - b.count)
  if (narrowest === undefined) return bitSelection(fullWords(rowCount), key, rowCount)
  const found = bitSetOfPredicate(narrowest)
  if (found !== undefined && others.length === 0) {
    return { kind: 'bits', ranked: rankedRowsOf(found, key?.order, rowCount) }
  }
  if (narrowest.count * TESTED_SHARE > rowCount && predicates.every(listsNoMore)) {
    const words = wordsOf(narrowest, rowCount)
    for (const predicate of others) narrow(words, predicate, rowCount)
    return bitSelection(words, key, rowCount)
  }
  const rows = gathered(narrowest, rowCount)
  const keptCount = keepAll(rows, listsNoMore(narrowest) ? others : predicates)
  const kept = rows.subarray(0, keptCount)
  if (keptCount * SPARSE_SHARE > rowCount) {
    const words = emptyWords(rowCount)
    addRows(words, kept)
    return bitSelection(words, key, rowCount)
  }
  // Testing keeps the order, and a range of the key is in the key's order.
  const isInOrder = narrowest.kind === 'range' && narrowest.column === key
  return { kind: 'ordinals', ordinals: isInOrder ? kept.slice() : sorted(kept, key) }
}

function bitSelection(
  words: Uint32Array,
  key: OrderedCodes | undefined,
  rowCount: number,
): BitSelection {
  return { kind: 'bits', ranked: rankedRowsOf(bitSetOf(words), key?.order, rowCount) }
}

/** The bit set of a search's rows, if they are many. */
function bitSetOfPredicate(predicate: Predicate): BitSet | undefined {
  return predicate.kind === 'rows' && predicate.rows.kind === 'bits'
    ? predicate.rows.bits
    : undefined
}

/** Bits of the passing rows, by adding them or removing the others, whichever are fewer. */
function wordsOf(predicate: Predicate, rowCount: number): Uint32Array {
  const found = bitSetOfPredicate(predicate)
  if (found !== undefined) return found.words.slice()
  if (predicate.kind !== 'complement') {
    const failing = fewerFailing(predicate, rowCount)
    return failing === undefined ? passingWords(predicate, rowCount) : without(rowCount, failing)
  }
  return without(rowCount, failingLists(predicate) ?? [])
}

function passingWords(predicate: ListedPredicate, rowCount: number): Uint32Array {
  const words = emptyWords(rowCount)
  for (const rows of passingLists(predicate)) addRows(words, rows)
  return words
}

function without(rowCount: number, failing: readonly Uint32Array[]): Uint32Array {
  const words = fullWords(rowCount)
  for (const rows of failing) removeRows(words, rows)
  return words
}

function narrow(words: Uint32Array, predicate: Predicate, rowCount: number): void {
  const found = bitSetOfPredicate(predicate)
  const failing = found === undefined ? fewerFailing(predicate, rowCount) : undefined
  if (found !== undefined) intersect(words, found.words)
  else if (failing === undefined) intersect(words, wordsOf(predicate, rowCount))
  else for (const rows of failing) removeRows(words, rows)
}

function fewerFailing(predicate: Predicate, rowCount: number): Uint32Array[] | undefined {
  return predicate.count * 2 > rowCount ? failingLists(predicate) : undefined
}

/** A copy of the listed rows, each once; rows that do not pass may be among them. */
function gathered(predicate: Predicate, rowCount: number): Uint32Array {
  const lists = predicate.kind === 'complement' ? [] : passingLists(predicate)
  if (predicate.kind === 'complement' || repeatsRows(predicate, lists)) {
    return ordinalsOf(bitSetOf(wordsOf(predicate, rowCount)))
  }
  const rows = new Uint32Array(predicate.count)
  let end = 0
  for (const list of lists) {
    rows.set(list, end)
    end += list.length
  }
  return rows
}

/** Whether a row may be in several of the lists, or repeatedly in one. */
function repeatsRows(predicate: ListedPredicate, lists: readonly Uint32Array[]): boolean {
  if (predicate.kind !== 'posting' || predicate.listing === 'once') return false
  return predicate.listing === 'repeated' || lists.length > 1
}

function keepAll(rows: Uint32Array, predicates: readonly Predicate[]): number {
  let keptCount = rows.length
  for (const predicate of predicates) keptCount = keepPassing(rows, keptCount, predicate)
  return keptCount
}

/** A sorted copy: ascending by (key, id), or by ordinal without a key. */
function sorted(rows: Uint32Array, key: OrderedCodes | undefined): Uint32Array {
  if (key === undefined) return rows.slice().sort()
  const rowCount = key.codes.length
  // One double per row holds the rank above and the reversed ordinal below (ids ascend as ordinals
  // descend). Both are at most rowCount, and (rowCount + 1)² stays below 2^53 up to 94 million
  // rows.
  const composite = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    composite[i] = key.codes[row]! * rowCount + (rowCount - 1 - row)
  }
  composite.sort()
  const ordinals = new Uint32Array(rows.length)
  for (let i = 0; i < rows.length; i++) ordinals[i] = rowCount - 1 - (composite[i]! % rowCount)
  return ordinals
}
