import { type RowSet, rowSetOrdinals } from '../free-text/row-set.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import {
  firstAbove,
  firstAtLeast,
  type InstantColumn,
  positionOfCode,
} from '../snapshot/ordered-column.js'
import { codeCountOf, type Postings, postingCount, postingOf } from '../snapshot/postings.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import { codeOfString } from '../snapshot/strings.js'
import { keepAllowed, keepEitherAllowed, keepInSet, keepListed, keepWithin } from './keep.js'
import type { CategoryFilter, TransactionBounds, TransactionQuery } from './transaction-query.js'

/** A test of one segment's rows, with an upper bound of the passing rows known in advance. */
export type Predicate = PostingPredicate | RangePredicate | RowsPredicate

/** Rows found by a search. */
export interface RowsPredicate {
  readonly kind: 'rows'
  readonly key: string
  readonly rows: RowSet
  readonly count: number
}

/** Rows that are in the postings of any of the codes. */
interface PostingPredicate {
  readonly kind: 'posting'
  /** Identifies the set of passing rows: the same for equal tests of one segment. */
  readonly key: string
  readonly postings: Postings
  readonly postingCodes: readonly number[]
  readonly columns: readonly [CodeArray] | readonly [CodeArray, CodeArray]
  /** 1 = passes, per code of the columns, the code for "none" included. */
  readonly allowed: Uint8Array
  /**
   * How the postings of the codes list the passing rows: each `once`, some of them repeatedly, or
   * with `more` rows that do not pass.
   */
  readonly listing: 'once' | 'repeated' | 'more'
  /**
   * Rows in the postings of the codes: the passing rows when each is listed `once`, else a bound.
   */
  readonly count: number
}

/** Rows whose instant ranks in [low, high). */
interface RangePredicate {
  readonly kind: 'range'
  readonly key: string
  readonly column: InstantColumn
  readonly low: number
  readonly high: number
  /** Position in `column.order` of the first row that passes; the `count` from there on pass. */
  readonly first: number
  readonly count: number
}

/**
 * The predicates of a query and its bounds for a segment, without those that every row passes.
 * @returns undefined when no row can pass
 */
export function predicatesOf(
  snapshot: Snapshot,
  segment: Segment,
  query: TransactionQuery,
  bounds: TransactionBounds,
): Predicate[] | undefined {
  const predicates = [
    ...boundPredicates(segment, bounds),
    ...categoryPredicates(snapshot, segment, query),
    range('b', segment.booked, query.bookedAfterMs, query.bookedBeforeMs),
    range('v', segment.valued, query.valuedAfterMs, query.valuedBeforeMs),
    range('i', segment.imported, query.importedAfterMs, query.importedBeforeMs),
  ].filter((predicate) => predicate !== undefined)
  if (predicates.some((predicate) => selectsNothing(predicate, bounds))) return undefined
  return predicates.filter((predicate) => !passesAll(predicate, segment))
}

/**
 * Whether it is known in advance that no row passes. For a credential that may not see all
 * accounts, only account predicates decide: whether other accounts have a counterpart or category
 * must not show in the response time.
 */
function selectsNothing({ kind, key, count }: Predicate, bounds: TransactionBounds): boolean {
  if (count > 0) return false
  return bounds.visibleCodes === undefined || (kind === 'posting' && key.startsWith(ACCOUNT_KEY))
}

/** Moves the passing ordinals to the front of `rows`, in their order. @returns how many */
export function keepPassing(rows: Uint32Array, rowCount: number, predicate: Predicate): number {
  if (predicate.kind === 'range') return keepWithin(rows, rowCount, predicate)
  if (predicate.kind === 'rows') {
    const found = predicate.rows
    return found.kind === 'bits'
      ? keepInSet(rows, rowCount, found.bits.words)
      : keepListed(rows, rowCount, found.ordinals)
  }
  const { columns, allowed } = predicate
  const [codes, otherCodes] = columns
  if (otherCodes === undefined) return keepAllowed(rows, rowCount, codes, allowed)
  return keepEitherAllowed(rows, rowCount, { codes, otherCodes, allowed })
}

/** Whether {@link passingLists} holds each passing row once, and no other. */
export function listsOnce(predicate: Predicate): boolean {
  return predicate.kind !== 'posting' || predicate.listing === 'once'
}

/** Whether {@link passingLists} holds only passing rows. */
export function listsNoMore(predicate: Predicate): boolean {
  return predicate.kind !== 'posting' || predicate.listing !== 'more'
}

/** Lists of ordinals, not to be written to, of every passing row; `count` rows in all. */
export function passingLists(predicate: Predicate): Uint32Array[] {
  if (predicate.kind === 'range') {
    const { column, first, count } = predicate
    return [column.order.subarray(first, first + count)]
  }
  if (predicate.kind === 'rows') return [rowSetOrdinals(predicate.rows)]
  return predicate.postingCodes.map((code) => postingOf(predicate.postings, code))
}

/**
 * Lists of ordinals, views, of every failing row, or undefined when the segment has none: not every
 * row need be in a posting.
 */
export function failingLists(predicate: Predicate, rowCount: number): Uint32Array[] | undefined {
  if (predicate.kind === 'range') {
    const { column, first, count } = predicate
    return [column.order.subarray(0, first), column.order.subarray(first + count)]
  }
  if (predicate.kind === 'rows') return undefined
  const { postings, allowed, listing, columns } = predicate
  const listsEveryRowOnce = postings.ordinals.length === rowCount && columns.length === 1
  if (listing !== 'once' || !listsEveryRowOnce) return undefined
  const lists: Uint32Array[] = []
  for (let code = 0; code < allowed.length - 1; code++) {
    if (allowed[code] === 0) lists.push(postingOf(postings, code))
  }
  return lists
}

function passesAll(predicate: Predicate, segment: Segment): boolean {
  return listsOnce(predicate) && predicate.count === segment.rowCount
}

/** First character of {@link PostingPredicate.key} for account predicates only. */
const ACCOUNT_KEY = 'a'

function boundPredicates(segment: Segment, bounds: TransactionBounds): PostingPredicate[] {
  const predicates: PostingPredicate[] = []
  if (bounds.accountCodes !== undefined) {
    const { accountPostings, accountCodes } = segment
    predicates.push(posting(ACCOUNT_KEY, accountPostings, bounds.accountCodes, [accountCodes]))
  }
  if (bounds.counterpartIban !== undefined) {
    const code = codeOfString(segment.counterpartIbans, bounds.counterpartIban)
    const codes = code === -1 ? [] : [code]
    const { counterpartPostings, counterpartCodes } = segment
    predicates.push(posting('c', counterpartPostings, codes, [counterpartCodes]))
  }
  return predicates
}

/** The three category rules (docs/contract/lists.md, "Category filter"). */
function categoryPredicates(
  snapshot: Snapshot,
  segment: Segment,
  query: TransactionQuery,
): PostingPredicate[] {
  const { category, parentCategory } = query
  const { categoryCodes, parentCodes, categoryPostings, eitherPostings } = segment
  const own = (choice: CategoryFilter): PostingPredicate =>
    posting('g', categoryPostings, codesOf(snapshot, choice), [categoryCodes])
  if (category === undefined && parentCategory === undefined) return []
  if (parentCategory === undefined) return category === undefined ? [] : [own(category)]
  const parentCategoryCodes = codesOf(snapshot, parentCategory)
  if (category === undefined) {
    const columns = [categoryCodes, parentCodes] as const
    return [posting('e', eitherPostings, parentCategoryCodes, columns)]
  }
  // Postings that also list rows with the code as their category: never fewer than the passing
  // rows.
  return [own(category), posting('p', eitherPostings, parentCategoryCodes, [parentCodes])]
}

function codesOf({ categories }: Snapshot, choice: CategoryFilter): number[] {
  return categories
    .filter(({ id, name }) => name === choice.text || id === choice.id)
    .map(({ code }) => code)
}

function posting(
  kind: string,
  postings: Postings,
  codes: readonly number[],
  columns: readonly [CodeArray] | readonly [CodeArray, CodeArray],
): PostingPredicate {
  const codeCount = codeCountOf(postings)
  const allowed = new Uint8Array(codeCount + 1)
  // An account or category that is younger than the segment has no rows in it.
  const postingCodes = codes.filter((code) => code < codeCount)
  let count = 0
  for (const code of postingCodes) {
    allowed[code] = 1
    count += postingCount(postings, code)
  }
  const key = `${kind}${postingCodes.join(',')}`
  // The wide postings list a row under its category too, and under both of its codes.
  const isRepeated = kind === 'e' && postingCodes.length > 1
  const listing = kind === 'p' ? 'more' : isRepeated ? 'repeated' : 'once'
  return { kind: 'posting', key, postings, postingCodes, columns, allowed, listing, count }
}

function range(
  kind: string,
  column: InstantColumn,
  afterMs: number | undefined,
  beforeMs: number | undefined,
): RangePredicate | undefined {
  if (afterMs === undefined && beforeMs === undefined) return undefined
  const low = afterMs === undefined ? 0 : firstAbove(column.values, afterMs)
  const high = beforeMs === undefined ? column.valueCount : firstAtLeast(column.values, beforeMs)
  if (low >= high) {
    return { kind: 'range', key: `${kind}none`, column, low, high: low, first: 0, count: 0 }
  }
  const first = positionOfCode(column, low)
  const count = positionOfCode(column, high) - first
  return { kind: 'range', key: `${kind}${low}-${high}`, column, low, high, first, count }
}
