import { strict as assert } from 'node:assert'
import type { Counterpart } from '../domain/transaction.js'
import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import type { Amount } from '../money.js'
import { StoreError } from '../store/store-error.js'
import { shortened } from './shortened.js'

/** Characters of one physical line or one XML text node of a bank file; a longer one is hostile. */
export const STATEMENT_LINE_CHARS_MAX = 1_000_000

/**
 * Characters of one entry without its details, or of one detail; the longest real ones have some
 * hundred thousand (thousands of referred documents).
 */
export const STATEMENT_ENTRY_CHARS_MAX = 4_000_000

/**
 * Code points of one text field of a transaction; longer than any bank's, short enough to render.
 */
export const FIELD_CODE_POINTS_MAX = 10_000

assert(STATEMENT_LINE_CHARS_MAX <= STATEMENT_ENTRY_CHARS_MAX)
assert(FIELD_CODE_POINTS_MAX <= STATEMENT_LINE_CHARS_MAX)

/** Events that a statement reader emits at once: enough to hide the cost of waiting. */
export const STATEMENT_BATCH_EVENTS = 1_000

/** The own account in a bank file; at least one of `iban`, `accountNumber`, `id` is present. */
export interface StatementAccount {
  /** Compact, upper case. */
  iban?: string
  accountNumber?: string
  name?: string
  holderName?: string
  bankName?: string
  bic?: string
  blz?: string
  /** ISO 4217; absent when the file has none. */
  currency?: string
}

/**
 * The counterpart of a payment in a bank file. Texts are trimmed and never empty; the IBAN is
 * compact, in upper case.
 */
export type StatementCounterpart = Counterpart

/**
 * One booked movement of a bank file. Texts are trimmed and never empty; absent = not in the file.
 */
export interface StatementTransaction {
  /** Signed: negative for outgoing. */
  amount: Amount
  /** ISO 4217. */
  currency: string
  bookedAt?: EpochMs
  valuedAt?: EpochMs
  counterpart: StatementCounterpart
  type?: string
  purpose?: string
  endToEndReference?: string
  /** Before exchange or, for a return, before charges; signed like `amount`. */
  originalAmount?: Amount
  originalCurrency?: string
  sepaPurposeCode?: string
  primanota?: string
  paypal?: { invoiceNumber?: string; fee?: Amount; net?: Amount }
  /**
   * The bank's own reference of this movement, if the format promises that it is unique within the
   * account and the same in every file that repeats the movement. Absent = use a fingerprint.
   */
  bankReference?: string
  /**
   * The account's balance after this movement, signed, as in many CSV exports. The balances of such
   * a file chain, up or down the file.
   */
  balanceAfter?: Amount
  /** The entry of the transaction, if other messages may repeat it or have its details. */
  entry?: StatementEntry
  /** The place in the file, for messages: `entry 3 (line 41)`. */
  position: string
}

/** The message that contains an entry: the statement itself, a report or a notification. */
export type EntrySource = 'statement' | 'report' | 'notification'

/**
 * An entry that several messages of a bank may contain, whole or in parts; the same object in all
 * transactions of one entry, which are adjacent. @see import/joined-entries.ts
 */
export interface StatementEntry {
  /** The bank's reference with day, amount and currency: the same in every message. */
  readonly key: string
  /** Signed; the amounts of its transactions sum to it. */
  readonly amount: Amount
  readonly source: EntrySource
  /** Number of transactions that the entry is split into. */
  readonly partCount: number
}

/** A balance of the statement: opening + sum of entries must equal closing. */
export interface StatementBalance {
  kind: 'opening' | 'closing'
  amount: Amount
  currency: string
  at?: EpochMs
}

/**
 * Events of a reader, in file order. `account` opens a statement: the transactions and balances
 * that follow belong to it until the next `account`. `refused` is an entry that cannot be imported
 * (the whole file is then refused, or with --lenient the entry is skipped and listed).
 */
export type StatementEvent =
  | {
      readonly kind: 'account'
      readonly account: StatementAccount
      /**
       * Equal for two statements of one file when the second repeats the first (account, number,
       * opening balance): where closing balance, number and sum of the entries are equal too, its
       * entries are not counted again. Absent = not known.
       */
      readonly statementKey?: string
      /**
       * The statement may be of the running day: its entries are final, its balances are not.
       * Another statement of the file may repeat its entries.
       */
      readonly isInterim?: boolean
    }
  | { readonly kind: 'transaction'; readonly transaction: StatementTransaction }
  | { readonly kind: 'balance'; readonly balance: StatementBalance }
  | { readonly kind: 'warning'; readonly message: string; readonly position: string }
  | { readonly kind: 'refused'; readonly fault: StatementFault }

/** The reason why an entry or a file cannot be read: place, field, found text and expectation. */
export interface StatementFault {
  /** `line 12`, `entry 3 (line 41)`, `byte 8191`. */
  readonly position: string
  /**
   * The field in the format's own name: `Amt`, `:61:`, `Betrag`, `TRNAMT`. Absent = the file
   * itself.
   */
  readonly field?: string
  /** The end of the sentence `<position>, <field>: …`. */
  readonly message: string
}

/** The place of a fault, `entry 3 (line 41), Amt`, without anything of the file's text. */
function placeOf({ position, field }: StatementFault): string {
  return field === undefined ? position : `${position}, ${field}`
}

/** Length of the message of a refused file, which may quote rows of a table over many lines. */
export const STATEMENT_ERROR_CHARS_MAX = 8_000

/**
 * The file cannot be read further, lenient or not: it is not well-formed, truncated or hostile. Its
 * message and that of the fault are cut at {@link STATEMENT_ERROR_CHARS_MAX}.
 */
export class StatementError extends Error {
  override readonly name = 'StatementError'

  readonly fault: StatementFault

  constructor(fault: StatementFault, options?: ErrorOptions) {
    super(shortened(`${placeOf(fault)}: ${fault.message}`, STATEMENT_ERROR_CHARS_MAX), options)
    this.fault = { ...fault, message: shortened(fault.message, STATEMENT_ERROR_CHARS_MAX) }
  }
}

/** The cause of a failed import, for a log: without the file's text and name. */
export function importCause(error: unknown): string {
  if (error instanceof StatementError) return placeOf(error.fault)
  if (error instanceof CommandError && error.kind === 'late') return 'took too long'
  return error instanceof StoreError ? 'workspace file' : 'unreadable file or unknown format'
}

/** Values that the caller of an import supplies for files without them. */
export interface ReadOptions {
  /** Account for formats or files without one: an IBAN, else an account number. */
  readonly account?: string
  /** ISO 4217 currency for files without one. */
  readonly currency?: string
  /**
   * CSV: field name -> the file's column name (`--columns`). CSV and QIF: `dateFormat`,
   * `decimalMark`.
   */
  readonly columns?: ReadonlyMap<string, string>
  /** camt.054: also imports entries that are not in any imported statement (`--include`). */
  readonly includesNotifications?: boolean
}

/**
 * A reader of one format: decoded text in pieces of any size -> batches of events. All but OFX are
 * streamed, with a bounded part in memory; OFX is read whole, up to its limit. In
 * addition, an import keeps digests of every entry (import/identity.ts). Throws
 * {@link StatementError} when it cannot continue.
 */
export type StatementReader = (
  text: AsyncIterable<string>,
  options: ReadOptions,
) => AsyncGenerator<readonly StatementEvent[]>
