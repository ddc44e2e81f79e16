import { bitCount } from '../ordinals/bit-set.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { BookingDates } from './booking-dates.js'
import type { AddNumbers, Dimension } from './dimension.js'
import { addRows, compactedLedger, emptyLedger, hasRows, type Ledger, rowCostOf } from './ledger.js'
import { LISTED_ROWS_MAX, type ListedRows, rowsOfListing } from './listed-rows.js'
import type { Listing } from './listing.js'
import { sortedPositions } from './sorted-positions.js'
import type { Groups } from './summary-groups.js'
import { inSteps, type StepwiseWork } from './turns.js'

/**
 * A part of the keys of groups, below 2^32: the sum of the numbers of some dimensions, each times
 * its stride. Keys ascend in the order of groups.
 */
export interface KeyPart {
  readonly size: number
  readonly fields: readonly { readonly dimension: number; readonly stride: number }[]
}

/** How many possible groups are numbered in which way. */
export interface GroupLimits {
  /** Possible groups that have a bin each, however few rows there are. */
  readonly binsMin: number
  /** Possible groups per row that have a bin each: more would mostly be empty. */
  readonly binsARow: number
  /** Possible groups per row that have a bit each. */
  readonly bitsARow: number
}

const LIMITS: GroupLimits = { binsMin: 4_096, binsARow: 2, bitsARow: 128 }

/** Bins of a ledger at most, unless there are more groups: 18 megabytes. */
const BINS_MAX = 524_288

/** Keys of a step, and its cost: some ten microseconds. */
const NUMBERING = { numbers: 2_048, cost: 1_024 }

/** Words of bits of a step, and its cost, likewise. */
const RANKING = { numbers: 2_048, cost: 1_024 }

/** Cost of a step, however few rows it has. */
const STEP_COST = 64

/** The parts of keys, the most significant first; as few as possible. */
export function keyPartsOf(dimensions: readonly Dimension[]): KeyPart[] {
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

/** The sums of all groups that have rows, in the order of their keys. @param dates may be absent */
export function* groupsOfRows(
  listing: Listing,
  keys: RowKeys,
  dates: BookingDates | undefined,
  limits = LIMITS,
): StepwiseWork<Groups> {
  const [part, ...others] = keys.parts
  const rows: KeyedRows = { listing, keys, dates }
  if (part === undefined || others.length > 0) return yield* sortedKeyGroups(rows)
  const binsMax = Math.min(BINS_MAX, listing.total * limits.binsARow)
  if (part.size <= Math.max(limits.binsMin, binsMax)) return yield* binnedGroups(rows, part)
  return part.size <= listing.total * limits.bitsARow
    ? yield* markedGroups(rows, part)
    : yield* sortedKeyGroups(rows)
}

interface KeyedRows {
  readonly listing: Listing
  readonly keys: RowKeys
  readonly dates: BookingDates | undefined
}

/** Computes the keys of rows. */
export class RowKeys {
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
    for (const { dimension, stride } of fields) {
      // A single value is number 0.
      if (this.dimensions[dimension]!.size > 1) added[dimension]!(rows, keys, stride)
    }
  }
}

/** Groups of few possible keys: each key is a bin. */
function* binnedGroups({ listing, keys, dates }: KeyedRows, part: KeyPart): StepwiseWork<Groups> {
  const ledger = emptyLedger(part.size, dates)
  const bins = new Uint32Array(LISTED_ROWS_MAX)
  for (const rows of rowsOfListing(listing)) {
    keys.write(rows, part, bins)
    addRows(ledger, bins, rows)
    yield (rows.to - rows.from) * rowCostOf(ledger) + STEP_COST
  }
  const filled = new Uint32Array(part.size)
  let count = 0
  yield* inSteps(part.size, NUMBERING, (from, to) => {
    for (let bin = from; bin < to; bin++) if (hasRows(ledger, bin)) filled[count++] = bin
  })
  const own = filled.slice(0, count)
  return { count, keys: [own], ledger: yield* compactedLedger(ledger, own) }
}

/**
 * Groups of more possible keys: those that occur are marked first, a bit a key, and numbered by the
 * marks before them.
 */
function* markedGroups({ listing, keys, dates }: KeyedRows, part: KeyPart): StepwiseWork<Groups> {
  const words = new Uint32Array(Math.ceil(part.size / 32))
  const written = new Uint32Array(listing.total)
  let at = 0
  for (const rows of rowsOfListing(listing)) {
    const count = rows.to - rows.from
    const own = written.subarray(at, at + count)
    keys.write(rows, part, own)
    markKeys(words, own)
    at += count
    yield count / 2 + STEP_COST
  }
  const { before, marked } = yield* numberedMarks(words)
  const bins = new Uint32Array(LISTED_ROWS_MAX)
  const ledger = emptyLedger(marked.length, dates)
  at = 0
  for (const rows of rowsOfListing(listing)) {
    const count = rows.to - rows.from
    numberKeys(bins, written.subarray(at, at + count), words, before)
    addRows(ledger, bins, rows)
    at += count
    yield count * rowCostOf(ledger) + STEP_COST
  }
  return yield* groupsOfBins(ledger, [marked])
}

function markKeys(words: Uint32Array, keys: Uint32Array): void {
  for (let i = 0; i < keys.length; i++) words[keys[i]! >>> 5]! |= 1 << (keys[i]! & 31)
}

/** @param bins out: by key, the marks before it   @param before by word, likewise */
function numberKeys(
  bins: Uint32Array,
  keys: Uint32Array,
  words: Uint32Array,
  before: Uint32Array,
): void {
  for (let i = 0; i < keys.length; i++) {
    const word = keys[i]! >>> 5
    bins[i] = before[word]! + bitCount(words[word]! & ((1 << (keys[i]! & 31)) - 1))
  }
}

function* groupsOfBins(ledger: Ledger, keys: readonly Uint32Array[]): StepwiseWork<Groups> {
  return { count: ledger.binCount, keys, ledger: yield* compactedLedger(ledger) }
}

interface NumberedMarks {
  /** By word, the marks before it. */
  readonly before: Uint32Array
  /** The marked keys, ascending. */
  readonly marked: Uint32Array
}

function* numberedMarks(words: Uint32Array): StepwiseWork<NumberedMarks> {
  const before = new Uint32Array(words.length)
  let count = 0
  yield* inSteps(words.length, RANKING, (from, to) => {
    for (let i = from; i < to; i++) {
      before[i] = count
      count += bitCount(words[i]!)
    }
  })
  const marked = new Uint32Array(count)
  let end = 0
  yield* inSteps(words.length, RANKING, (from, to) => {
    for (let i = from; i < to; i++) {
      for (let rest = words[i]!; rest !== 0; rest &= rest - 1) {
        marked[end++] = i * 32 + bitCount((rest & -rest) - 1)
      }
    }
  })
  return { before, marked }
}

/** Groups of any number of possible keys: the keys of all rows are sorted first. */
function* sortedKeyGroups({ listing, keys: rowKeys, dates }: KeyedRows): StepwiseWork<Groups> {
  const { parts } = rowKeys
  const keys = parts.map(() => new Uint32Array(listing.total))
  let at = 0
  for (const rows of rowsOfListing(listing)) {
    for (const [number, part] of parts.entries()) {
      rowKeys.write(rows, part, keys[number]!.subarray(at))
    }
    at += rows.to - rows.from
    yield (rows.to - rows.from) / 2 + STEP_COST
  }
  const positions = yield* sortedPositions(keys, listing.total)
  const bins = new Uint32Array(listing.total)
  let count = 0
  yield* inSteps(listing.total, NUMBERING, (from, to) => {
    for (let i = from; i < to; i++) {
      const position = positions[i]!
      const isKnown = count > 0 && isSameKey(keys, position, positions[count - 1]!)
      // The first position of each key is kept in place of one that has been read.
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
  const ledger = emptyLedger(count, dates)
  at = 0
  for (const rows of rowsOfListing(listing)) {
    addRows(ledger, bins.subarray(at), rows)
    at += rows.to - rows.from
    yield (rows.to - rows.from) * rowCostOf(ledger) + STEP_COST
  }
  return yield* groupsOfBins(ledger, distinct)
}

function isSameKey(keys: readonly Uint32Array[], a: number, b: number): boolean {
  for (let part = 0; part < keys.length; part++) {
    if (keys[part]![a] !== keys[part]![b]) return false
  }
  return true
}
