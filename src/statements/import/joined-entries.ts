// How the messages of a bank about one entry are joined.
//
// A statement (camt.053), a report of the running day (camt.052) and a notification (camt.054) may
// contain the same entry, each whole or split into its details, in any order. They agree in the
// entry's key: the bank's reference with booking day, amount and currency. One of them decides how
// the entry is stored:
//
//   1. a statement or report that splits the entry, or names its counterpart: in its wording
//   2. else a notification with details that add up to the entry: as these details
//   3. else the statement or report: as one row
//
// A notification alone stores nothing but the details, unless notifications are included. So rows
// are replaced when a message of higher precedence is imported later. The rows of an entry are
// found by their identities: that of the key itself, for an entry stored as one row, or those in
// the table `statement_entries`. Most entries of statements need no row there: their identity is
// that of the key, and no earlier message was about them. The identity of a key depends on the
// value day, which differs between messages; so an unknown one is looked up with each distance of
// value day and booking day among the rows of the account.
import typia from 'typia'
import type { EpochMs } from '../../instant.js'
import { type Amount, addAmounts, compareAmounts } from '../../money.js'
import type { TransactionRow } from '../../store/columns.js'
import type { EntryRow, Identity, NewRow } from '../../store/workspace-writer.js'
import type { StatementEntry, StatementTransaction } from '../statement.js'
import type { BatchedRows } from './batched-rows.js'
import { digestOf } from './digest.js'
import type { UnknownBooking } from './earlier-rows.js'
import { DAY_MS, identityBase, lineDigest } from './identity.js'
import type { ImportCounter } from './import-report.js'
import { entryDigestOf } from './other-days.js'
import { rowAsWritten, rowOfTransaction } from './statement-row.js'

/** Callbacks into the import. */
interface JoinOptions {
  readonly now: EpochMs
  /** Whether entries of notifications that are not in any imported statement are imported. */
  readonly includesNotifications: boolean
  readonly counts: ImportCounter
  /** Imports a transaction like any other: adds it, unless it exists. */
  readonly add: (accountId: number, transaction: StatementTransaction) => void
  /** Whether an earlier version of kontor imported each of the bookings as a row of its own. */
  readonly claimEarlier: (bookings: readonly UnknownBooking[]) => boolean
  /** Called for an account whose rows were changed in another way. */
  readonly onChange: (accountId: number) => void
}

/** A part of an entry, before it is stored. */
interface EntryPart {
  readonly row: NewRow<TransactionRow>
  readonly identity: Identity
}

/** A stored row of an entry. */
interface HeldPart {
  readonly id: number
  readonly identity: Identity
}

/** An entry of which all parts have been read. */
interface WholeEntry {
  readonly accountId: number
  readonly entry: StatementEntry
  readonly transactions: readonly StatementTransaction[]
  /** Digest of its key. */
  readonly digest: Buffer
  readonly parts: readonly EntryPart[]
  readonly held: readonly HeldPart[]
  readonly known: EntryRow | undefined
  /** Whether it is a single row stored under the key. */
  readonly isPlain: boolean
}

/** Whether a row has neither a counterpart nor a reference, which a notification may have. */
function isBare(row: NewRow<TransactionRow>): boolean {
  return (
    row.counterpartName === null &&
    row.counterpartIban === null &&
    row.counterpartAccountNumber === null &&
    row.endToEndReference === null &&
    row.mandateReference === null &&
    row.creditorId === null
  )
}

function binary(digest: string): Buffer {
  return Buffer.from(digest, 'latin1')
}

/** The identity of an entry that is stored as one row. */
function keyIdentity(asOne: NewRow<TransactionRow>, key: string): Identity {
  return binary(digestOf(identityBase(asOne, key)))
}

const isTransactions = typia.createIs<readonly StatementTransaction[]>()

/** The rows of an entry in the wording of a notification; undefined = no notification. */
function detailsOf({ accountId, entry, known }: WholeEntry, now: EpochMs): EntryPart[] | undefined {
  if (known === undefined || known.details === null) return undefined
  const transactions: unknown = JSON.parse(known.details)
  if (!isTransactions(transactions) || !addUpTo(transactions, entry.amount)) return undefined
  return transactions.flatMap((transaction, i) => {
    const identity = known.identities[i]
    const row = rowOfTransaction(transaction, accountId, now)
    return identity === undefined ? [] : [{ row, identity }]
  })
}

/** Whether transactions add up to the total: rows with another sum never replace an entry. */
function addUpTo(transactions: readonly StatementTransaction[], total: Amount): boolean {
  let sum: Amount | undefined = { unscaled: 0, scale: 0 }
  for (const { amount } of transactions) {
    sum = sum === undefined ? undefined : addAmounts(sum, amount)
  }
  return sum !== undefined && compareAmounts(sum, total) === 0
}

/**
 * Distances of value day and booking day that are tried for one entry: banks value within some
 * days, and a file of a program may have thousands.
 */
const VALUE_DISTANCES_MAX = 100

/** Joins the entries of one import with those of earlier ones. */
export class JoinedEntries {
  /** Whether a row of `statement_entries` may be about an entry of this file. */
  readonly #hasEntries: boolean
  #accountId = 0
  #entry: StatementEntry | undefined
  #transactions: StatementTransaction[] = []
  #waitingCount = 0
  /**
   * Account -> distances of value day and booking day among its rows; read at the first use, when
   * this import has added few rows or none.
   */
  #valueDistances: ReadonlyMap<number, readonly (number | null)[]> | undefined
  /** Account and key of an entry -> its prefetched identities, one for each value day. */
  readonly #expected = new Map<string, readonly Identity[]>()

  constructor(
    private readonly rows: BatchedRows,
    private readonly options: JoinOptions,
  ) {
    this.#hasEntries = rows.open.hasEntries()
  }

  /** Prefetches the rows that transactions of an account will need. */
  expect(accountId: number, transactions: readonly StatementTransaction[]): void {
    const keys = transactions.flatMap(({ entry, bankReference }) => {
      const key = entry?.key ?? (this.#hasEntries ? bankReference : undefined)
      return key === undefined ? [] : [entryDigestOf(key)]
    })
    this.rows.expectEntries(accountId, keys)
    this.#expected.clear()
    const identities: Identity[] = []
    for (const [i, first] of transactions.entries()) {
      const { entry } = first
      if (entry === undefined || entry === transactions[i - 1]?.entry) continue
      const asOne = this.#asOne(accountId, first, entry)
      const known = this.rows.entry(accountId, entryDigestOf(entry.key))
      identities.push(keyIdentity(asOne, entry.key), ...(known?.identities ?? []))
      if (this.#valueDistances === undefined || known !== undefined) continue
      const ofDays = this.#identitiesOfDays(accountId, asOne, entry.key)
      this.#expected.set(`${accountId} ${entry.key}`, ofDays)
      identities.push(...ofDays)
    }
    this.rows.expectIdentities(accountId, identities)
  }

  /**
   * Takes the next transaction of a file, and imports it with the other parts of its entry.
   * @returns false if no other message is known to be about it: the caller then imports it
   */
  take(accountId: number, transaction: StatementTransaction): boolean {
    const entry = transaction.entry ?? this.#knownEntry(accountId, transaction)
    if (this.#entry !== entry) this.finishEntry()
    if (entry === undefined) return false
    this.#accountId = accountId
    this.#entry = entry
    this.#transactions.push(transaction)
    if (this.#transactions.length === entry.partCount) this.#join()
    return true
  }

  /**
   * Ends an entry of which a part was refused: the other parts become separate transactions, or are
   * left out if they are from a notification.
   */
  finishEntry(): void {
    const rest = this.#transactions
    const source = this.#entry?.source
    this.#transactions = []
    this.#entry = undefined
    if (source === 'notification') return
    for (const transaction of rest) this.options.add(this.#accountId, transaction)
  }

  /** To be called at the end of the file. */
  finish(): void {
    this.finishEntry()
    const count = this.#waitingCount
    if (count === 0) return
    const entries =
      count === 1
        ? '1 entry of the notification is kept until a statement books it'
        : `${count} entries of the notification are kept until a statement books them`
    this.options.counts.warn(`${entries}; --include notifications imports it now`)
  }

  /** The entry of a transaction whose reference is the entry's key, if a message was about it. */
  #knownEntry(
    accountId: number,
    { bankReference: key, amount }: StatementTransaction,
  ): StatementEntry | undefined {
    if (!this.#hasEntries || key === undefined) return undefined
    const known = this.rows.entry(accountId, entryDigestOf(key))
    return known === undefined ? undefined : { key, amount, source: 'statement', partCount: 1 }
  }

  #join(): void {
    const whole = this.#whole()
    this.#transactions = []
    this.#entry = undefined
    if (whole.entry.source === 'notification') this.#joinNotification(whole)
    else this.#joinStatement(whole)
  }

  /** The entry that has been read, and its stored rows. */
  #whole(): WholeEntry {
    const { now } = this.options
    const [accountId, entry, transactions] = [this.#accountId, this.#entry, this.#transactions]
    const [first] = transactions
    if (entry === undefined || first === undefined) throw new RangeError('no entry has been read')
    const parts = transactions.map((transaction): EntryPart => {
      const row = rowOfTransaction(transaction, accountId, now)
      const written = rowAsWritten(row, transaction)
      return { row, identity: binary(digestOf(identityBase(written, transaction.bankReference))) }
    })
    const asOne = this.#asOne(accountId, first, entry)
    const identity = keyIdentity(asOne, entry.key)
    const digest = entryDigestOf(entry.key)
    const known = this.rows.entry(accountId, digest)
    // A row of a workspace that was copied as NDJSON has the identity of a line.
    const line = parts.length > 1 ? [] : parts.map(({ row }) => binary(lineDigest(row)))
    const sure = this.#held(accountId, [identity, ...(known?.identities ?? []), ...line])
    const held = sure.length > 0 ? sure : this.#heldOfAnyValueDay(accountId, asOne, entry.key)
    const isPlain = parts.length === 1 && parts[0]?.identity.equals(identity) === true
    return { accountId, entry, transactions, digest, parts, held, known, isPlain }
  }

  /** The row of an entry that is stored as one. @param first its first part */
  #asOne(
    accountId: number,
    first: StatementTransaction,
    { amount }: StatementEntry,
  ): NewRow<TransactionRow> {
    const row = rowOfTransaction({ ...first, amount }, accountId, this.options.now)
    return rowAsWritten(row, first)
  }

  #held(accountId: number, identities: readonly Identity[]): HeldPart[] {
    const held = new Map<number, HeldPart>()
    for (const identity of identities) {
      const id = this.rows.transactionIdByIdentity(accountId, identity)
      if (id !== undefined) held.set(id, { id, identity })
    }
    return [...held.values()]
  }

  /** The row of an entry from another message, with another value day or none. */
  #heldOfAnyValueDay(accountId: number, row: NewRow<TransactionRow>, key: string): HeldPart[] {
    this.#valueDistances ??= this.rows.valueDistances()
    const identities =
      this.#expected.get(`${accountId} ${key}`) ?? this.#identitiesOfDays(accountId, row, key)
    this.rows.expectIdentities(accountId, identities)
    for (const identity of identities) {
      const id = this.rows.transactionIdByIdentity(accountId, identity)
      if (id !== undefined) return [{ id, identity }]
    }
    return []
  }

  /** Its identities, one for each value day that a message may state. */
  #identitiesOfDays(accountId: number, row: NewRow<TransactionRow>, key: string): Identity[] {
    const bookedAt = row.bookedAt ?? row.valuedAt
    if (bookedAt === null) return []
    const distances = this.#valueDistances?.get(accountId) ?? []
    const days = distances.slice(0, VALUE_DISTANCES_MAX).map((distance) => ({
      bookedAt,
      valuedAt: distance === null ? null : bookedAt + distance * DAY_MS,
    }))
    // A message may have a value day in place of the booking day.
    return [...days, { bookedAt: null, valuedAt: bookedAt }].map((each) =>
      keyIdentity({ ...row, ...each }, key),
    )
  }

  #joinNotification(whole: WholeEntry): void {
    const { accountId, transactions, parts, held } = whole
    const { counts, includesNotifications } = this.options
    if (isOpen(parts)) {
      // It adds nothing to the statement.
      if (held.length > 0 || whole.known !== undefined) counts.unchanged += 1
      else if (!includesNotifications) this.#waitingCount += 1
      else {
        this.#add(whole)
        this.#keep(whole, null, identitiesOf(parts))
      }
      return
    }
    const isBooked = held.length > 0
    if (isBooked && !this.#isBareRow(held)) {
      counts.unchanged += held.length
      return
    }
    const details = detailsOf(whole, this.options.now) ?? parts
    const text = whole.known?.details ?? JSON.stringify(transactions.map(withoutEntry))
    if (isBooked) this.#keep(whole, text, this.#replace(accountId, held, details))
    else if (includesNotifications) this.#keep(whole, text, this.#insert(accountId, details))
    else {
      this.#keep(whole, text, identitiesOf(details))
      this.#waitingCount += 1
    }
  }

  #joinStatement(whole: WholeEntry): void {
    const { accountId, entry, parts, held, known, isPlain } = whole
    const details = isOpen(parts) ? detailsOf(whole, this.options.now) : undefined
    if (known !== undefined && details !== undefined) {
      if (held.length > 0 && !this.#isBareRow(held)) {
        this.options.counts.unchanged += details.length
        return
      }
      const identities =
        held.length === 0
          ? this.#insert(accountId, details)
          : this.#replace(accountId, held, details)
      this.#keep(whole, known.details, identities)
      return
    }
    // The row of another entry with the same reference, whose parts it does not replace.
    if (parts.length > 1 && held.length === 1 && this.options.claimEarlier(parts)) return
    if (this.#outranks(whole)) {
      this.#keep(whole, null, this.#replace(accountId, held, parts))
      return
    }
    const isAnyHeld = parts.some(({ identity }) =>
      held.some((row) => row.identity.equals(identity)),
    )
    if (held.length > 0 && !isAnyHeld) {
      // Another message has split the entry differently, or has another value day.
      const isOneByOne = held.length === 1 && parts.length === 1
      const isBest = !isOpen(parts) || this.#isBareRow(held)
      const isFinal =
        entry.source === 'statement' && isOneByOne && isBest && this.#hasOtherValueDay(held, parts)
      if (isFinal) this.#keep(whole, null, this.#replace(accountId, held, parts))
      else this.options.counts.unchanged += parts.length
      return
    }
    this.#add(whole)
    if (!isPlain || entry.source === 'report' || known !== undefined) {
      this.#keep(whole, null, identitiesOf(parts))
    }
  }

  /** Whether the statement is more detailed than the stored rows. */
  #outranks({ parts, held, known }: WholeEntry): boolean {
    if (held.length === 0 || isOpen(parts)) return false
    const isOfNotification = known !== undefined && known.details !== null
    return isOfNotification || (held.length === 1 && (parts.length > 1 || this.#isBareRow(held)))
  }

  /** Whether the stored row has another value day than the part; a copied row may have the same. */
  #hasOtherValueDay([row]: readonly HeldPart[], [part]: readonly EntryPart[]): boolean {
    const held = row === undefined ? undefined : this.rows.transaction(row.id)
    return held !== undefined && part !== undefined && held.valuedAt !== part.row.valuedAt
  }

  /** Whether the entry is stored as one row without counterpart and references. */
  #isBareRow(held: readonly HeldPart[]): boolean {
    const [only] = held
    const row = held.length === 1 && only ? this.rows.transaction(only.id) : undefined
    return row !== undefined && isBare(row)
  }

  #add({ accountId, transactions }: WholeEntry): void {
    for (const transaction of transactions) this.options.add(accountId, transaction)
  }

  #keep(
    { accountId, digest }: WholeEntry,
    details: string | null,
    identities: readonly Identity[],
  ): void {
    this.rows.keepEntry({ accountId, entry: digest, identities, details })
  }

  /** @returns the identities of the rows */
  #insert(accountId: number, parts: readonly EntryPart[]): Identity[] {
    this.options.counts.added += parts.length
    this.options.onChange(accountId)
    return parts.map((part) => this.#insertPart(accountId, part))
  }

  /** @returns the identity of the row */
  #insertPart(accountId: number, { row, identity }: EntryPart): Identity {
    const free = this.#freeIdentity(accountId, identity)
    this.rows.insertTransaction({ ...row }, free)
    return free
  }

  /** The identity, or the next one if a row of another entry has it. */
  #freeIdentity(accountId: number, identity: Identity): Identity {
    let free = identity
    for (let count = 1; this.rows.transactionIdByIdentity(accountId, free) !== undefined; count++) {
      free = binary(digestOf(`${count}\n${identity.toString('latin1')}`))
    }
    return free
  }

  /**
   * Replaces the rows of an entry. A row with the same identity is updated, and a single row by a
   * single one; other rows are deleted, and their ids are never reused. New rows have the category
   * of the first old one.
   * @returns the identities of the rows
   */
  #replace(accountId: number, held: readonly HeldPart[], parts: readonly EntryPart[]): Identity[] {
    const { counts, onChange } = this.options
    const rest = held.flatMap(({ id, identity }) => {
      const row = this.rows.transaction(id)
      return row === undefined ? [] : [{ row, identity }]
    })
    const isOneByOne = rest.length === 1 && parts.length === 1
    const first = rest[0]?.row
    let insertedCount = 0
    const identities = parts.map((part) => {
      const at = isOneByOne ? 0 : rest.findIndex(({ identity }) => identity.equals(part.identity))
      const [old] = at < 0 ? [] : rest.splice(at, 1)
      const { categoryId = null, parentCategoryId = null } = old?.row ?? first ?? {}
      const row = { ...part.row, categoryId, parentCategoryId }
      if (old === undefined) {
        insertedCount += 1
        return this.#insertPart(accountId, { ...part, row })
      }
      const { id, createdAt, importedAt } = old.row
      this.rows.updateTransaction({ ...row, id, createdAt, importedAt })
      if (old.identity.equals(part.identity)) return part.identity
      const identity = this.#freeIdentity(accountId, part.identity)
      this.rows.replaceIdentity(id, identity)
      return identity
    })
    for (const { row } of rest) this.rows.deleteTransaction(row.id)
    counts.updated += parts.length - insertedCount + Math.min(rest.length, insertedCount)
    counts.added += Math.max(0, insertedCount - rest.length)
    onChange(accountId)
    return identities
  }
}

function identitiesOf(parts: readonly EntryPart[]): Identity[] {
  return parts.map(({ identity }) => identity)
}

/** Whether an entry is one row to which a notification may add details. */
function isOpen(parts: readonly EntryPart[]): boolean {
  const [only] = parts
  return parts.length === 1 && only !== undefined && isBare(only.row)
}

function withoutEntry({ entry: _, ...transaction }: StatementTransaction): StatementTransaction {
  return transaction
}
