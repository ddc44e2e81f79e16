import { emptyWords } from '../ordinals/bit-set.js'
import { sharedUint32 } from '../ordinals/shared-memory.js'
import { bytesOfKey, firstByte, type GramTable, KEY_BYTES, keyOfStart } from './grams.js'
import { addRowsOfListed } from './rows-of-words.js'
import { bitWords, type IndexedTexts, type TextIndex } from './text-index.js'
import { equalWordsWith } from './words-with-term.js'

/**
 * Bytes per row for the precomputed rows of the commonest short search terms: a set of them takes
 * an eighth of a byte a row, so 128 terms.
 */
export const TEXT_COMMON_ROW_BYTES = 16

/** Entries that are read in a tenth of a millisecond: a cheaper term needs no set. */
export const COMMON_COST_MIN = 20_000

/**
 * Chooses the terms of one to four bytes that are costliest to search for, as many as
 * {@link TEXT_COMMON_ROW_BYTES} allow, and computes their rows in words equal in both forms.
 * @param costMin minimum entries to read for a term with a set
 */
export function chooseCommon(
  index: IndexedTexts,
  costMin: number,
): Pick<TextIndex, 'commonKeys' | 'commonRows'> {
  const bitsLength = bitWords(index.rowCount)
  const countMax = Math.floor((index.rowCount * TEXT_COMMON_ROW_BYTES) / (bitsLength * 4))
  const keys = [...costsByKey(index.equalGrams, costMin)]
    .filter(([key, cost]) => cost >= costMin && isText(bytesOfKey(key)))
    .sort(([a, costA], [b, costB]) => costB - costA || a - b)
    .slice(0, countMax)
    .map(([key]) => key)
    .sort((a, b) => a - b)
  const commonKeys = sharedUint32(keys.length)
  const commonRows = sharedUint32(keys.length * bitsLength)
  keys.forEach((key, place) => {
    const words = emptyWords(index.rowCount)
    addRowsOfListed(words, index, equalWordsWith(index, key))
    commonKeys[place] = key
    commonRows.set(words, place * bitsLength)
  })
  return { commonKeys, commonRows }
}

/**
 * Costs of finding the rows of one to four bytes, by their key; without those that begin with a
 * byte which costs less than `costMin` itself, as all of them do in a small segment.
 */
function costsByKey(table: GramTable, costMin: number): Map<number, number> {
  const { keys, counts, rowCounts } = table
  const byByte = costsByFirstByte(table)
  const costs = new Map<number, number>()
  for (let place = 0; place < keys.length; place++) {
    if (byByte[firstByte(keys[place]!)]! < costMin) continue
    for (let byteCount = 1; byteCount <= KEY_BYTES; byteCount++) {
      const key = keyOfStart(keys[place]!, byteCount)
      if (key === undefined) continue
      costs.set(key, (costs.get(key) ?? 0) + counts[place]! + rowCounts[place]!)
    }
  }
  return costs
}

/** Costs of finding the rows of one byte, by the first byte of its keys. */
function costsByFirstByte({ keys, counts, rowCounts }: GramTable): Float64Array {
  const costs = new Float64Array(256)
  for (let place = 0; place < keys.length; place++) {
    costs[firstByte(keys[place]!)]! += counts[place]! + rowCounts[place]!
  }
  return costs
}

/** Whether the bytes are whole characters, as those of a term are. */
function isText(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes).toString().includes('\ufffd')
}
