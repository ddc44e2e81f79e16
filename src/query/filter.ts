import { type Amount, negateAmount } from '../money.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import {
  firstAbove,
  firstAmountAbove,
  firstAmountAtLeast,
  firstAtLeast,
  type InstantColumn,
  type OrderedCodes,
  positionOfCode,
} from '../snapshot/ordered-column.js'
import { codeCountOf, type Postings, postingCount, postingOf } from '../snapshot/postings.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import { codeOfString } from '../snapshot/strings.js'
import type { CodeTest, Ranks } from './keep.js'
import { type OwnCounterparts, ownCounterpartsOf } from './own-transfers.js'
import {
  type ComplementPredicate,
  countsExactly,
  type PostingPredicate,
  type Predicate,
  type RangePredicate,
  type RankSpan,
} from './predicate.js'
import type { CategoryFilter, TransactionBounds, TransactionQuery } from './transaction-query.js'

/** A query and its bounds. */
export interface BoundedQuery {
  readonly query: TransactionQuery
  readonly bounds: TransactionBounds
}

/**
 * The predicates of a query and its bounds for a segment, without those that every row passes.
 * @param known of the query cache
 * @returns undefined when no row can pass
 */
export function predicatesOf(
  snapshot: Snapshot,
  segment: Segment,
  { query, bounds }: BoundedQuery,
  known: OwnCounterparts,
): Predicate[] | undefined {
  const predicates = [
    ...boundPredicates(segment, bounds),
    ...categoryPredicates(snapshot, segment, query),
    uncategorizedPredicate(segment, query),
    currencyPredicate(segment, query),
    ownTransfersPredicate(snapshot, segment, { query, bounds }, known),
    amountPredicate(segment, query),
    ...datePredicates(segment, query),
  ].filter((predicate) => predicate !== undefined)
  if (predicates.some((predicate) => selectsNothing(predicate, bounds))) return undefined
  return predicates.filter((predicate) => !passesAll(predicate, segment, bounds))
}

/**
 * Whether it is known in advance that no row passes. For a credential that may not see all
 * accounts, only account predicates decide: whether other accounts have a counterpart or category
 * must not show in the response time.
 */
function selectsNothing(predicate: Predicate, bounds: TransactionBounds): boolean {
  return predicate.count === 0 && mayDecide(predicate, bounds)
}

/** Whether it is known in advance that every row passes; likewise. */
function passesAll(predicate: Predicate, segment: Segment, bounds: TransactionBounds): boolean {
  const isWhole = countsExactly(predicate) && predicate.count === segment.rowCount
  return isWhole && mayDecide(predicate, bounds)
}

function mayDecide({ kind, key }: Predicate, { visibleCodes }: TransactionBounds): boolean {
  return visibleCodes === undefined || (kind === 'posting' && key.startsWith(ACCOUNT_KEY))
}

/** First character of the keys of account predicates, and of no others. */
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
  // An account or category that is younger than the segment has no rows in it.
  const postingCodes = codes.filter((code) => code < codeCount)
  const allowed = allowedCodes(codeCount, postingCodes)
  const [first, second] = columns
  // The wide postings list a row under its category too, and under both of its codes.
  const isRepeated = kind === 'e' && postingCodes.length > 1
  const listing = kind === 'p' ? 'more' : isRepeated ? 'repeated' : 'once'
  const listsEveryRowOnce = postings.ordinals.length === first.length && second === undefined
  return {
    kind: 'posting',
    key: `${kind}${postingCodes.join(',')}`,
    tests:
      second === undefined
        ? [{ codes: first, allowed }]
        : [
            { codes: first, allowed },
            { codes: second, allowed },
          ],
    lists: () => postingCodes.map((code) => postingOf(postings, code)),
    failing:
      listing === 'once' && listsEveryRowOnce
        ? () => failingPostings(postings, allowed)
        : undefined,
    listing,
    count: countOf(postings, postingCodes),
  }
}

function failingPostings(postings: Postings, allowed: Uint8Array): Uint32Array[] {
  const lists: Uint32Array[] = []
  for (let code = 0; code < codeCountOf(postings); code++) {
    if (allowed[code] === 0) lists.push(postingOf(postings, code))
  }
  return lists
}

function allowedCodes(codeCount: number, codes: Iterable<number>): Uint8Array {
  const allowed = new Uint8Array(codeCount + 1)
  for (const code of codes) allowed[code] = 1
  return allowed
}

function countOf(postings: Postings, codes: Iterable<number>): number {
  let count = 0
  for (const code of codes) count += postingCount(postings, code)
  return count
}

function uncategorizedPredicate(
  segment: Segment,
  { uncategorized }: TransactionQuery,
): Predicate | undefined {
  if (uncategorized === undefined) return undefined
  const { categoryCodes, parentCodes, categoryPostings, eitherPostings, rowCount } = segment
  const codeCount = codeCountOf(eitherPostings)
  const allowed = new Uint8Array(codeCount + 1).fill(1, 0, codeCount)
  const categorized = {
    kind: 'posting',
    key: 'u',
    tests: [
      { codes: categoryCodes, allowed },
      { codes: parentCodes, allowed },
    ],
    lists: () => [eitherPostings.ordinals],
    failing: undefined,
    listing: 'repeated',
    count: eitherPostings.ordinals.length,
  } as const
  if (!uncategorized) return categorized
  return complementOf(categorized, rowCount - categoryPostings.ordinals.length)
}

function complementOf(of: ComplementPredicate['of'], count: number): ComplementPredicate {
  return { kind: 'complement', key: `!${of.key}`, of, count }
}

function currencyPredicate(
  segment: Segment,
  { currency }: TransactionQuery,
): PostingPredicate | undefined {
  if (currency === undefined) return undefined
  const code = segment.currencies.indexOf(currency)
  const { currencyPostings, currencyCodes } = segment
  return posting('m', currencyPostings, code === -1 ? [] : [code], [currencyCodes])
}

/** By the accounts that the caller may see alone: no other account shows in the answer. */
function ownTransfersPredicate(
  { accounts }: Snapshot,
  segment: Segment,
  { query: { ownTransfers = 'include' }, bounds: { visibleCodes } }: BoundedQuery,
  known: OwnCounterparts,
): Predicate | undefined {
  if (ownTransfers === 'include') return undefined
  const visible = visibleCodes === undefined ? undefined : new Set(visibleCodes)
  const own = visible === undefined ? accounts : accounts.filter(({ code }) => visible.has(code))
  const { ibans, keys } = ownCounterpartsOf(segment, own, known)
  const { counterpartPostings, counterpartCodes, counterpartKeys, rowCount } = segment
  const tests: readonly [CodeTest, CodeTest] = [
    { codes: counterpartCodes, allowed: allowedCodes(codeCountOf(counterpartPostings), ibans) },
    {
      codes: counterpartKeys.codes,
      allowed: allowedCodes(codeCountOf(counterpartKeys.postings), keys),
    },
  ]
  const only = {
    kind: 'posting',
    key: `o${[...ibans].join(',')}/${[...keys].join(',')}`,
    tests,
    lists: () => [
      ...Array.from(ibans, (code) => postingOf(counterpartPostings, code)),
      ...Array.from(keys, (code) => postingOf(counterpartKeys.postings, code)),
    ],
    failing: undefined,
    // A row with an IBAN has no other key.
    listing: 'once',
    count: countOf(counterpartPostings, ibans) + countOf(counterpartKeys.postings, keys),
  } as const
  return ownTransfers === 'only' ? only : complementOf(only, rowCount - only.count)
}

const ZERO: Amount = { unscaled: 0, scale: 0 }

/** All filters by amount are ranges of ranks in one column, so they are one predicate. */
function amountPredicate(
  { amounts }: Segment,
  { amountFrom, amountTo, absoluteAmount, direction }: TransactionQuery,
): RangePredicate | undefined {
  const isFree = amountFrom === undefined && amountTo === undefined && direction === undefined
  if (isFree && absoluteAmount === undefined) return undefined
  const low = Math.max(
    amountFrom === undefined ? 0 : firstAmountAtLeast(amounts, amountFrom),
    direction === 'in' ? firstAmountAbove(amounts, ZERO) : 0,
  )
  const high = Math.min(
    amountTo === undefined ? amounts.valueCount : firstAmountAbove(amounts, amountTo),
    direction === 'out' ? firstAmountAtLeast(amounts, ZERO) : amounts.valueCount,
  )
  if (absoluteAmount === undefined) return ranks('x', amounts, [{ low, high }])
  const exact = [negateAmount(absoluteAmount), absoluteAmount].map((amount) => ({
    low: Math.max(low, firstAmountAtLeast(amounts, amount)),
    high: Math.min(high, firstAmountAbove(amounts, amount)),
  }))
  return ranks('x', amounts, absoluteAmount.unscaled === 0 ? exact.slice(1) : exact)
}

function datePredicates(
  segment: Segment,
  query: TransactionQuery,
): readonly (RangePredicate | undefined)[] {
  return [
    instants('b', segment.booked, {
      afterMs: query.bookedAfterMs,
      beforeMs: query.bookedBeforeMs,
      fromMs: query.bookedFromMs,
      toMs: query.bookedToMs,
    }),
    instants('v', segment.valued, {
      afterMs: query.valuedAfterMs,
      beforeMs: query.valuedBeforeMs,
      fromMs: query.valuedFromMs,
      toMs: query.valuedToMs,
    }),
    instants('i', segment.imported, {
      afterMs: query.importedAfterMs,
      beforeMs: query.importedBeforeMs,
      fromMs: query.importedFromMs,
      toMs: query.importedToMs,
    }),
    instants('d', segment.updated, {
      afterMs: query.updatedAfterMs,
      beforeMs: query.updatedBeforeMs,
    }),
  ]
}

/** Bounds of instants, all of which hold: "after" and "before" are exclusive, others inclusive. */
interface InstantBounds {
  readonly afterMs?: number | undefined
  readonly beforeMs?: number | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

function instants(
  kind: string,
  column: InstantColumn,
  { afterMs, beforeMs, fromMs, toMs }: InstantBounds,
): RangePredicate | undefined {
  const isFree = afterMs === undefined && beforeMs === undefined
  if (isFree && fromMs === undefined && toMs === undefined) return undefined
  const { values, valueCount } = column
  const low = Math.max(
    afterMs === undefined ? 0 : firstAbove(values, afterMs),
    fromMs === undefined ? 0 : firstAtLeast(values, fromMs),
  )
  const high = Math.min(
    beforeMs === undefined ? valueCount : firstAtLeast(values, beforeMs),
    toMs === undefined ? valueCount : firstAbove(values, toMs),
  )
  return ranks(kind, column, [{ low, high }])
}

/** @param wanted ranks of one or two spans, ascending; a span may be empty or reversed */
function ranks(kind: string, column: OrderedCodes, wanted: readonly Ranks[]): RangePredicate {
  const [first = NO_SPAN, second] = wanted
    .filter(({ low, high }) => low < high)
    .map((span) => spanOf(column, span))
  const spans = second === undefined ? ([first] as const) : ([first, second] as const)
  return {
    kind: 'range',
    key: kind + spans.map(({ low, high }) => `${low}-${high}`).join('+'),
    column,
    spans,
    count: first.count + (second?.count ?? 0),
  }
}

const NO_SPAN: RankSpan = { low: 0, high: 0, first: 0, count: 0 }

function spanOf(column: OrderedCodes, { low, high }: Ranks): RankSpan {
  const first = positionOfCode(column, low)
  return { low, high, first, count: positionOfCode(column, high) - first }
}
