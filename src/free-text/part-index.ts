import { ROW_GONE } from '../ordinals/ordinal.js'
import { mergeTextIndexes } from './merge.js'
import type { TextIndex } from './text-index.js'

/**
 * The index that the texts of some rows alone would give: no word, no count and no order in it has
 * anything to do with the others, so nothing that is looked up in it tells of them.
 * @param rows ascending ordinals of `index`, each once; row i of the part is rows[i]
 */
export function partIndexOf(index: TextIndex, rows: Uint32Array): TextIndex {
  const ordinalOf = new Uint32Array(index.rowCount).fill(ROW_GONE)
  for (let i = 0; i < rows.length; i++) ordinalOf[rows[i]!] = i
  return mergeTextIndexes([{ index, ordinalOf }], rows.length)
}
