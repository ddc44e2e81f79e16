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

/** A table of distinct texts in any order. @returns codes ascend by UTF-8 bytes */
export function buildStringTable(texts: Iterable<string>): StringTable {
  const encoded = Array.from(texts, (text) => Buffer.from(text, 'utf8')).sort(Buffer.compare)
  const offsets = sharedUint32(encoded.length + 1)
  let end = 0
  encoded.forEach((text, code) => {
    end += text.length
    offsets[code + 1] = end
  })
  const bytes = sharedBytes(end)
  encoded.forEach((text, code) => {
    bytes.set(text, offsets[code] ?? 0)
  })
  return { bytes, offsets }
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

/** The text of a code. @param code 0 to stringCount - 1 */
export function stringOfCode(table: StringTable, code: number): string {
  const start = table.offsets[code] ?? 0
  const end = table.offsets[code + 1] ?? start
  return Buffer.from(table.bytes.buffer, table.bytes.byteOffset + start, end - start).toString()
}
