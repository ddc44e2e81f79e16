import type { Segment } from '../snapshot/snapshot.js'
import type { SuggestionIndex } from './suggestion-index.js'

/** The rendered rows of a segment. */
export type SuggestedRows = Pick<Segment, 'rowBytes' | 'rowOffsets'>

// In rendered rows (resource-json.ts) a quotation mark inside a text has a backslash before it, so
// that these occur as members alone.
const COUNTERPART = ',"counterpart":{'
const COUNTERPART_END = '},"createdAt":'
const NAME = '"name":"'
const PURPOSE = ',"purpose":"'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ASCII_END = 0x80

/** Adds the counterpart names and purposes of rows to an index, from their bytes. */
export class RowTexts {
  readonly #bytes: Buffer

  constructor(private readonly rows: SuggestedRows) {
    const { buffer, byteOffset, byteLength } = rows.rowBytes
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength)
  }

  /** Adds one row. @param row an ordinal of the rows */
  addTo(index: SuggestionIndex, row: number): void {
    const { rowOffsets } = this.rows
    const bytes = this.#bytes.subarray(rowOffsets[row], rowOffsets[row + 1])
    const counterpart = bytes.indexOf(COUNTERPART)
    const counterpartEnd = bytes.indexOf(COUNTERPART_END, counterpart)
    index.beginRow()
    const name = bytes.subarray(0, counterpartEnd).indexOf(NAME, counterpart)
    if (name >= 0) {
      const { from, to, isPlain } = textFrom(bytes, name + NAME.length)
      if (isPlain) index.addAsciiCounterpart(bytes, from, to)
      else index.addCounterpart(parsedText(bytes, from, to))
    }
    const purpose = bytes.indexOf(PURPOSE, counterpartEnd)
    if (purpose >= 0) {
      const { from, to, isPlain } = textFrom(bytes, purpose + PURPOSE.length)
      if (isPlain) index.addAsciiPurpose(bytes, from, to)
      else index.addPurpose(parsedText(bytes, from, to))
    }
  }
}

/** A text in a rendered row, bytes [from, to) between its quotation marks. */
interface TextSpan {
  readonly from: number
  readonly to: number
  /** Whether it has ASCII alone, and nothing that JSON escapes. */
  readonly isPlain: boolean
}

function textFrom(bytes: Uint8Array, from: number): TextSpan {
  let to = from
  let isPlain = true
  for (let byte = bytes[to]!; byte !== QUOTE; byte = bytes[++to]!) {
    if (byte >= ASCII_END) isPlain = false
    else if (byte === BACKSLASH) {
      isPlain = false
      to++
    }
  }
  return { from, to, isPlain }
}

function parsedText(bytes: Buffer, from: number, to: number): string {
  // A text of a rendered row, with its quotation marks.
  return JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as string
}
