import { bitCount, passes, type Sieve } from '../ordinals/sieve.js'

/**
 * A sieve's rows in one order, counted by blocks of positions so that the i-th row that passes is
 * found by looking at one block. Counted from both ends, no further than anybody has asked.
 *
 *   FIELD     SIZE               HOLDS
 *   order     4 × n              every ordinal once; undefined = the ordinals themselves, ascending
 *   before    4 × (blocks + 1)   rows that pass at positions below block × BLOCK_POSITIONS; known
 *                                up to `low` and from `high` on, where the last is all of them
 */
export interface Sifting {
  readonly sieve: Sieve
  readonly order: Uint32Array | undefined
  readonly before: Uint32Array
  low: number
  high: number
}

/** Positions counted together: looking at one block takes a quarter of a microsecond. */
const BLOCK_POSITIONS = 256

/** @param order every ordinal once; undefined = the ordinals themselves, ascending */
export function siftingOf(sieve: Sieve, order: Uint32Array | undefined, rowCount: number): Sifting {
  const blockCount = Math.ceil(rowCount / BLOCK_POSITIONS)
  const before = new Uint32Array(blockCount + 1)
  before[blockCount] = sieve.count
  return { sieve, order, before, low: 0, high: blockCount }
}

/** Rows that pass at positions below `end`. @param end 0 to the number of rows */
export function passesBefore(sifting: Sifting, end: number): number {
  const { before, sieve, order } = sifting
  const block = Math.floor(end / BLOCK_POSITIONS)
  while (sifting.low < block && block < sifting.high) {
    if (block - sifting.low <= sifting.high - block) countLow(sifting)
    else countHigh(sifting)
  }
  return before[block]! + passesBetween(sieve.words, order, block * BLOCK_POSITIONS, end)
}

/**
 * The rows that pass, in the order, from the `first`-th on.
 * @param first 0-based   @param count `first + count` is at most the sieve's count
 */
export function passingOrdinals(sifting: Sifting, first: number, count: number): Uint32Array {
  const { before, order, sieve } = sifting
  const block = blockOf(sifting, first)
  const skipCount = first - before[block]!
  const from = block * BLOCK_POSITIONS
  return order === undefined
    ? passingInPlace(sieve.words, from, skipCount, count)
    : passingInOrder(sieve.words, order, { from, skipCount, count })
}

/** Rows that pass from `from` on, ascending, but for the first ones; there are as many. */
function passingInPlace(
  words: Uint32Array,
  from: number,
  skipCount: number,
  count: number,
): Uint32Array {
  const ordinals = new Uint32Array(count)
  let skip = skipCount
  let end = 0
  for (let i = from >>> 5; end < count; i++) {
    let rest = words[i]!
    for (; skip > 0 && rest !== 0; skip--) rest &= rest - 1
    for (; rest !== 0 && end < count; rest &= rest - 1) {
      ordinals[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return ordinals
}

/**
 * Likewise, in an order. Neither loop asks whether a row passes: nobody can foresee that, the
 * processor neither, and a wrong guess costs more than a store that is overwritten.
 */
function passingInOrder(
  words: Uint32Array,
  order: Uint32Array,
  { from, skipCount, count }: { from: number; skipCount: number; count: number },
): Uint32Array {
  const ordinals = new Uint32Array(count)
  let position = from
  for (let skip = skipCount; skip > 0; position++) skip -= passes(words, order[position]!)
  for (let end = 0; end < count; position++) {
    const row = order[position]!
    ordinals[end] = row
    end += passes(words, row)
  }
  return ordinals
}

/** The last block with at most `first` rows before it. */
function blockOf(sifting: Sifting, first: number): number {
  const { before } = sifting
  while (first >= before[sifting.low]! && first < before[sifting.high]!) {
    if (sifting.low + 1 === sifting.high) return sifting.low
    if (first - before[sifting.low]! <= before[sifting.high]! - first) countLow(sifting)
    else countHigh(sifting)
  }
  const isLow = first < before[sifting.low]!
  let low = isLow ? 0 : sifting.high
  let high = isLow ? sifting.low : before.length - 1
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if (before[middle]! <= first) low = middle
    else high = middle
  }
  return low
}

/** Counts one more block from the front. Needs low < high. */
function countLow(sifting: Sifting): void {
  const { low, before } = sifting
  before[low + 1] = before[low]! + passesOfBlock(sifting, low)
  sifting.low = low + 1
}

/** Counts one more block from the back. Needs low < high. */
function countHigh(sifting: Sifting): void {
  const { high, before } = sifting
  before[high - 1] = before[high]! - passesOfBlock(sifting, high - 1)
  sifting.high = high - 1
}

function passesOfBlock({ sieve, order }: Sifting, block: number): number {
  const from = block * BLOCK_POSITIONS
  const to = Math.min(from + BLOCK_POSITIONS, order?.length ?? sieve.words.length * 32)
  // Bits past the last ordinal are 0, so whole words can be counted.
  if (order === undefined) return passesOfWords(sieve.words, from, to)
  return passesBetween(sieve.words, order, from, to)
}

/** @param from a multiple of 32 */
function passesOfWords(words: Uint32Array, from: number, to: number): number {
  let count = 0
  for (let i = from >>> 5; i << 5 < to; i++) count += bitCount(words[i]!)
  return count
}

function passesBetween(
  words: Uint32Array,
  order: Uint32Array | undefined,
  from: number,
  to: number,
): number {
  let count = 0
  if (order === undefined) {
    for (let row = from; row < to; row++) count += passes(words, row)
    return count
  }
  for (let position = from; position < to; position++) count += passes(words, order[position]!)
  return count
}
