import type { EpochMs } from '../../instant.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../../store/columns.js'
import {
  type AddedRow,
  digestKey,
  type EntryRow,
  type Identity,
  type KeptEntryRow,
  type NewRow,
  type OpenWorkspace,
} from '../../store/workspace-writer.js'

/** Rows of one account that were looked up, by digest; undefined = there is no such row. */
type Answers<T> = Map<number, Map<string, T | undefined>>

/**
 * The transactions and entries of a workspace during an import, read and added in batches. Rows
 * that a batch is expected to need are prefetched; any other row is looked up when it is needed.
 * The results are those of a workspace that is written row by row.
 */
export class BatchedRows {
  #pending: AddedRow[] = []
  /** Given ids of pending rows. */
  readonly #pendingIds = new Set<number>()
  #isAnyUnnumbered = false
  /** Account -> identities of pending rows. */
  readonly #pendingIdentities = new Map<number, Set<string>>()
  #pendingEntries: KeptEntryRow[] = []
  readonly #ids: Answers<number> = new Map()
  readonly #entries: Answers<EntryRow> = new Map()
  readonly #transactions = new Map<number, TransactionRow | undefined>()

  /** @param onAssigned receives the id of each row that was added without one */
  constructor(
    readonly open: OpenWorkspace,
    private readonly onAssigned: (id: number) => void = () => undefined,
  ) {}

  /** Writes the pending rows, and drops the prefetched ones. */
  endBatch(): void {
    this.flush()
    this.#ids.clear()
    this.#entries.clear()
    this.#transactions.clear()
  }

  /** Prefetches the transactions with these identities. */
  expectIdentities(accountId: number, identities: readonly Identity[]): void {
    const known = answersOf(this.#ids, accountId)
    const unknown = identities.filter((identity) => !known.has(digestKey(identity)))
    if (unknown.length === 0) return
    const found = this.open.idsByIdentity(accountId, unknown)
    for (const identity of unknown) known.set(digestKey(identity), found.get(digestKey(identity)))
  }

  /** Prefetches entries. @param entries digests of their keys */
  expectEntries(accountId: number, entries: readonly Buffer[]): void {
    const known = answersOf(this.#entries, accountId)
    const unknown = entries.filter((entry) => !known.has(digestKey(entry)))
    if (unknown.length === 0) return
    const found = this.open.entriesOf(accountId, unknown)
    for (const entry of unknown) known.set(digestKey(entry), found.get(digestKey(entry)))
  }

  /** Prefetches the transactions with these ids. */
  expectTransactions(ids: readonly number[]): void {
    if (ids.length === 0) return
    for (const id of ids) this.#transactions.set(id, undefined)
    for (const row of this.open.transactionsOf(ids)) this.#transactions.set(row.id, row)
  }

  transactionIdByIdentity(accountId: number, identity: Identity): number | undefined {
    const key = digestKey(identity)
    if (this.#pendingIdentities.get(accountId)?.has(key) === true) this.flush()
    const known = this.#ids.get(accountId)
    if (known?.has(key) === true) return known.get(key)
    return this.open.idsByIdentity(accountId, [identity]).get(key)
  }

  transaction(id: number): TransactionRow | undefined {
    if (this.#pendingIds.has(id)) this.flush()
    if (this.#transactions.has(id)) return this.#transactions.get(id)
    return this.open.transactionsOf([id])[0]
  }

  /** @param entry digest of its key */
  entry(accountId: number, entry: Buffer): EntryRow | undefined {
    const key = digestKey(entry)
    const known = this.#entries.get(accountId)
    if (known?.has(key) === true) return known.get(key)
    return this.open.entriesOf(accountId, [entry]).get(key)
  }

  /** @param identity null = no import recognizes the row */
  insertTransaction(row: NewRow<TransactionRow>, identity: Identity | null): void {
    this.#pending.push({ row, identity })
    if (row.id === null) this.#isAnyUnnumbered = true
    else this.#pendingIds.add(row.id)
    if (identity === null) return
    const identities = this.#pendingIdentities.get(row.accountId)
    if (identities !== undefined) identities.add(digestKey(identity))
    else this.#pendingIdentities.set(row.accountId, new Set([digestKey(identity)]))
  }

  /** Adds the pending rows if one of them has no id yet. */
  assignIds(): void {
    if (this.#isAnyUnnumbered) this.flush()
  }

  /** Stores an entry, and replaces an earlier row of it. */
  keepEntry(row: KeptEntryRow): void {
    this.#pendingEntries.push(row)
    answersOf(this.#entries, row.accountId).set(digestKey(row.entry), row)
  }

  /** Writes the pending rows. */
  flush(): void {
    if (this.#pendingEntries.length > 0) {
      this.open.keepEntries(this.#pendingEntries)
      this.#pendingEntries = []
    }
    if (this.#pending.length === 0) return
    const added = this.#pending
    this.#pending = []
    this.#pendingIds.clear()
    this.#pendingIdentities.clear()
    this.#isAnyUnnumbered = false
    const ids = this.open.addTransactions(added)
    for (const [i, { row, identity }] of added.entries()) {
      const id = ids[i]! // as many ids as rows
      this.#transactions.delete(id)
      if (identity !== null) this.#ids.get(row.accountId)?.delete(digestKey(identity))
      if (row.id === null) this.onAssigned(id)
    }
  }

  // Other writes, and reads of all transactions, first write the pending rows.

  insertAccount(row: NewRow<AccountRow>): number {
    this.flush()
    return this.open.insertAccount(row)
  }

  updateAccount(row: AccountRow): void {
    this.flush()
    this.open.updateAccount(row)
  }

  insertCategory(row: NewRow<CategoryRow>): number {
    this.flush()
    return this.open.insertCategory(row)
  }

  updateCategory(row: CategoryRow): void {
    this.flush()
    this.#transactions.clear()
    this.open.updateCategory(row)
  }

  updateTransaction(row: TransactionRow): void {
    this.flush()
    this.#transactions.delete(row.id)
    this.open.updateTransaction(row)
  }

  replaceIdentity(id: number, identity: Identity | null): void {
    this.flush()
    this.#ids.clear()
    this.open.replaceIdentity(id, identity)
  }

  deleteTransaction(id: number): void {
    this.flush()
    this.#transactions.delete(id)
    this.#ids.clear()
    this.open.deleteTransaction(id)
  }

  valueDistances(): Map<number, (number | null)[]> {
    this.flush()
    return this.open.valueDistances()
  }

  newestBookings(): Map<number, EpochMs> {
    this.flush()
    return this.open.newestBookings()
  }

  newestBookedAt(accountId: number): EpochMs | undefined {
    this.flush()
    return this.open.newestBookedAt(accountId)
  }

  bookedFromCount(accountId: number, from: EpochMs): number {
    this.flush()
    return this.open.bookedFromCount(accountId, from)
  }
}

function answersOf<T>(answers: Answers<T>, accountId: number): Map<string, T | undefined> {
  const known = answers.get(accountId)
  if (known !== undefined) return known
  const made = new Map<string, T | undefined>()
  answers.set(accountId, made)
  return made
}
