import { bitAt } from '../ordinals/bit-set.js'
import { isListed } from '../ordinals/ordinal-list.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import type { InstantColumn } from '../snapshot/ordered-column.js'

// The inner loops of filtering: each moves the passing ordinals to the front of `rows`, in their
// order, and returns how many. Ordinals are below the column's length; keptCount never overtakes i,
// so working in place is safe. The store is unconditional and only the count depends on the test,
// because a mispredicted branch costs more than the store. Each test has a loop of its own:
// a shared loop would call the test for every row.

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

interface EitherAllowed {
  readonly codes: CodeArray
  readonly otherCodes: CodeArray
  /** 1 = allowed, per code. */
  readonly allowed: Uint8Array
}

/** Keeps rows of which either code is allowed. */
export function keepEitherAllowed(
  rows: Uint32Array,
  rowCount: number,
  { codes, otherCodes, allowed }: EitherAllowed,
): number {
  let keptCount = 0
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i]!
    rows[keptCount] = row
    keptCount += allowed[codes[row]!]! | allowed[otherCodes[row]!]!
  }
  return keptCount
}

interface RanksWithin {
  readonly column: InstantColumn
  readonly low: number
  readonly high: number
}

/** Keeps rows whose rank is in [low, high); a row without a value ranks past every high. */
export function keepWithin(
  rows: Uint32Array,
  rowCount: number,
  { column, low, high }: RanksWithin,
): number {
  const { codes } = column
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
