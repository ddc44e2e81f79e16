import { hash } from 'node:crypto'
import { ApiError } from '../errors.js'
import type { AccountView, ChangePosition } from '../query/changed-rows.js'

/*
 * A cursor of changes, in base64url:
 *
 *   OFFSET  SIZE  FIELD
 *   0       16    seal: SHA-256 of timeline, view and position, cut
 *   16      16    position, XOR the SHA-256 of timeline and seal, cut:
 *                 sequence f64, first copied id f64, both little-endian
 *
 * The timeline is a secret of 128 bits, so the holder of a cursor can neither make another one nor
 * read the sequence in it, which counts the changes of all accounts. Equal positions have equal
 * cursors, and equal pages equal bytes, as with the synthetic initialization vector of RFC 5297.
 * Node.js takes five times as long for HMAC and AES, and a thousand waiting callers come at once.
 */
const SEAL_BYTES = 16
const POSITION_BYTES = 16
const CURSOR = /^[-\w]{43}$/

/** The series of snapshots, and the accounts, that a cursor belongs to. */
export interface CursorScope {
  readonly timeline: string
  readonly view: AccountView
}

/** The cursor of a position; the same for equal ones. */
export function cursorOf(scope: CursorScope, { sequence, copiedFrom }: ChangePosition): string {
  const plain = Buffer.alloc(POSITION_BYTES)
  plain.writeDoubleLE(sequence, 0)
  plain.writeDoubleLE(copiedFrom, 8)
  const seal = sealOf(scope, plain)
  return Buffer.concat([seal, masked(scope, seal, plain)]).toString('base64url')
}

/** @throws ApiError `cursor_expired` for a cursor of another scope, or any other text */
export function positionOf(scope: CursorScope, cursor: string): ChangePosition {
  const bytes = Buffer.from(CURSOR.test(cursor) ? cursor : '', 'base64url')
  if (bytes.length !== SEAL_BYTES + POSITION_BYTES) throw cursorExpired()
  const seal = bytes.subarray(0, SEAL_BYTES)
  const plain = masked(scope, seal, bytes.subarray(SEAL_BYTES))
  if (!sealOf(scope, plain).equals(seal)) throw cursorExpired()
  return { sequence: plain.readDoubleLE(0), copiedFrom: plain.readDoubleLE(8) }
}

/** The error for a cursor that leads nowhere any more, or never did. */
export function cursorExpired(): ApiError {
  return new ApiError(
    'cursor_expired',
    'since is older than the known changes, or no cursor of this workspace, credential and ' +
      'accountIds; start again without since, for example transactions/changes?limit=250',
  )
}

/** A text without blanks; the same for equal views alone. */
export function viewText(view: AccountView): string {
  return view === null ? 'all' : [...view].sort((a, b) => a - b).join()
}

function sealOf({ timeline, view }: CursorScope, plain: Buffer): Buffer {
  return digestOf(`${timeline} seal ${viewText(view)} ${plain.toString('base64url')}`)
}

function masked({ timeline }: CursorScope, seal: Buffer, bytes: Buffer): Buffer {
  const mask = digestOf(`${timeline} mask ${seal.toString('base64url')}`)
  return Buffer.from(bytes.map((byte, i) => byte ^ (mask[i] ?? 0)))
}

/** As long as a seal, and as a position. */
function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, SEAL_BYTES)
}
