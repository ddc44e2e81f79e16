import type { EpochMs } from '../instant.js'
import type { Sum } from '../money.js'
import type { Segment } from '../snapshot/snapshot.js'
import { bookingDatesOf } from './booking-dates.js'
import { counterpartDimension } from './counterpart-dimension.js'
import {
  accountDimension,
  categoryDimension,
  currencyDimension,
  type Dimension,
  type DimensionContext,
  directionDimension,
  type GroupValue,
  parentCategoryDimension,
  periodDimension,
} from './dimension.js'
import { type GroupLimits, groupsOfRows, type KeyPart, keyPartsOf, RowKeys } from './group-keys.js'
import { countOf, earliestOf, latestOf, ledgerBytes, sumOfSign } from './ledger.js'
import { type Listing, segmentsOfListing } from './listing.js'
import { type GroupOrder, type Groups, sortedGroups } from './summary-groups.js'
import type { StepwiseWork } from './turns.js'

/** What transactions are grouped by; periods are those of the booking date, UTC. */
export type GroupField =
  | 'day'
  | 'month'
  | 'quarter'
  | 'year'
  | 'category'
  | 'parentCategory'
  | 'account'
  | 'counterpart'
  | 'direction'

/** The transactions to sum, and their groups; always apart by currency. */
export interface SummaryRequest extends DimensionContext {
  readonly listing: Listing
  readonly groupBy: readonly GroupField[]
  /** Whether groups have booking dates, which cost as much as their sums. */
  readonly withDates: boolean
  /** For tests. */
  readonly limits?: GroupLimits
}

/** Exact sums of groups, in the order of their values; see {@link groupAt}. */
export interface Summary {
  readonly groups: Groups
  /** Of the fields grouped by, then of the currency. */
  readonly dimensions: readonly Pick<Dimension, 'size' | 'valueAt' | 'valueBytes'>[]
  readonly parts: readonly KeyPart[]
}

/** Exact sums of the transactions of a group. */
export interface Group {
  /** By the fields grouped by; undefined = the transactions have none. */
  readonly values: readonly (GroupValue | undefined)[]
  readonly currency: string
  /** Number of transactions, those of amount 0 included. */
  readonly count: number
  /** Sums of the positive amounts, and of the negative ones. */
  readonly incoming: Sum
  readonly outgoing: Sum
  /** The earliest and the latest booking date; undefined = none has one, or they are not asked. */
  readonly firstBookedMs: EpochMs | undefined
  readonly lastBookedMs: EpochMs | undefined
}

/** Sums transactions by group, in steps. */
export function* summarize(request: SummaryRequest): StepwiseWork<Summary> {
  const { listing, groupBy } = request
  const segments = segmentsOfListing(listing)
  const dimensions: Dimension[] = []
  for (const field of groupBy) dimensions.push(yield* dimensionOf(field, request, segments))
  return yield* summarizeBy(listing, [...dimensions, currencyDimension(segments)], request)
}

/**
 * Sums transactions by the values of dimensions, in steps.
 * @param dimensions the last one is the currency
 */
export function* summarizeBy(
  listing: Listing,
  dimensions: readonly Dimension[],
  { withDates, limits }: Pick<SummaryRequest, 'withDates' | 'limits'>,
): StepwiseWork<Summary> {
  const parts = keyPartsOf(dimensions)
  const dates = withDates ? yield* bookingDatesOf(segmentsOfListing(listing)) : undefined
  const groups = yield* groupsOfRows(listing, new RowKeys(dimensions, parts), dates, limits)
  const values = dimensions.map(({ size, valueAt, valueBytes }) => ({ size, valueAt, valueBytes }))
  return { groups, dimensions: values, parts }
}

/** The sums of a group. @param place 0 to `summary.groups.count - 1` */
export function groupAt({ groups, dimensions, parts }: Summary, place: number): Group {
  const values: (GroupValue | undefined)[] = new Array(dimensions.length)
  parts.forEach(({ fields }, number) => {
    const key = groups.keys[number]![place]!
    for (const { dimension, stride } of fields) {
      const { size, valueAt } = dimensions[dimension]!
      values[dimension] = valueAt(Math.floor(key / stride) % size)
    }
  })
  const currency = values.pop()
  const { ledger } = groups
  return {
    values,
    currency: typeof currency === 'string' ? currency : '',
    count: countOf(ledger, place),
    incoming: BigInt(sumOfSign(ledger, place, 0)),
    outgoing: BigInt(sumOfSign(ledger, place, 1)),
    firstBookedMs: earliestOf(ledger, place),
    lastBookedMs: latestOf(ledger, place),
  }
}

/** The groups of a summary in another order. */
export function* orderedGroups(
  { groups, dimensions, parts }: Summary,
  order: GroupOrder,
): StepwiseWork<Uint32Array> {
  // The currency is the last dimension of the least significant part.
  const keys = groups.keys[parts.length - 1]!
  const { size } = dimensions[dimensions.length - 1]!
  return yield* sortedGroups(groups, (group) => keys[group]! % size, order)
}

/** Bytes of the arrays of a summary. */
export function summaryBytes({ groups: { keys, ledger }, dimensions }: Summary): number {
  return (
    keys.reduce((sum, { byteLength }) => sum + byteLength, ledgerBytes(ledger)) +
    dimensions.reduce((sum, { valueBytes }) => sum + valueBytes, 0)
  )
}

function* dimensionOf(
  field: GroupField,
  request: SummaryRequest,
  segments: readonly Segment[],
): StepwiseWork<Dimension> {
  switch (field) {
    case 'category':
      return categoryDimension(request)
    case 'parentCategory':
      return parentCategoryDimension(request)
    case 'account':
      return yield* accountDimension(request)
    case 'counterpart':
      return yield* counterpartDimension(request.listing, segments)
    case 'direction':
      return directionDimension()
    default:
      return yield* periodDimension(segments, field)
  }
}
