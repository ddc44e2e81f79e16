import { type Line, linesOf } from '../text-lines.js'

/** One record of a file whose records all have the same width. */
export interface FixedRecord {
  /** Padded to the width of a record; control characters are blanks. */
  readonly text: string
  /** `line 41`, or `line 1, record 7` in a file without line ends. */
  readonly position: string
  /** The text after the last column, trimmed: a sign of shifted columns. */
  readonly excess: string
}

/** Control characters, including the substitute character (^Z) at the end of DOS files. */
const CONTROL = /\p{Cc}/gu

/** Replaces the further bytes of a character, so that columns are counted in bytes. */
const FILLER = '\u2060'

/** The text without the fillers of {@link recordsOf}. */
export function withoutFillers(text: string): string {
  return text.replaceAll(FILLER, '')
}

/** Whether texts of the record have fillers, see {@link withoutFillers}. */
export function hasFillers({ text }: FixedRecord): boolean {
  return text.includes(FILLER)
}

/**
 * Aligns a line of UTF-8 whose columns are bytes, as some programs write it: too short in
 * characters, but complete in bytes. Each further byte of a character becomes a filler.
 */
function withByteColumns(text: string, width: number): string {
  const isShort = text.length < width && /[ \d]$/.test(text)
  if (!isShort || Buffer.byteLength(text) !== width) return text
  return text.replace(/[^\0-\x7f]/gu, (character) =>
    character.padEnd(Buffer.byteLength(character), FILLER),
  )
}

function recordsOfLine({ text, number }: Line, width: number): FixedRecord[] {
  const clean = text.replace(CONTROL, ' ')
  // Mainframes write records without line ends.
  const isRun = clean.length >= 2 * width
  if (!isRun) {
    if (clean.trimEnd() === '') return []
    const excess = clean.slice(width).trim()
    const padded = withByteColumns(clean, width).slice(0, width).padEnd(width)
    return [{ text: padded, position: `line ${number}`, excess }]
  }
  const records: FixedRecord[] = []
  for (let at = 0; at < clean.length; at += width) {
    const record = clean.slice(at, at + width).padEnd(width)
    if (record.trimEnd() === '') continue
    const position = `line ${number}, record ${at / width + 1}`
    records.push({ text: record, position, excess: '' })
  }
  return records
}

/**
 * Splits text into records of a fixed width, one a line, or several in a row in lines of at least
 * two records; blank lines are left out. Yields a batch for each piece of text.
 * @throws StatementError for a line that is too long, or with a NUL
 */
export async function* recordsOf(
  text: AsyncIterable<string>,
  width: number,
): AsyncGenerator<readonly FixedRecord[]> {
  for await (const lines of linesOf(text)) {
    const records = lines.flatMap((line) => recordsOfLine(line, width))
    if (records.length > 0) yield records
  }
}
