import { lowerBound } from '../lower-bound.js'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'

/**
 * A string table: distinct texts <-> codes, in shared memory.
 *
 *   FIELD     SIZE            HOLDS
 *   bytes     total length    UTF-8 of every text, one after the other, ascending by bytes
 *   offsets   4 × (n + 1)     text of code c is bytes[offsets[c] .. offsets[c + 1])
 */
export interface StringTable {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

/** A table of distinct texts, and their codes in it. */
export interface RankedStrings {
  readonly table: StringTable
  /** Code of each text, by its place among the given ones. */
  readonly codes: Uint32Array
}

/** A table of distinct texts in any order; codes ascend by UTF-8 bytes. */
export function rankStrings(texts: Iterable<string>): RankedStrings {
  const encoded = Array.from(texts, (text, place) => ({ bytes: Buffer.from(text, 'utf8'), place }))
  encoded.sort((a, b) => a.bytes.compare(b.bytes))
  const offsets = sharedUint32(encoded.length + 1)
  const codes = new Uint32Array(encoded.length)
  let end = 0
  encoded.forEach(({ bytes, place }, code) => {
    end += bytes.length
    offsets[code + 1] = end
    codes[place] = code
  })
  const joined = sharedBytes(end)
  encoded.forEach(({ bytes }, code) => {
    joined.set(bytes, offsets[code] ?? 0)
  })
  return { table: { bytes: joined, offsets }, codes }
}

/** Number of texts in the table. */
export function stringCount(table: StringTable): number {
  return table.offsets.length - 1
}

/** The code of a text, or -1 when the table does not hold it. */
export function codeOfString(table: StringTable, text: string): number {
  const wanted = Buffer.from(text, 'utf8')
  const bytes = Buffer.from(table.bytes.buffer, table.bytes.byteOffset, table.bytes.length)
  const count = stringCount(table)
  // A code below the count has both offsets.
  const compare = (code: number): number =>
    wanted.compare(bytes, table.offsets[code]!, table.offsets[code + 1]!)
  const code = lowerBound(0, count, (other) => compare(other) > 0)
  return code < count && compare(code) === 0 ? code : -1
}

/** Orders two texts of tables by UTF-8 bytes, which is the order of their code points. */
export function compareStrings(
  a: StringTable,
  codeA: number,
  b: StringTable,
  codeB: number,
): number {
  const bytes = Buffer.from(a.bytes.buffer, a.bytes.byteOffset, a.bytes.length)
  const { offsets } = b
  return bytes.compare(
    b.bytes,
    offsets[codeB],
    offsets[codeB + 1],
    a.offsets[codeA],
    a.offsets[codeA + 1],
  )
}

/** The text of a code. @param code 0 to stringCount - 1 */
export function stringOfCode(table: StringTable, code: number): string {
  const start = table.offsets[code] ?? 0
  const end = table.offsets[code + 1] ?? start
  return Buffer.from(table.bytes.buffer, table.bytes.byteOffset + start, end - start).toString()
}
