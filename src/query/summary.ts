import { AFTER_ALL_MS, BEFORE_ALL_MS, type EpochMs } from '../instant.js'
import type { Sum } from '../money.js'
import type { Segment } from '../snapshot/snapshot.js'
import { counterpartDimension } from './counterpart-dimension.js'
import {
  type AddNumbers,
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
import { addRows, emptyLedger, type Ledger } from './ledger.js'
import { LISTED_ROWS_MAX, type ListedRows, rowsOfListing } from './listed-rows.js'
import { type Listing, segmentsOfListing } from './listing.js'
import { sortedPositions } from './sorted-positions.js'
import {
  type GroupOrder,
  type Groups,
  groupsOfLedger,
  sortedGroups,
  sumOfGroup,
} from './summary-groups.js'
import { inSteps, type StepwiseWork } from './turns.js'

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
  /** As in {@link summarizeBy}. */
  readonly binsMin?: number
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

/**
 * Bins of a ledger at most, unless there are fewer distinct ones: fifteen megabytes. Of fewer rows
 * than half of the bins, most would be empty.
 */
const BINS_MAX = 524_288
const BINS_MIN = 4_096

/** Keys of a step, and its cost: some ten microseconds. */
const NUMBERING = { numbers: 2_048, cost: 1_024 }

/** Sums transactions by group, in steps. */
export function* summarize(request: SummaryRequest): StepwiseWork<Summary> {
  const { listing, groupBy } = request
  const segments = segmentsOfListing(listing)
  const dimensions: Dimension[] = []
  for (const field of groupBy) dimensions.push(yield* dimensionOf(field, request, segments))
  return yield* summarizeBy(listing, [...dimensions, currencyDimension(segments)], request.binsMin)
}

/**
 * Sums transactions by the values of dimensions, in steps.
 * @param dimensions the last one is the currency
 * @param binsMin possible groups that have a bin each, however few rows there are
 */
export function* summarizeBy(
  listing: Listing,
  dimensions: readonly Dimension[],
  binsMin = BINS_MIN,
): StepwiseWork<Summary> {
  const parts = keyPartsOf(dimensions)
  const [part] = parts
  const binsMax = Math.max(binsMin, Math.min(BINS_MAX, listing.total * 2))
  const keys = new RowKeys(dimensions, parts)
  const isDense = parts.length === 1 && part !== undefined && part.size <= binsMax
  const groups = isDense
    ? yield* denseGroups(listing, keys, part.size)
    : yield* sparseGroups(listing, keys)
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
    firstBookedMs: earliest === 0 ? undefined : AFTER_ALL_MS - earliest,
    lastBookedMs: earliest === 0 ? undefined : groups.latest[place]! + BEFORE_ALL_MS,
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

/**
 * A part of the keys of groups, below 2^32: the sum of the numbers of some dimensions, each times
 * its stride. Keys ascend in the order of groups.
 */
export interface KeyPart {
  readonly size: number
  readonly fields: readonly { readonly dimension: number; readonly stride: number }[]
}

/** The most significant part first; as few as possible. */
function keyPartsOf(dimensions: readonly Dimension[]): KeyPart[] {
  const parts: KeyPart[] = []
  let size = 1
  let fields: KeyPart['fields'] = []
  for (let dimension = dimensions.length - 1; dimension >= 0; dimension--) {
    const own = dimensions[dimension]!.size
    if (size * own > 2 ** 32) {
      parts.unshift({ size, fields })
      size = 1
      fields = []
    }
    fields = [...fields, { dimension, stride: size }]
    size *= own
  }
  return [{ size, fields }, ...parts]
}

/** Computes the keys of rows. */
class RowKeys {
  readonly #added = new Map<Segment, readonly AddNumbers[]>()

  constructor(
    private readonly dimensions: readonly Dimension[],
    readonly parts: readonly KeyPart[],
  ) {}

  /** Writes one part of the keys of rows, row i at `i - rows.from`. */
  write(rows: ListedRows, { fields }: KeyPart, keys: Uint32Array): void {
    const { segment } = rows
    const added =
      this.#added.get(segment) ?? this.dimensions.map(({ numbersOf }) => numbersOf(segment))
    this.#added.set(segment, added)
    keys.fill(0, 0, rows.to - rows.from)
    for (const { dimension, stride } of fields) added[dimension]!(rows, keys, stride)
  }
}

/** Groups of few possible keys: each has a bin. */
function* denseGroups(listing: Listing, keys: RowKeys, size: number): StepwiseWork<Groups> {
  const ledger = emptyLedger(size)
  const [part] = keys.parts
  const bins = new Uint32Array(LISTED_ROWS_MAX)
  for (const rows of rowsOfListing(listing)) {
    keys.write(rows, part!, bins) // there is one
    addRows(ledger, bins, rows)
    yield rows.to - rows.from + STEP_COST
  }
  return yield* groupsOfLedger(ledger, yield* filledBins(ledger))
}

/** Cost of a step, however few rows it has. */
const STEP_COST = 64

function* filledBins({ binCount, counts, laneBits }: Ledger): StepwiseWork<Uint32Array[]> {
  const bins = new Uint32Array(binCount)
  let end = 0
  yield* inSteps(binCount, NUMBERING, (from, to) => {
    for (let bin = from; bin < to; bin++) {
      let count = 0
      for (let at = bin << laneBits; at < (bin + 1) << laneBits; at++) count += counts[at]!
      if (count > 0) bins[end++] = bin
    }
  })
  return [bins.slice(0, end)]
}

function isSameKey(keys: readonly Uint32Array[], a: number, b: number): boolean {
  for (let part = 0; part < keys.length; part++) {
    if (keys[part]![a] !== keys[part]![b]) return false
  }
  return true
}

/** Groups of many possible keys: those that occur are sorted, and numbered in their order. */
function* sparseGroups(listing: Listing, rowKeys: RowKeys): StepwiseWork<Groups> {
  const { parts } = rowKeys
  const keys = parts.map(() => new Uint32Array(listing.total))
  let at = 0
  for (const rows of rowsOfListing(listing)) {
    parts.forEach((part, number) => {
      rowKeys.write(rows, part, keys[number]!.subarray(at))
    })
    at += rows.to - rows.from
    yield (rows.to - rows.from) / 2 + STEP_COST
  }
  const positions = yield* sortedPositions(keys, listing.total)
  const bins = new Uint32Array(listing.total)
  let count = 0
  yield* inSteps(listing.total, NUMBERING, (from, to) => {
    for (let i = from; i < to; i++) {
      const position = positions[i]!
      // The first positions of keys are kept where others were: there are no more of them.
      const isKnown = count > 0 && isSameKey(keys, position, positions[count - 1]!)
      if (!isKnown) positions[count++] = position
      bins[position] = count - 1
    }
  })
  const distinct = keys.map(() => new Uint32Array(count))
  yield* inSteps(count, NUMBERING, (from, to) => {
    keys.forEach((key, number) => {
      for (let i = from; i < to; i++) distinct[number]![i] = key[positions[i]!]!
    })
  })
  const ledger = emptyLedger(count)
  at = 0
  for (const rows of rowsOfListing(listing)) {
    addRows(ledger, bins.subarray(at), rows)
    at += rows.to - rows.from
    yield rows.to - rows.from + STEP_COST
  }
  return yield* groupsOfLedger(ledger, distinct)
}
