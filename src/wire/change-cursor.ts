import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { ApiError } from '../errors.js'
import type { AccountView, ChangePosition } from '../query/changed-rows.js'

/*
 * A cursor of changes, in base64url:
 *
 *   OFFSET  SIZE  FIELD
 *   0       16    seal: HMAC-SHA-256 of the view and the position, cut
 *   16      16    position, encrypted by AES-256-CTR with the seal as its counter:
 *                 sequence f64, first copied id f64, both little-endian
 *
 * The keys follow from the timeline, which is secret. Equal positions have equal cursors, so equal
 * pages have equal bytes (the synthetic initialization vector of RFC 5297). Whoever holds a cursor
 * cannot read the sequence in it, which counts the changes of all accounts.
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
  const position = Buffer.alloc(POSITION_BYTES)
  position.writeDoubleLE(sequence, 0)
  position.writeDoubleLE(copiedFrom, 8)
  const seal = sealOf(scope, position)
  const cipher = createCipheriv('aes-256-ctr', keyOf(scope, 'cipher'), seal)
  return Buffer.concat([seal, cipher.update(position)]).toString('base64url')
}

/** @throws ApiError `cursor_expired` for a cursor of another scope, or any other text */
export function positionOf(scope: CursorScope, cursor: string): ChangePosition {
  const bytes = Buffer.from(CURSOR.test(cursor) ? cursor : '', 'base64url')
  if (bytes.length !== SEAL_BYTES + POSITION_BYTES) throw cursorExpired()
  const seal = bytes.subarray(0, SEAL_BYTES)
  const cipher = createDecipheriv('aes-256-ctr', keyOf(scope, 'cipher'), seal)
  const position = cipher.update(bytes.subarray(SEAL_BYTES))
  if (!sealOf(scope, position).equals(seal)) throw cursorExpired()
  return { sequence: position.readDoubleLE(0), copiedFrom: position.readDoubleLE(8) }
}

/** The error for a cursor that leads nowhere any more, or never did. */
export function cursorExpired(): ApiError {
  return new ApiError(
    'cursor_expired',
    'since is older than the known changes, or no cursor of this workspace, credential and ' +
      'accountIds; start again without since, for example transactions/changes?limit=250',
  )
}

function sealOf(scope: CursorScope, position: Buffer): Buffer {
  const { view } = scope
  const accounts = view === null ? 'all' : [...view].sort((a, b) => a - b).join()
  const seal = createHmac('sha256', keyOf(scope, 'seal')).update(position).update(accounts)
  return seal.digest().subarray(0, SEAL_BYTES)
}

function keyOf({ timeline }: CursorScope, use: 'seal' | 'cipher'): Buffer {
  return createHash('sha256').update(`${use} ${timeline}`).digest()
}
