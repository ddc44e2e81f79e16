import { lowerBound } from '../lower-bound.js'
import { type BitSet, bitAt, bitCount } from '../ordinals/bit-set.js'

/**
 * The rows that have their bit in both of two sets, in one order. There are two sets because the
 * selection stays the same while rows are deleted: nothing is copied for it.
 *
 *   FIELD     SIZE            HOLDS
 *   words     4 × ⌈n / 32⌉    rows that are selected, deleted or not (bit-set.ts)
 *   alive     4 × ⌈n / 32⌉    rows that are alive; the same array as `words` = no deletes
 *   count                     rows that are in both
 *   order     4 × n           every ordinal once; undefined = the ordinals themselves, ascending
 */
export interface RankedRows {
  readonly words: Uint32Array
  readonly alive: Uint32Array
  readonly count: number
  readonly order: Uint32Array | undefined
  readonly counts: RankDirectory
}

/**
 * Rank directory: counts of rows by blocks of positions, so that `select` scans a single block.
 * Filled from both ends, no further than a query has needed so far.
 *
 *   FIELD     SIZE               HOLDS
 *   before    4 × (blocks + 1)   rows that pass at positions below block × BLOCK_POSITIONS; known
 *                                up to `low` and from `high` on, where the last is all of them
 */
export interface RankDirectory {
  readonly before: Uint32Array
  low: number
  high: number
}

/** Positions of a block: scanning one takes a quarter of a microsecond. */
const BLOCK_POSITIONS = 256

/** @param order every ordinal once; undefined = the ordinals themselves, ascending */
export function rankedRowsOf(
  bits: BitSet,
  order: Uint32Array | undefined,
  rowCount: number,
): RankedRows {
  const { words, count } = bits
  return { words, alive: words, count, order, counts: countsOf(count, rowCount) }
}

/** The live rows of ranked rows. @param alive a bit for each row, as `words` has */
export function aliveRankedRows(
  ranked: RankedRows,
  alive: Uint32Array,
  rowCount: number,
): RankedRows {
  const { words, order } = ranked
  let count = 0
  for (let i = 0; i < words.length; i++) count += bitCount(words[i]! & alive[i]!)
  return { words, alive, count, order, counts: countsOf(count, rowCount) }
}

function countsOf(count: number, rowCount: number): RankDirectory {
  const blockCount = Math.ceil(rowCount / BLOCK_POSITIONS)
  const before = new Uint32Array(blockCount + 1)
  before[blockCount] = count
  return { before, low: 0, high: blockCount }
}

/**
 * The directory without some rows that were counted in it; known counts are decremented, not
 * recomputed. @param positions of those rows in the order, each once, unsorted
 */
export function countsWithout(counts: RankDirectory, positions: Uint32Array): RankDirectory {
  const before = counts.before.slice()
  const sorted = positions.slice().sort()
  let goneCount = 0
  // Unknown counts become other numbers, which are not read before they are computed.
  for (let block = 0; block < before.length; block++) {
    const end = block * BLOCK_POSITIONS
    while (goneCount < sorted.length && sorted[goneCount]! < end) goneCount += 1
    before[block]! -= goneCount
  }
  return { before, low: counts.low, high: counts.high }
}

/** Rows of the set at positions below `end`. @param end 0 to the number of rows */
export function rankAt(ranked: RankedRows, end: number): number {
  const { counts } = ranked
  const block = Math.floor(end / BLOCK_POSITIONS)
  while (counts.low < block && block < counts.high) {
    if (block - counts.low <= counts.high - block) countLow(ranked)
    else countHigh(ranked)
  }
  return counts.before[block]! + countBetween(ranked, block * BLOCK_POSITIONS, end)
}

/**
 * The rows of the set, in the order, from the `first`-th on.
 * @param first 0-based   @param count `first + count` is at most the set's count
 */
export function selectFrom(ranked: RankedRows, first: number, count: number): Uint32Array {
  const { words, alive, order } = ranked
  const block = blockOf(ranked, first)
  const skipCount = first - ranked.counts.before[block]!
  const from = block * BLOCK_POSITIONS
  return order === undefined
    ? ordinalsInPlace(words, alive, { from, skipCount, count })
    : ordinalsInOrder(words, alive, order, { from, skipCount, count })
}

/** Rows of the set from a position on, without the first ones. */
interface SelectRange {
  readonly from: number
  readonly skipCount: number
  readonly count: number
}

/** Rows of the set, ascending; there are as many. */
function ordinalsInPlace(
  words: Uint32Array,
  alive: Uint32Array,
  { from, skipCount, count }: SelectRange,
): Uint32Array {
  const ordinals = new Uint32Array(count)
  let skip = skipCount
  let end = 0
  for (let i = from >>> 5; end < count; i++) {
    let rest = words[i]! & alive[i]!
    for (; skip > 0 && rest !== 0; skip--) rest &= rest - 1
    for (; rest !== 0 && end < count; rest &= rest - 1) {
      ordinals[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return ordinals
}

/**
 * The same rows, in the order of a column. Neither loop branches on membership, which is
 * unpredictable: a misprediction costs more than a store that is overwritten.
 */
function ordinalsInOrder(
  words: Uint32Array,
  alive: Uint32Array,
  order: Uint32Array,
  { from, skipCount, count }: SelectRange,
): Uint32Array {
  const ordinals = new Uint32Array(count)
  let position = from
  for (let skip = skipCount; skip > 0; position++) {
    const row = order[position]!
    skip -= bitAt(words, row) & bitAt(alive, row)
  }
  for (let end = 0; end < count; position++) {
    const row = order[position]!
    ordinals[end] = row
    end += bitAt(words, row) & bitAt(alive, row)
  }
  return ordinals
}

/** The last block with at most `first` rows before it. */
function blockOf(ranked: RankedRows, first: number): number {
  const { counts } = ranked
  const { before } = counts
  while (first >= before[counts.low]! && first < before[counts.high]!) {
    if (counts.low + 1 === counts.high) return counts.low
    if (first - before[counts.low]! <= before[counts.high]! - first) countLow(ranked)
    else countHigh(ranked)
  }
  const isLow = first < before[counts.low]!
  const low = isLow ? 0 : counts.high
  const high = isLow ? counts.low : before.length - 1
  return lowerBound(low + 1, high, (block) => before[block]! <= first) - 1
}

/** Counts one more block from the front. Needs low < high. */
function countLow(ranked: RankedRows): void {
  const { low, before } = ranked.counts
  before[low + 1] = before[low]! + countOfBlock(ranked, low)
  ranked.counts.low = low + 1
}

/** Counts one more block from the back. Needs low < high. */
function countHigh(ranked: RankedRows): void {
  const { high, before } = ranked.counts
  before[high - 1] = before[high]! - countOfBlock(ranked, high - 1)
  ranked.counts.high = high - 1
}

function countOfBlock(ranked: RankedRows, block: number): number {
  const { order, words } = ranked
  const from = block * BLOCK_POSITIONS
  const to = Math.min(from + BLOCK_POSITIONS, order?.length ?? words.length * 32)
  return countBetween(ranked, from, to)
}

/** @param from a multiple of 32 */
function countBetween(ranked: RankedRows, from: number, to: number): number {
  const { words, alive, order } = ranked
  if (order !== undefined) return countInOrder(ranked, order, from, to)
  // Whole words, and the bits of the last one that are below `to`.
  let count = 0
  const end = to >>> 5
  for (let i = from >>> 5; i < end; i++) count += bitCount(words[i]! & alive[i]!)
  const restCount = to & 31
  return restCount === 0
    ? count
    : count + bitCount(words[end]! & alive[end]! & (2 ** restCount - 1))
}

function countInOrder(
  { words, alive }: RankedRows,
  order: Uint32Array,
  from: number,
  to: number,
): number {
  let count = 0
  for (let position = from; position < to; position++) {
    const row = order[position]!
    count += bitAt(words, row) & bitAt(alive, row)
  }
  return count
}
