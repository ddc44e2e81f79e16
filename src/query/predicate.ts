import { type RowSet, rowSetOrdinals } from '../free-text/row-set.js'
import type { OrderedCodes } from '../snapshot/ordered-column.js'
import {
  type CodeTest,
  type EitherTests,
  keepAllowed,
  keepEitherAllowed,
  keepEitherWithin,
  keepInSet,
  keepListed,
  keepNeitherAllowed,
  keepWithin,
  type Ranks,
} from './keep.js'

/** A test of one segment's rows, with an upper bound of the passing rows known in advance. */
export type Predicate = ListedPredicate | ComplementPredicate

/** A predicate whose passing rows are in lists. */
export type ListedPredicate = PostingPredicate | RangePredicate | RowsPredicate

/** Rows found by a search. */
export interface RowsPredicate {
  readonly kind: 'rows'
  readonly key: string
  readonly rows: RowSet
  readonly count: number
}

/** Rows that pass any of the tests. */
export interface PostingPredicate {
  readonly kind: 'posting'
  /** Identifies the set of passing rows: the same for equal tests of one segment. */
  readonly key: string
  readonly tests: readonly [CodeTest] | EitherTests
  /** Lists of ordinals, views, of every passing row, as `listing` says. */
  readonly lists: () => Uint32Array[]
  /** The same of the failing rows; undefined = not every row is in a list. */
  readonly failing: (() => Uint32Array[]) | undefined
  /**
   * How the lists hold the passing rows: each `once`, some of them repeatedly, or with `more` rows
   * that do not pass.
   */
  readonly listing: 'once' | 'repeated' | 'more'
  /** Rows in the lists: the passing rows when each is listed `once`, else a bound. */
  readonly count: number
}

/** Rows that do not pass a posting predicate. */
export interface ComplementPredicate {
  readonly kind: 'complement'
  readonly key: string
  readonly of: PostingPredicate & { readonly tests: EitherTests }
  /** The passing rows when the other predicate lists its rows `once`, else a bound. */
  readonly count: number
}

/** Rows whose value ranks in one of the spans. */
export interface RangePredicate {
  readonly kind: 'range'
  readonly key: string
  readonly column: OrderedCodes
  /** One, or two that do not overlap, ascending. */
  readonly spans: readonly [RankSpan] | readonly [RankSpan, RankSpan]
  /** Sum of the spans' counts: the passing rows. */
  readonly count: number
}

/** Rows whose value ranks in [low, high). */
export interface RankSpan extends Ranks {
  /** Position in the column's order of the first of the rows; the `count` from there on. */
  readonly first: number
  readonly count: number
}

/** Moves the passing ordinals to the front of `rows`, in their order. @returns how many */
export function keepPassing(rows: Uint32Array, rowCount: number, predicate: Predicate): number {
  switch (predicate.kind) {
    case 'range': {
      const { column, spans } = predicate
      const [span, other] = spans
      return other === undefined
        ? keepWithin(rows, rowCount, column.codes, span)
        : keepEitherWithin(rows, rowCount, column.codes, [span, other])
    }
    case 'rows': {
      const found = predicate.rows
      return found.kind === 'bits'
        ? keepInSet(rows, rowCount, found.bits.words)
        : keepListed(rows, rowCount, found.ordinals)
    }
    case 'complement':
      return keepNeitherAllowed(rows, rowCount, predicate.of.tests)
    case 'posting': {
      const [test, other] = predicate.tests
      return other === undefined
        ? keepAllowed(rows, rowCount, test.codes, test.allowed)
        : keepEitherAllowed(rows, rowCount, [test, other])
    }
  }
}

/** Whether the count is that of the passing rows, so that a list holds each once and no other. */
export function countsExactly(predicate: Predicate): boolean {
  if (predicate.kind === 'complement') return predicate.of.listing === 'once'
  return predicate.kind !== 'posting' || predicate.listing === 'once'
}

/** Whether {@link passingLists} holds only passing rows. */
export function listsNoMore(predicate: Predicate): boolean {
  return predicate.kind !== 'posting' || predicate.listing !== 'more'
}

/** Lists of ordinals, not to be written to, of every passing row; `count` rows in all. */
export function passingLists(predicate: ListedPredicate): Uint32Array[] {
  if (predicate.kind === 'rows') return [rowSetOrdinals(predicate.rows)]
  if (predicate.kind === 'posting') return predicate.lists()
  const { column, spans } = predicate
  return spans.map(({ first, count }) => column.order.subarray(first, first + count))
}

/**
 * Lists of ordinals, views, of every failing row and no other, some of them repeatedly; undefined
 * when the segment has none.
 */
export function failingLists(predicate: Predicate): Uint32Array[] | undefined {
  if (predicate.kind === 'rows') return undefined
  if (predicate.kind === 'complement') return predicate.of.lists()
  if (predicate.kind === 'posting') return predicate.failing?.()
  const { order } = predicate.column
  let end = 0
  const lists = predicate.spans.map(({ first, count }) => {
    const before = order.subarray(end, first)
    end = first + count
    return before
  })
  return [...lists, order.subarray(end)]
}
