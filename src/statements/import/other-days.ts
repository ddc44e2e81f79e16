import { formatInstant } from '../../instant.js'
import type { TransactionRow } from '../../store/columns.js'
import type { Identity, NewRow } from '../../store/workspace-writer.js'
import type { StatementTransaction } from '../statement.js'
import type { BatchedRows } from './batched-rows.js'
import { digestOf } from './digest.js'
import { DAY_MS, identityBase } from './identity.js'

/** Distances of the booking days of one entry in two messages: a weekend at most. */
const DAYS = [-3, -2, -1, 1, 2, 3]

/** Reference, booking day, and amount with currency and number, as uniqueReference writes them. */
const KEY = /^(.*) (\d{4}-\d\d-\d\d) (\S+ [A-Z]{3}(?: #\d{1,9})?)$/s

/** The digest that identifies an entry in `statement_entries`. */
export function entryDigestOf(key: string): Buffer {
  return Buffer.from(digestOf(`entry\n${key}`), 'latin1')
}

/**
 * Entries of reports and statements with the reference and amount of an entry of another day. They
 * may be one payment, which a report and a statement book on different days; or two, because banks
 * repeat references. Both are kept, and named.
 */
export class OtherDays {
  readonly #hasEntries: boolean
  #first: { readonly position: string; readonly day: string } | undefined
  #count = 0
  #key: string | undefined
  readonly #expected = new Map<string, readonly OtherDay[]>()

  constructor(private readonly rows: BatchedRows) {
    this.#hasEntries = rows.open.hasEntries()
  }

  /** Prefetches for transactions that are expected to become new rows. */
  expect(accountId: number, transactions: readonly StatementTransaction[]): void {
    this.#expected.clear()
    if (!this.#hasEntries) return
    const entries = transactions.flatMap((transaction) => {
      const key = keyOf(transaction)
      if (key === undefined || this.#expected.has(key)) return []
      const others = othersOf(key)
      this.#expected.set(key, others)
      return others.map(({ entry }) => entry)
    })
    this.rows.expectEntries(accountId, entries)
  }

  /** Takes a transaction that becomes a new row. @param isInterim whether a report has it */
  take(row: NewRow<TransactionRow>, transaction: StatementTransaction, isInterim: boolean): void {
    const key = keyOf(transaction)
    if (key === undefined || key === this.#key || !(this.#hasEntries || isInterim)) return
    this.#key = key
    const day = this.#otherDay(row, key, isInterim)
    if (day === undefined) return
    this.#count += 1
    this.#first ??= { position: transaction.position, day }
  }

  /** The warning about them, or undefined. */
  sentence(): string | undefined {
    if (this.#first === undefined) return undefined
    const { position, day } = this.#first
    const others = this.#count - 1
    const more =
      others === 0 ? '' : `; the same in ${others} more ${others === 1 ? 'entry' : 'entries'}`
    return (
      `${position}: has the reference and amount of an entry that another message books on ` +
      `${day}; both are added; check the balance, as they may be one payment${more}`
    )
  }

  #otherDay(row: NewRow<TransactionRow>, key: string, isInterim: boolean): string | undefined {
    for (const { day, distance, key: other, entry } of this.#expected.get(key) ?? othersOf(key)) {
      const isThere =
        (this.#hasEntries && this.rows.entry(row.accountId, entry) !== undefined) ||
        (isInterim && this.#isRow(row, other, distance))
      if (isThere) return day
    }
    return undefined
  }

  /** Whether a row has this reference, with the value day of this one or as many days apart. */
  #isRow(row: NewRow<TransactionRow>, reference: string, distance: number): boolean {
    const { accountId, bookedAt, valuedAt } = row
    if (bookedAt === null) return false
    const apart = distance * DAY_MS
    const valueDays = valuedAt === null ? [null] : [valuedAt, valuedAt + apart]
    return valueDays.some((each) => {
      const other = { ...row, bookedAt: bookedAt + apart, valuedAt: each }
      const identity: Identity = Buffer.from(digestOf(identityBase(other, reference)), 'latin1')
      return this.rows.transactionIdByIdentity(accountId, identity) !== undefined
    })
  }
}

function keyOf({ entry, bankReference }: StatementTransaction): string | undefined {
  return entry?.key ?? bankReference
}

/** An entry as another message may contain it, on another day. */
interface OtherDay {
  /** `2024-12-31`. */
  readonly day: string
  /** In days. */
  readonly distance: number
  readonly key: string
  /** Digest of the key. */
  readonly entry: Buffer
}

function othersOf(key: string): OtherDay[] {
  const [, reference, booked = '', rest] = KEY.exec(key) ?? []
  const at = Date.parse(booked)
  if (Number.isNaN(at)) return []
  return DAYS.map((distance) => {
    const day = formatInstant(at + distance * DAY_MS).slice(0, 10)
    const other = `${reference} ${day} ${rest}`
    return { day, distance, key: other, entry: entryDigestOf(other) }
  })
}
