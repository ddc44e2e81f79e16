/**
 * A set of rows of a segment, one bit per ordinal: small enough to cache for a selection of any
 * size, with membership of any row in constant time.
 *
 *   FIELD     SIZE            HOLDS
 *   words     4 × ⌈n / 32⌉    bit o & 31 of words[o >>> 5] = row o is in the set; bits past n are 0
 *   count                     bits that are set
 */
export interface BitSet {
  readonly words: Uint32Array
  readonly count: number
}

/** Words of an empty bit set over `rowCount` rows. */
export function emptyWords(rowCount: number): Uint32Array {
  return new Uint32Array((rowCount + 31) >>> 5)
}

/** Words of a full bit set over `rowCount` rows. */
export function fullWords(rowCount: number): Uint32Array {
  const words = emptyWords(rowCount).fill(0xffffffff)
  const restCount = rowCount & 31
  if (restCount > 0) words[words.length - 1] = 2 ** restCount - 1
  return words
}

/** Adds the rows. @param rows ordinals, in any order, repeated or not */
export function addRows(words: Uint32Array, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    words[row >>> 5]! |= 1 << (row & 31)
  }
}

/** Removes the rows. @param rows ordinals, in any order, repeated or not */
export function removeRows(words: Uint32Array, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    words[row >>> 5]! &= ~(1 << (row & 31))
  }
}

/** Leaves in `words` the rows of both sets. @param others as long as `words` */
export function intersect(words: Uint32Array, others: Uint32Array): void {
  for (let i = 0; i < words.length; i++) words[i]! &= others[i]!
}

/** The bit set of finished words. */
export function bitSetOf(words: Uint32Array): BitSet {
  let count = 0
  for (let i = 0; i < words.length; i++) count += bitCount(words[i]!)
  return { words, count }
}

/** The ordinals of the set, ascending. */
export function ordinalsOf({ words, count }: BitSet): Uint32Array {
  const ordinals = new Uint32Array(count)
  let end = 0
  for (let i = 0; i < words.length; i++) {
    for (let rest = words[i]!; rest !== 0; rest &= rest - 1) {
      ordinals[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return ordinals
}

/** 1 = the row is in the set, 0 = it is not. */
export function bitAt(words: Uint32Array, row: number): number {
  return (words[row >>> 5]! >>> (row & 31)) & 1
}

/** Set bits of a 32-bit word (Hacker's Delight, 5-2). */
export function bitCount(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  sum = (sum + (sum >>> 4)) & 0x0f0f0f0f
  return Math.imul(sum, 0x01010101) >>> 24
}
