import type { SuggestionKind } from '../domain/suggestion.js'
import { grown } from '../free-text/growing.js'
import { WordTable } from '../free-text/word-table.js'

/** By the byte that stands for them. */
const SUGGESTION_KINDS = [
  'counterpart',
  'category',
  'account',
  'word',
] as const satisfies SuggestionKind[]

/**
 * Distinct pairs of kind and text, each with a code and a count; outside of the heap. A text is
 * kept as it is written, its kind as one byte before it.
 */
export class SuggestionTexts {
  readonly #table = new WordTable()
  #scratch = new Uint8Array(1024)

  get count(): number {
    return this.#table.count
  }

  /** The code of a text; the next number when it is new. */
  codeOf(kind: SuggestionKind, text: string): number {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    this.#scratch = grown(this.#scratch, 1 + text.length * 3)
    this.#scratch[0] = SUGGESTION_KINDS.indexOf(kind)
    const { written } = encoder.encodeInto(text, this.#scratch.subarray(1))
    return this.#table.codeOf(this.#scratch, 0, 1 + written)
  }

  /** The same for a text of ASCII, bytes[from .. to). */
  codeOfAscii(kind: SuggestionKind, bytes: Uint8Array, from: number, to: number): number {
    this.#scratch = grown(this.#scratch, 1 + to - from)
    this.#scratch[0] = SUGGESTION_KINDS.indexOf(kind)
    for (let at = from, end = 1; at < to; at++) this.#scratch[end++] = bytes[at]!
    return this.#table.codeOf(this.#scratch, 0, 1 + to - from)
  }

  /** Counts a row for a text once. */
  countRow(code: number, row: number): void {
    this.#table.countRow(code, row)
  }

  rowCountOf(code: number): number {
    return this.#table.rowCounts[code] ?? 0
  }

  kindOf(code: number): SuggestionKind {
    return SUGGESTION_KINDS[this.#table.bytes[this.#startOf(code)] ?? 0] ?? 'word'
  }

  textOf(code: number): string {
    return textAt(this.#table, this.#startOf(code) + 1, code)
  }

  get byteCount(): number {
    return tableBytes(this.#table)
  }

  #startOf(code: number): number {
    return code === 0 ? 0 : this.#table.ends[code - 1]!
  }
}

const encoder = new TextEncoder()

/** The text of a code, from a position in its bytes on. */
function textAt({ bytes, ends }: WordTable, from: number, code: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    'utf8',
    from,
    ends[code],
  )
}

/** Bytes of the arrays of a table; there are two to eight slots a word. */
export function tableBytes({ bytes, ends, count }: WordTable): number {
  return bytes.byteLength + 4 * ends.byteLength + 4 * 8 * count
}
