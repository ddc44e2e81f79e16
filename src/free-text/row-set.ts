import {
  addRows,
  type BitSet,
  bitAt,
  bitSetOf,
  emptyWords,
  intersect,
  ordinalsOf,
} from '../ordinals/bit-set.js'

/** Rows of a segment: ascending ordinals where they are few, else a bit per row. */
export type RowSet =
  | { readonly kind: 'ordinals'; readonly ordinals: Uint32Array }
  | { readonly kind: 'bits'; readonly bits: BitSet }

/** Number of rows in a set. */
export function rowSetCount(rows: RowSet): number {
  return rows.kind === 'ordinals' ? rows.ordinals.length : rows.bits.count
}

/** Its rows, ascending. */
export function rowSetOrdinals(rows: RowSet): Uint32Array {
  return rows.kind === 'ordinals' ? rows.ordinals : ordinalsOf(rows.bits)
}

/**
 * Whether `count` of `rowCount` rows are stored as ordinals: at most one in 64, half the size of a
 * bit set.
 */
function areSparse(count: number, rowCount: number): boolean {
  return count <= rowCount / 64
}

/** The set of the rows with a bit. @param words a bit per row; kept, not copied */
export function rowSetOf(words: Uint32Array, rowCount: number): RowSet {
  const bits = bitSetOf(words)
  if (!areSparse(bits.count, rowCount)) return { kind: 'bits', bits }
  return { kind: 'ordinals', ordinals: ordinalsOf(bits) }
}

/** The set of ascending ordinals, each once; kept, not copied. */
export function setOfOrdinals(ordinals: Uint32Array, rowCount: number): RowSet {
  if (areSparse(ordinals.length, rowCount)) return { kind: 'ordinals', ordinals }
  const words = emptyWords(rowCount)
  addRows(words, ordinals)
  return { kind: 'bits', bits: { words, count: ordinals.length } }
}

/** The rows of both sets. */
export function commonRows(a: RowSet, b: RowSet, rowCount: number): RowSet {
  if (a.kind === 'bits' && b.kind === 'bits') {
    const words = a.bits.words.slice()
    intersect(words, b.bits.words)
    return rowSetOf(words, rowCount)
  }
  if (a.kind === 'ordinals' && b.kind === 'ordinals') {
    return { kind: 'ordinals', ordinals: commonOrdinals(a.ordinals, b.ordinals) }
  }
  if (a.kind === 'bits') return commonRows(b, a, rowCount)
  const { words } = (b as Extract<RowSet, { kind: 'bits' }>).bits
  return { kind: 'ordinals', ordinals: a.ordinals.filter((row) => bitAt(words, row) === 1) }
}

/** The intersection of two ascending lists. */
function commonOrdinals(a: Uint32Array, b: Uint32Array): Uint32Array {
  const common = new Uint32Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!
    if (difference === 0) common[count++] = a[i]!
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return common.subarray(0, count)
}
