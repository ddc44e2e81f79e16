import { type CodeArray, sharedCodes } from '../ordinals/shared-memory.js'
import { NO_CODE } from './id-dictionary.js'
import { buildPostings, type Postings } from './postings.js'
import { rankStrings, type StringTable, stringCount } from './strings.js'

/** A column of texts that many rows share. */
export interface TextColumn {
  readonly table: StringTable
  /** Per ordinal; the number of texts = the row has none. */
  readonly codes: CodeArray
  readonly postings: Postings
}

/** The texts of a segment's rows, by ordinal, before they are ranked and indexed. */
export class RawTexts {
  readonly #firstCodes = new Map<string, number>()
  readonly #codes: Uint32Array

  /** @param capacity number of the rows, or more */
  constructor(capacity: number) {
    this.#codes = new Uint32Array(capacity)
  }

  /** @param text undefined or empty = the row has none */
  set(row: number, text: string | undefined): void {
    this.#codes[row] = text === undefined || text === '' ? NO_CODE : codeOf(this.#firstCodes, text)
  }

  /** The column of the first rows: codes in order of appearance -> codes of the sorted table. */
  column(rowCount: number): TextColumn {
    const { table, codes: rankOf } = rankStrings(this.#firstCodes.keys())
    const codes = sharedCodes(rowCount, rankOf.length)
    for (let row = 0; row < rowCount; row++) {
      const code = this.#codes[row]!
      codes[row] = code === NO_CODE ? rankOf.length : rankOf[code]!
    }
    return { table, codes, postings: buildPostings(codes, stringCount(table)) }
  }
}

/** The code of a text, assigned at its first appearance. */
export function codeOf(codes: Map<string, number>, text: string): number {
  const known = codes.get(text)
  if (known !== undefined) return known
  codes.set(text, codes.size)
  return codes.size - 1
}
