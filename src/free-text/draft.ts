import { grown } from './growing.js'
import { WordTable } from './word-table.js'

/** Equal in both forms, a first form alone, a second form alone: the ranges of an index's codes. */
export type WordRange = 0 | 1 | 2
export const EQUAL_FORMS = 0
export const FIRST_FORM = 1
export const SECOND_FORM = 2

/**
 * Words and rows of an index under construction, in order of first appearance.
 *
 *   FIELD     SIZE          HOLDS
 *   tables                  the words of each range
 *   entries   4 × entries   range in the lowest two bits, above them the word's code in its table
 *   rowEnds   4 × rows      words of row o are entries[rowEnds[o - 1] .. rowEnds[o]), each once
 */
export class IndexDraft {
  readonly tables = [new WordTable(), new WordTable(), new WordTable()] as const
  entries = new Uint32Array(1024)
  rowEnds = new Uint32Array(64)
  rowCount = 0
  #entryCount = 0

  /** Adds the word in word[from .. to) to the row that has not ended. @returns its entry */
  addWord(range: WordRange, word: Uint8Array, from: number, to: number): number {
    const entry = this.tables[range].codeOf(word, from, to) * 4 + range
    this.addEntry(entry)
    return entry
  }

  /** Adds a word again. @param entry result of addWord for it */
  addEntry(entry: number): void {
    if (!this.tables[(entry & 3) as WordRange].countRow(entry >>> 2, this.rowCount)) return
    if (this.#entryCount === this.entries.length) {
      this.entries = grown(this.entries, this.#entryCount + 1)
    }
    this.entries[this.#entryCount++] = entry
  }

  /** Ends a row; later words belong to the next. */
  endRow(): void {
    this.rowEnds = grown(this.rowEnds, this.rowCount + 1)
    this.rowEnds[this.rowCount++] = this.#entryCount
  }
}
