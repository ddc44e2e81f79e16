import type { EpochMs } from '../instant.js'
import type { Sum } from '../money.js'
import type { Segment } from '../snapshot/snapshot.js'
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
import { type Listing, segmentsOfListing } from './listing.js'
import { type GroupOrder, type Groups, sortedGroups, sumOfGroup } from './summary-groups.js'
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
  /** The earliest and the latest booking date; undefined = none has one. */
  readonly firstBookedMs: EpochMs | undefined
  readonly lastBookedMs: EpochMs | undefined
}

/** Sums transactions by group, in steps. */
export function* summarize(request: SummaryRequest): StepwiseWork<Summary> {
  const { listing, groupBy } = request
  const segments = segmentsOfListing(listing)
  const dimensions: Dimension[] = []
  for (const field of groupBy) dimensions.push(yield* dimensionOf(field, request, segments))
  return yield* summarizeBy(listing, [...dimensions, currencyDimension(segments)], request.limits)
}

/**
 * Sums transactions by the values of dimensions, in steps.
 * @param dimensions the last one is the currency
 */
export function* summarizeBy(
  listing: Listing,
  dimensions: readonly Dimension[],
  limits?: GroupLimits,
): StepwiseWork<Summary> {
  const parts = keyPartsOf(dimensions)
  const groups = yield* groupsOfRows(listing, new RowKeys(dimensions, parts), limits)
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
  const earliest = groups.earliest[place]!
  return {
    values,
    currency: typeof currency === 'string' ? currency : '',
    count: groups.counts[place]!,
    incoming: sumOfGroup(groups, place, 0),
    outgoing: sumOfGroup(groups, place, 1),
    firstBookedMs: Number.isNaN(earliest) ? undefined : earliest,
    lastBookedMs: Number.isNaN(earliest) ? undefined : groups.latest[place]!,
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
export function summaryBytes({ groups, dimensions }: Summary): number {
  const { keys, counts, low, high, earliest, latest } = groups
  const arrays = [...keys, counts, ...low, earliest, latest]
  return (
    arrays.reduce((sum, { byteLength }) => sum + byteLength, high.size * BIG_SUM_BYTES) +
    dimensions.reduce((sum, { valueBytes }) => sum + valueBytes, 0)
  )
}

/** A BigInt and its entry of a Map. */
const BIG_SUM_BYTES = 100

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
