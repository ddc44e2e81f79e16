import { bitAt } from '../ordinals/bit-set.js'
import { isListed } from '../ordinals/ordinal-list.js'
import type { CodeArray } from '../ordinals/shared-memory.js'

// The inner loops of filtering: each moves the passing ordinals to the front of `rows`, in their
// order, and returns how many. Ordinals are below the column's length; keptCount never overtakes i,
// so working in place is safe. The store is unconditional and only the count depends on the test,
// because a mispredicted branch costs more than the store. Each test has a loop of its own:
// a shared loop would call the test for every row.

/** A column of codes, and the codes that pass. */
export interface CodeTest {
  readonly codes: CodeArray
  /** 1 = passes, per code of the column, the code for "none" included. */
  readonly allowed: Uint8Array
}

/** Two columns of which one has to pass. */
export type EitherTests = readonly [CodeTest, CodeTest]

/** Keeps rows whose code is allowed. @param allowed 1 = allowed, per code, `none` included */
export function keepAllowed(
  rows: Uint32Array,
  rowCount: number,
  codes: CodeArray,
  allowed: Uint8Array,
): number {
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += allowed[codes[row]!]!
  }
  return keptCount
}

/** Keeps rows that pass either test. */
export function keepEitherAllowed(
  rows: Uint32Array,
  rowCount: number,
  [{ codes, allowed }, other]: EitherTests,
): number {
  const { codes: otherCodes, allowed: otherAllowed } = other
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += allowed[codes[row]!]! | otherAllowed[otherCodes[row]!]!
  }
  return keptCount
}

/** Keeps rows that pass neither test. */
export function keepNeitherAllowed(
  rows: Uint32Array,
  rowCount: number,
  [{ codes, allowed }, other]: EitherTests,
): number {
  const { codes: otherCodes, allowed: otherAllowed } = other
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += 1 - (allowed[codes[row]!]! | otherAllowed[otherCodes[row]!]!)
  }
  return keptCount
}

/** The ranks in [low, high). */
export interface Ranks {
  readonly low: number
  readonly high: number
}

/**
 * Keeps rows whose rank is in [low, high).
 * @param codes of an ordered column: a row without a value ranks past every high
 */
export function keepWithin(
  rows: Uint32Array,
  rowCount: number,
  codes: CodeArray,
  { low, high }: Ranks,
): number {
  const span = high - low
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    // One unsigned comparison for both bounds: values below low wrap around to a large number.
    keptCount += (codes[row]! - low) >>> 0 < span ? 1 : 0
  }
  return keptCount
}

/** Keeps rows whose rank is in either span; likewise. */
export function keepEitherWithin(
  rows: Uint32Array,
  rowCount: number,
  codes: CodeArray,
  [first, second]: readonly [Ranks, Ranks],
): number {
  const { low, high } = first
  const { low: secondLow, high: secondHigh } = second
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    const code = codes[row]!
    const isFirst = (code - low) >>> 0 < high - low
    keptCount += isFirst || (code - secondLow) >>> 0 < secondHigh - secondLow ? 1 : 0
  }
  return keptCount
}

/** Keeps rows that are in a bit set. @param words its bits */
export function keepInSet(rows: Uint32Array, rowCount: number, words: Uint32Array): number {
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += bitAt(words, row)
  }
  return keptCount
}

/** Keeps rows that are in a list. @param list ascending */
export function keepListed(rows: Uint32Array, rowCount: number, list: Uint32Array): number {
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += isListed(list, row) ? 1 : 0
  }
  return keptCount
}
