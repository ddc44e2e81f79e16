// Statements of imported files, as rows of the table `statements`: their balances, and the entries
// of their first and last booking day. Only these days may have entries of two statements.
//
// The entries are one BLOB, 25 bytes each:
//
//   OFFSET  SIZE  FIELD
//   0       16    digest of what identifies the entry (src/statements/import/identity.ts)
//   16      8     amount in units of 10 ** -5, i64, big-endian
//   24      1     flags: 1 = booked on the first day, 2 = on the last day, 4 = has a reference
import { hash } from 'node:crypto'
import type { Sum } from '../money.js'

/** An entry of the first or last booking day of a statement. */
export interface KeptEntry {
  /** 16 characters of one byte each; equal for entries that no text or reference distinguishes. */
  readonly digest: string
  /** Signed. */
  readonly amount: Sum
  readonly isOnFirstDay: boolean
  readonly isOnLastDay: boolean
  /** Whether the bank's reference identifies it, in place of the texts. */
  readonly hasReference: boolean
}

/** The balances of a statement. */
export interface Balances {
  readonly opening: Sum
  readonly closing: Sum
}

/** A statement of one account and currency whose entries lead from `opening` to `closing`. */
export interface KeptStatement extends Balances {
  /** Days since 1970-01-01 UTC. */
  readonly firstDay: number
  readonly lastDay: number
  readonly entries: readonly KeptEntry[]
}

/** A row of `statements` but for account and currency. */
export interface StatementRow {
  readonly opening: string
  readonly closing: string
  readonly firstDay: number
  readonly lastDay: number
  readonly entries: Buffer
}

const DIGEST_BYTES = 16
const ENTRY_BYTES = 25
const IS_ON_FIRST_DAY = 1
const IS_ON_LAST_DAY = 2
const HAS_REFERENCE = 4

/** Largest magnitude of an amount that an entry has room for: 92 trillion. */
const AMOUNT_MAX: Sum = 2n ** 63n - 1n

/** The row of a statement; undefined if an amount is too large for it. */
export function rowOfStatement(statement: KeptStatement): StatementRow | undefined {
  const { opening, closing, firstDay, lastDay } = statement
  const entries = Buffer.alloc(statement.entries.length * ENTRY_BYTES)
  let at = 0
  for (const { digest, amount, isOnFirstDay, isOnLastDay, hasReference } of statement.entries) {
    if (amount > AMOUNT_MAX || amount < -AMOUNT_MAX) return undefined
    entries.write(digest, at, 'latin1')
    entries.writeBigInt64BE(amount, at + DIGEST_BYTES)
    entries[at + ENTRY_BYTES - 1] =
      (isOnFirstDay ? IS_ON_FIRST_DAY : 0) |
      (isOnLastDay ? IS_ON_LAST_DAY : 0) |
      (hasReference ? HAS_REFERENCE : 0)
    at += ENTRY_BYTES
  }
  return { opening: String(opening), closing: String(closing), firstDay, lastDay, entries }
}

/** The statement of a row. */
export function statementOfRow(row: StatementRow): KeptStatement {
  const { opening, closing, firstDay, lastDay, entries } = row
  const count = Math.floor(entries.length / ENTRY_BYTES)
  return {
    ...{ opening: BigInt(opening), closing: BigInt(closing), firstDay, lastDay },
    entries: Array.from({ length: count }, (_, i) => entryAt(entries, i * ENTRY_BYTES)),
  }
}

/**
 * Identifies a row within its account: equal for equal statements alone, whatever the order of
 * their entries. @returns 16 bytes
 */
export function digestOfRow(row: StatementRow, currency: string): Buffer {
  const { opening, closing, firstDay, lastDay, entries } = row
  // The entries are added up word by word, because files list those of a day in different orders.
  const sums = [0, 0, 0, 0]
  for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
    const flags = entries[at + ENTRY_BYTES - 1]! // at + ENTRY_BYTES <= length
    for (let word = 0; word < 4; word++) {
      sums[word] = (sums[word]! + entries.readUInt32BE(at + 4 * word) + flags) % 2 ** 48
    }
  }
  const count = entries.length / ENTRY_BYTES
  const text = [currency, opening, closing, firstDay, lastDay, count, ...sums].join(' ')
  return Buffer.from(hash('sha256', text, 'binary').slice(0, DIGEST_BYTES), 'latin1')
}

function entryAt(entries: Buffer, at: number): KeptEntry {
  const flags = entries[at + ENTRY_BYTES - 1] ?? 0
  return {
    digest: entries.toString('latin1', at, at + DIGEST_BYTES),
    amount: entries.readBigInt64BE(at + DIGEST_BYTES),
    isOnFirstDay: (flags & IS_ON_FIRST_DAY) !== 0,
    isOnLastDay: (flags & IS_ON_LAST_DAY) !== 0,
    hasReference: (flags & HAS_REFERENCE) !== 0,
  }
}
