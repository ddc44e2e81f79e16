import { ROW_GONE } from '../ordinals/ordinal.js'
import { EQUAL_FORMS, FIRST_FORM, IndexDraft, SECOND_FORM, type WordRange } from './draft.js'
import { layOut } from './lay-out.js'
import { type TextIndex, wordCount } from './text-index.js'
import { readVarint, varintBytes } from './varint.js'

/** Source of a merge, and where its rows go. */
export interface MovedRows {
  readonly index: TextIndex
  /** New ordinal by old ordinal; {@link ROW_GONE} = the row is deleted. */
  readonly ordinalOf: Uint32Array
}

/**
 * The index of the merged rows, equal to one built from their texts.
 * @param rowCount rows of the new index; those without a source have no texts
 */
export function mergeTextIndexes(sources: readonly MovedRows[], rowCount: number): TextIndex {
  const sourceOf = new Uint8Array(rowCount)
  const oldRowOf = new Uint32Array(rowCount)
  sources.forEach(({ ordinalOf }, source) => {
    for (let row = 0; row < ordinalOf.length; row++) {
      const moved = ordinalOf[row]!
      if (moved === ROW_GONE) continue
      sourceOf[moved] = source + 1
      oldRowOf[moved] = row
    }
  })
  const draft = new IndexDraft()
  const readers = sources.map(({ index }) => new WordReader(index, draft))
  for (let row = 0; row < rowCount; row++) {
    // 0 = no source has the row
    readers[sourceOf[row]! - 1]?.addRow(oldRowOf[row]!)
    draft.endRow()
  }
  return layOut(draft)
}

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

/** Adds the words of an index's rows to a draft, each looked up in it once. */
class WordReader {
  /** 1 + entry of the draft by code, 0 = not looked up yet. */
  readonly #entries: Uint32Array

  constructor(
    private readonly index: TextIndex,
    private readonly draft: IndexDraft,
  ) {
    this.#entries = new Uint32Array(wordCount(index))
  }

  addRow(row: number): void {
    const { rowWords, rowWordOffsets } = this.index
    const end = rowWordOffsets[row + 1]!
    for (let at = rowWordOffsets[row]!; at < end; ) {
      const code = readVarint(rowWords, at)
      at += varintBytes(code)
      const entry = this.#entries[code]!
      if (entry > 0) this.draft.addEntry(entry - 1)
      else this.#entries[code] = 1 + this.#addWord(code)
    }
  }

  #addWord(code: number): number {
    const { wordBytes, wordOffsets } = this.index
    const range = this.#rangeOf(code)
    return this.draft.addWord(range, wordBytes, wordOffsets[code]!, wordOffsets[code + 1]!)
  }

  #rangeOf(code: number): WordRange {
    if (code < this.index.firstFormsFrom) return EQUAL_FORMS
    return code < this.index.secondFormsFrom ? FIRST_FORM : SECOND_FORM
  }
}
