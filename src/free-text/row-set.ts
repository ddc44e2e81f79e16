import {
  emptyWords,
  keepCommon,
  letPass,
  ordinalsOf,
  passes,
  type Sieve,
  sieveOf,
} from '../ordinals/sieve.js'

/** Rows of a segment: ascending ordinals where they are few, else a bit per row. */
export type RowSet =
  | { readonly kind: 'listed'; readonly ordinals: Uint32Array }
  | { readonly kind: 'sifted'; readonly sieve: Sieve }

/** How many rows a set has. */
export function rowSetCount(rows: RowSet): number {
  return rows.kind === 'listed' ? rows.ordinals.length : rows.sieve.count
}

/** Its rows, ascending. */
export function rowSetOrdinals(rows: RowSet): Uint32Array {
  return rows.kind === 'listed' ? rows.ordinals : ordinalsOf(rows.sieve)
}

/** Whether so many rows are listed: at most one in 64, which takes half of a bit per row. */
function areListed(count: number, rowCount: number): boolean {
  return count <= rowCount / 64
}

/** The set of the rows that pass. @param words a bit per row; kept, not copied */
export function rowSetOf(words: Uint32Array, rowCount: number): RowSet {
  const sieve = sieveOf(words)
  if (!areListed(sieve.count, rowCount)) return { kind: 'sifted', sieve }
  return { kind: 'listed', ordinals: ordinalsOf(sieve) }
}

/** The set of ascending ordinals, each once; kept, not copied. */
export function setOfOrdinals(ordinals: Uint32Array, rowCount: number): RowSet {
  if (areListed(ordinals.length, rowCount)) return { kind: 'listed', ordinals }
  const words = emptyWords(rowCount)
  letPass(words, ordinals)
  return { kind: 'sifted', sieve: { words, count: ordinals.length } }
}

/** The rows in both. */
export function commonRows(a: RowSet, b: RowSet, rowCount: number): RowSet {
  if (a.kind === 'sifted' && b.kind === 'sifted') {
    const words = a.sieve.words.slice()
    keepCommon(words, b.sieve.words)
    return rowSetOf(words, rowCount)
  }
  if (a.kind === 'listed' && b.kind === 'listed') {
    return { kind: 'listed', ordinals: commonOrdinals(a.ordinals, b.ordinals) }
  }
  if (a.kind === 'sifted') return commonRows(b, a, rowCount)
  const { words } = (b as Extract<RowSet, { kind: 'sifted' }>).sieve
  return { kind: 'listed', ordinals: a.ordinals.filter((row) => passes(words, row) === 1) }
}

/** What two ascending lists have in common. */
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
