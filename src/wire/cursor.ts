import { createHash } from 'node:crypto'
import type { ApiError } from '../errors.js'
import type { RowPosition } from '../query/row-position.js'
import { parameterFault } from './fault.js'
import { CURSOR, type CursorParameter } from './parameter-table.js'

/** A cursor as a caller sends it. */
export interface Cursor {
  /** Digest of the list that it belongs to; `''` for the first page of any list. */
  readonly digest: string
  /** Where the page before ended; undefined = the first page. */
  readonly position: RowPosition | undefined
}

const FIRST_PAGE: Cursor = { digest: '', position: undefined }

/*
 * The text of a cursor, in base64url:
 *
 *   OFFSET   SIZE   FIELD
 *   0        12     digest of the list
 *   12       1      1 = the row has the sort key, 0 = it has none
 *   13       8      sort key, f64; 0 = none
 *   21       8      id of the row, f64 holding an integer
 *
 * There is no secret: a cursor that a caller invents is another position in the list that the
 * caller may see, because the list is computed for each page.
 */
const DIGEST_BYTES = 12
const CURSOR_BYTES = 29
const CURSOR_LENGTH = Math.ceil((CURSOR_BYTES * 4) / 3)

/** The digest of a list. @param list plain values: equal for equal lists, other for other ones */
export function listDigest(list: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(list)).digest()
  return digest.toString('base64url', 0, DIGEST_BYTES)
}

/** The text of the cursor behind a row. @param digest as {@link listDigest} returns it */
export function cursorText(digest: string, { hasKey, key, id }: RowPosition): string {
  const bytes = Buffer.alloc(CURSOR_BYTES)
  bytes.write(digest, 'base64url')
  bytes.writeUInt8(hasKey ? 1 : 0, DIGEST_BYTES)
  bytes.writeDoubleBE(key, DIGEST_BYTES + 1)
  bytes.writeDoubleBE(id, DIGEST_BYTES + 9)
  return bytes.toString('base64url')
}

/** Reads a cursor, empty for the first page. @throws ApiError `invalid_cursor` */
export function readCursor(
  parameter: CursorParameter,
  text: string,
  start: number,
  end: number,
): Cursor {
  if (start === end) return FIRST_PAGE
  const value = text.slice(start, end)
  const bytes = Buffer.from(value, 'base64url')
  const isWhole = value.length === CURSOR_LENGTH && bytes.length === CURSOR_BYTES
  if (!isWhole || bytes.toString('base64url') !== value) throw malformed(parameter)
  const flag = bytes.readUInt8(DIGEST_BYTES)
  const key = bytes.readDoubleBE(DIGEST_BYTES + 1)
  const id = bytes.readDoubleBE(DIGEST_BYTES + 9)
  if (flag > 1 || !Number.isFinite(key) || !Number.isSafeInteger(id)) throw malformed(parameter)
  const digest = bytes.toString('base64url', 0, DIGEST_BYTES)
  return { digest, position: { hasKey: flag === 1, key, id } }
}

/** The position of the cursor in the list. @throws ApiError `invalid_cursor` for another list */
export function positionIn(digest: string, cursor: Cursor): RowPosition | undefined {
  const { position } = cursor
  if (position === undefined || cursor.digest === digest) return position
  const what =
    'belongs to another list: send it to the same path, with the same filters, search and order, ' +
    'and a credential for the same accounts, or start again with an empty one'
  throw parameterFault(CURSOR, what, 'invalid_cursor')
}

function malformed(parameter: CursorParameter): ApiError {
  const what = 'must be the value of an X-Next-Cursor, or empty for the first page'
  return parameterFault(parameter, what, 'invalid_cursor')
}
