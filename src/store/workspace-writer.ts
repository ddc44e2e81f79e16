// The interface of a storage engine for imports. It is synchronous, because an import has its own
// thread and queries once per batch of rows.
import type { EpochMs } from '../instant.js'
import type { AccountRow, CategoryRow, TransactionRow } from './columns.js'
import type { Balances, KeptStatement } from './kept-statement.js'
import type { WorkspaceVersion } from './workspace.js'

/** Changes that an import keeps in the log; a reader further behind reloads the workspace. */
export const CHANGES_KEPT_MAX = 200_000

/** A row that may have no id; the engine then assigns the next one. */
export type NewRow<Row extends { id: number }> = Omit<Row, 'id'> & { id: number | null }

/** A kind of resource, as the tables name it. */
export type Entity = 'account' | 'category' | 'transaction'

/** Recognizes an imported transaction in a repeated import; see statements/import/identity.ts. */
export type Identity = Buffer

/** The key of an identity, or another digest, in the maps of this interface. */
export function digestKey(digest: Buffer): string {
  return digest.toString('latin1')
}

/** A transaction to be added. */
export interface AddedRow {
  readonly row: NewRow<TransactionRow>
  /** null = no import recognizes it. */
  readonly identity: Identity | null
}

/** Stored state of an entry that several messages contain; see import/joined-entries.ts. */
export interface EntryRow {
  /** Identities of the rows of the entry, in order. */
  readonly identities: readonly Identity[]
  /** These rows in the wording of a notification, as JSON; null = in that of a statement. */
  readonly details: string | null
}

/** An entry to be kept. */
export interface KeptEntryRow extends EntryRow {
  readonly accountId: number
  /** Digest of its key, 16 bytes. */
  readonly entry: Buffer
}

/** A transaction without its texts, see {@link OpenWorkspace.earlierRows}. */
export interface EarlierRow {
  readonly id: number
  readonly bookedAt: EpochMs | null
  readonly unscaled: number
  readonly scale: number
  readonly currency: string
}

/** A workspace inside a transaction that writes to it. Every method may throw StoreError. */
export interface OpenWorkspace {
  /** Ids ascending. */
  accounts(): AccountRow[]
  /** Ids ascending. */
  categories(): CategoryRow[]
  transactionCount(): number
  /** 0 when there is no transaction. */
  largestTransactionId(): number
  /** The largest deleted id of this kind of resource; 0 = there is none. */
  largestDeletedId(entity: Entity): number
  /** Whether the id belonged to a deleted resource of this kind; it is never reused. */
  isDeletedId(entity: Entity, id: number): boolean
  /** The transactions with these ids, as far as they exist. */
  transactionsOf(ids: readonly number[]): TransactionRow[]
  /** Ids of the transactions that have these identities, by {@link digestKey}. */
  idsByIdentity(accountId: number, identities: readonly Identity[]): ReadonlyMap<string, number>
  /**
   * The distinct distances in days from booking day to value day of the transactions of each
   * account, the smallest first; null = no value day. Reads all transactions once.
   */
  valueDistances(): Map<number, (number | null)[]>
  /** The largest id of a transaction imported by an earlier version; 0 = none. */
  largestEarlierId(): number
  /**
   * The transactions of an account imported by an earlier version, with the columns that do not
   * depend on the reader; ids ascending. An absent booking day is the value day.
   */
  earlierRows(accountId: number): Iterable<EarlierRow>
  /**
   * The newest booking date of the transactions of each account; an account without one is absent.
   * Reads all transactions once.
   */
  newestBookings(): Map<number, EpochMs>
  /** The newest booking date of one account, in a third of the time; undefined = there is none. */
  newestBookedAt(accountId: number): EpochMs | undefined
  /** Number of an account's transactions that are booked at this instant or later. */
  bookedFromCount(accountId: number, from: EpochMs): number
  /** Whether any import has kept an entry. */
  hasEntries(): boolean
  /** Those of these entries that are stored, by {@link digestKey}. @param entries key digests */
  entriesOf(accountId: number, entries: readonly Buffer[]): ReadonlyMap<string, EntryRow>
  /** Statements whose first or last entry is booked on a day. @param countMax maximum number */
  statementsOn(accountId: number, currency: string, day: number, countMax: number): KeptStatement[]
  /** Opening and closing balances of these statements. */
  balancesOn(accountId: number, currency: string, day: number, countMax: number): Balances[]

  /** @returns the id given or assigned */
  insertAccount(row: NewRow<AccountRow>): number
  updateAccount(row: AccountRow): void
  /** @returns the id given or assigned */
  insertCategory(row: NewRow<CategoryRow>): number
  /**
   * Transactions of the category that have its old parent, or none when it was a broad one, get its
   * new parent; another parent, or none under a detailed category, was set by their writer and
   * stays.
   */
  updateCategory(row: CategoryRow): void
  /** Adds transactions in this order. @returns the ids given or assigned */
  addTransactions(rows: readonly AddedRow[]): number[]
  /** Leaves the identity as it is. */
  updateTransaction(row: TransactionRow): void
  /** Replaces the identity of a transaction; null removes it. */
  replaceIdentity(id: number, identity: Identity | null): void
  /** The id is never used again. */
  deleteTransaction(id: number): void
  /** Stores entries, and replaces earlier rows of them. */
  keepEntries(rows: readonly KeptEntryRow[]): void
  /**
   * Keeps a statement; one with an amount of more than 92 trillion is left out.
   * @returns whether it is a new one
   */
  keepStatement(accountId: number, currency: string, statement: KeptStatement): boolean
}

/** Writes to a workspace; one transaction at a time. */
export interface WorkspaceWriter {
  /** The version after the last transaction. @throws StoreError */
  version(): WorkspaceVersion
  /**
   * Runs `write` in one transaction, which is rolled back if it throws. Readers see the earlier
   * state meanwhile.
   * @throws StoreError, and any error of `write`
   */
  atomically<T>(write: (open: OpenWorkspace) => Promise<T>): Promise<T>
  close(): void
}
