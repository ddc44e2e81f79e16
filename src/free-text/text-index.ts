import type { GramTable } from './grams.js'

/**
 * The words of a segment's searched texts, and their rows. A word is a span between white space in
 * a normal form; where its two forms differ it is two words, one of each form. Words are numbered
 * by codes, in three ranges: first those equal in both forms, then first forms, then second forms;
 * in each range the most frequent first. Arrays are in shared memory and never change.
 *
 *   FIELD            SIZE            HOLDS
 *   rowCount                         rows of the segment
 *   firstFormsFrom                   code of the first word that is a first form alone
 *   secondFormsFrom                  code of the first word that is a second form alone
 *   wordBytes        total length    UTF-8 of every word, one after the other
 *   wordOffsets      4 × (n + 1)     word c is wordBytes[wordOffsets[c] .. wordOffsets[c + 1])
 *   rowOffsets       4 × (n + 1)     rows of word c are rows[rowOffsets[c] .. rowOffsets[c + 1])
 *   rows             4 × entries     ordinals, ascending; or as long as a bit per row takes, then
 *                                    that: bit o & 31 of the part's entry o >>> 5 = row o
 *   rowWordOffsets   4 × (rows + 1)  words of row o are rowWords[rowWordOffsets[o] .. [o + 1])
 *   rowWords         total length    distinct codes in the order of the text, as varints
 *   equalGrams                       grams -> words equal in both forms
 *   firstGrams                       grams -> first forms
 *   secondGrams                      grams -> second forms
 *   commonKeys       4 × m           ascending keys (grams.ts) of the costliest short terms
 *   commonRows       m × bits        for each a bit per row: in a word of the first range
 */
export interface TextIndex {
  readonly rowCount: number
  readonly firstFormsFrom: number
  readonly secondFormsFrom: number
  readonly wordBytes: Uint8Array
  readonly wordOffsets: Uint32Array
  readonly rowOffsets: Uint32Array
  readonly rows: Uint32Array
  readonly rowWordOffsets: Uint32Array
  readonly rowWords: Uint8Array
  readonly equalGrams: GramTable
  readonly firstGrams: GramTable
  readonly secondGrams: GramTable
  readonly commonKeys: Uint32Array
  readonly commonRows: Uint32Array
}

/** An index without the sets of its commonest terms. */
export type IndexedTexts = Omit<TextIndex, 'commonKeys' | 'commonRows'>

/** Entries of a bit per row. */
export function bitWords(rowCount: number): number {
  return (rowCount + 31) >>> 5
}

/** Words of all three ranges. */
export function wordCount(index: TextIndex): number {
  return index.wordOffsets.length - 1
}

/** Bytes of the index's arrays. */
export function textIndexBytes(index: TextIndex): number {
  const { equalGrams, firstGrams, secondGrams, ...rest } = index
  let total = 0
  for (const part of [rest, equalGrams, firstGrams, secondGrams]) {
    for (const array of Object.values(part) as (number | ArrayBufferView)[]) {
      if (typeof array !== 'number') total += array.byteLength
    }
  }
  return total
}
