import { ROW_GONE } from '../ordinals/ordinal.js'
import { mergeTextIndexes } from './merge.js'
import type { TextIndex } from './text-index.js'

/**
 * The index of some rows, as if built from their texts alone: its words, counts and orders do not
 * depend on the other rows, so no look-up reveals anything of those.
 * @param rows ascending ordinals of `index`, each once; row i of the part is rows[i]
 */
export function partIndexOf(index: TextIndex, rows: Uint32Array): TextIndex {
  const ordinalOf = new Uint32Array(index.rowCount).fill(ROW_GONE)
  for (let i = 0; i < rows.length; i++) ordinalOf[rows[i]!] = i
  return mergeTextIndexes([{ index, ordinalOf }], rows.length)
}
