import type { EpochMs } from '../../instant.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  assignmentList,
  CATEGORY_COLUMNS,
  type CategoryRow,
  insertByPosition,
  insertStatement,
  selectList,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../columns.js'
import {
  type Balances,
  digestOfRow,
  type KeptStatement,
  rowOfStatement,
  type StatementRow,
  statementOfRow,
} from '../kept-statement.js'
import { CHANGED_IDS, changedIdsSince, loggedChanges } from './change-rows.js'
import { explainFaults, faultOf, openDatabase, openDatabaseForReading } from './database.js'
import { lastSequence } from './sequence.js'
import type { Connection, PreparedStatement } from './sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from './workspace-schema.js'

/** Rows of `changes` an import leaves behind; a reader further behind reloads the file. */
export const CHANGES_KEPT_MAX = 200_000

/** Identifies a state of a file: equal versions have equal rows. */
export interface WorkspaceVersion {
  /** Random text, assigned when the file was made. */
  readonly uid: string
  /** Number of the last change; grows with every inserted, updated or deleted row. */
  readonly sequence: number
}

/** A row that may be written without an id: the file then assigns the next one. */
export type NewRow<Row extends { id: number }> = Omit<Row, 'id'> & { id: number | null }

// Built once: an import of a million rows uses these two for each.
const INSERT_TRANSACTION = insertByPosition('transactions', TRANSACTION_COLUMNS, ['identity'])
const SELECT_TRANSACTION = `SELECT ${selectList(TRANSACTION_COLUMNS)} FROM transactions
  WHERE id = ?`

/** A kind of resource, as the file's own tables name it. */
export type Entity = 'account' | 'category' | 'transaction'

/** Recognises an imported transaction in a repeated import; see statements/import/identity.ts. */
export type Identity = Buffer

/** Stored state of an entry that several messages contain; see import/joined-entries.ts. */
export interface EntryRow {
  /** Identities of the rows of the entry, in order. */
  readonly identities: readonly Identity[]
  /** These rows in the wording of a notification, as JSON; null = in that of a statement. */
  readonly details: string | null
}

/** A transaction without its texts, see {@link WorkspaceFile.earlierRows}. */
export interface EarlierRow {
  readonly id: number
  readonly bookedAt: EpochMs | null
  readonly unscaled: number
  readonly scale: number
  readonly currency: string
}

/** Bytes of an identity in a row of `statement_entries`. */
const IDENTITY_BYTES = 16

/**
 * One workspace's SQLite file. Rows go in and out as {@link AccountRow}, {@link CategoryRow} and
 * {@link TransactionRow}; only this folder contains SQL. Transactions are returned with a lone
 * broad category in `categoryId`, whichever of the two columns has it in the file. Every method may
 * throw StoreError.
 */
export class WorkspaceFile {
  readonly #statements = new Map<string, PreparedStatement>()

  private constructor(
    readonly path: string,
    private readonly connection: Connection,
  ) {}

  /** Opens for reading and writing; makes the file when it is missing. */
  static open(path: string): WorkspaceFile {
    return new WorkspaceFile(path, openDatabase(path, WORKSPACE_MIGRATIONS))
  }

  /** Opens an existing file for reading. @param busyTimeoutMs how long to wait for a lock */
  static openForReading(path: string, busyTimeoutMs?: number): WorkspaceFile {
    return new WorkspaceFile(
      path,
      openDatabaseForReading(path, WORKSPACE_MIGRATIONS, busyTimeoutMs),
    )
  }

  close(): void {
    this.connection.close()
  }

  version(): WorkspaceVersion {
    const uid = this.#only<{ uid: string }>('SELECT uid FROM workspace').uid
    return { uid, sequence: lastSequence(this.connection) }
  }

  /** Changes whenever any program makes or drops a table, index or trigger. */
  schemaVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.connection.pragma('schema_version', { simple: true })),
    )
  }

  /**
   * Checkpoints the WAL, as far as no reader holds an older state. Blocks no reader and no writer,
   * and no connection notices a change.
   */
  checkpoint(): void {
    explainFaults(this.path, () => this.connection.pragma('wal_checkpoint(PASSIVE)'))
  }

  /** Fault that SQLite's quick check finds in the file, or undefined. */
  fault(): string | undefined {
    return faultOf(this.connection)
  }

  /** All accounts, ids ascending. */
  accounts(): AccountRow[] {
    const sql = `SELECT ${selectList(ACCOUNT_COLUMNS)} FROM accounts ORDER BY id`
    return this.#all<AccountRow>(sql)
  }

  /** All categories, ids ascending. */
  categories(): CategoryRow[] {
    const sql = `SELECT ${selectList(CATEGORY_COLUMNS)} FROM categories ORDER BY id`
    return this.#all<CategoryRow>(sql)
  }

  transactionCount(): number {
    return this.#only<{ count: number }>('SELECT count(*) AS count FROM transactions').count
  }

  /** All transactions, ids descending; the file cannot be written by this connection meanwhile. */
  transactionsNewestFirst(): IterableIterator<TransactionRow> {
    return this.#transactions('DESC')
  }

  /** All transactions, ids ascending. */
  transactionsOldestFirst(): IterableIterator<TransactionRow> {
    return this.#transactions('ASC')
  }

  /** See {@link changedIdsSince}. */
  changedIdsSince(sequence: number): Float64Array | undefined {
    return explainFaults(this.path, () => changedIdsSince(this.connection, sequence))
  }

  /** See {@link loggedChanges}. */
  loggedChanges(after: number): Float64Array {
    return explainFaults(this.path, () => loggedChanges(this.connection, after))
  }

  /** The transactions of {@link changedIdsSince} that still exist, ids descending. */
  transactionsChangedSince(sequence: number): IterableIterator<TransactionRow> {
    const columns = selectList(TRANSACTION_COLUMNS)
    const sql = `SELECT ${columns} FROM transactions WHERE id IN (${CHANGED_IDS}) ORDER BY id DESC`
    return this.#rows(sql, sequence)
  }

  /**
   * Ids of the transactions that the newest changes up to a sequence have written, as far as the
   * change log reaches; descending, each once.
   * @param count maximum number of changes that are read
   */
  transactionIdsWritten(upTo: number, count: number): number[] {
    const newest = `SELECT entity_id FROM changes WHERE sequence <= ? AND entity = 'transaction'
      ORDER BY sequence DESC LIMIT ?`
    const sql = `SELECT DISTINCT entity_id FROM (${newest}) ORDER BY entity_id DESC`
    const ids = this.#prepared(sql).pluck()
    return explainFaults(this.path, () => ids.all(upTo, count) as number[])
  }

  transaction(id: number): TransactionRow | undefined {
    const row = this.#prepared(SELECT_TRANSACTION).get(id) as TransactionRow | undefined
    return row === undefined ? undefined : followCategoryRule(row)
  }

  transactionIdByIdentity(accountId: number, identity: Identity): number | undefined {
    const sql = 'SELECT id FROM transactions WHERE account_id = ? AND identity = ?'
    return (this.#prepared(sql).get(accountId, identity) as { id: number } | undefined)?.id
  }

  /**
   * The distinct distances in days from booking day to value day of the transactions of each
   * account, the smallest first; null = no value day. Reads all transactions once.
   */
  valueDistances(): Map<number, (number | null)[]> {
    const sql = `SELECT DISTINCT account_id, value_date / 86400000 - booking_date / 86400000
      AS days FROM transactions WHERE booking_date IS NOT NULL ORDER BY abs(days)`
    const byAccount = new Map<number, (number | null)[]>()
    for (const [accountId, distance] of this.#pairs(sql) as [number, number | null][]) {
      const distances = byAccount.get(accountId)
      if (distances === undefined) byAccount.set(accountId, [distance])
      else distances.push(distance)
    }
    return byAccount
  }

  /** The largest id of a transaction imported by an earlier version; 0 = none. */
  largestEarlierId(): number {
    return this.#only<{ last: number }>('SELECT earlier_rows_last AS last FROM workspace').last
  }

  /**
   * The transactions of an account imported by an earlier version, with the columns that do not
   * depend on the reader; ids ascending. An absent booking day is the value day.
   */
  earlierRows(accountId: number): IterableIterator<EarlierRow> {
    const sql = `SELECT id, coalesce(booking_date, value_date) AS bookedAt,
        amount_unscaled AS unscaled, amount_scale AS scale, currency
      FROM transactions WHERE account_id = ? AND identity IS NOT NULL
        AND id <= (SELECT earlier_rows_last FROM workspace) ORDER BY id`
    return this.#prepared(sql).iterate(accountId) as IterableIterator<EarlierRow>
  }

  /** The largest deleted id of this kind of resource; 0 = there is none. */
  largestDeletedId(entity: Entity): number {
    const sql = 'SELECT last AS id FROM deleted_ids WHERE entity = ? ORDER BY first DESC LIMIT 1'
    const row = explainFaults(this.path, () => this.#prepared(sql).get(entity))
    return (row as { id: number } | undefined)?.id ?? 0
  }

  /** Whether the id belonged to a deleted resource of this kind; it is never reused. */
  isDeletedId(entity: Entity, id: number): boolean {
    const sql = `SELECT last FROM deleted_ids
      WHERE entity = ? AND first <= ? ORDER BY first DESC LIMIT 1`
    const row = explainFaults(this.path, () => this.#prepared(sql).get(entity, id))
    return row !== undefined && (row as { last: number }).last >= id
  }

  /** 0 when there is no transaction. */
  largestTransactionId(): number {
    return this.#only<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM transactions').id
  }

  /**
   * The newest booking date of the transactions of each account; an account without one is absent.
   * Reads all transactions once.
   */
  newestBookings(): Map<number, EpochMs> {
    const sql = `SELECT account_id, max(booking_date) FROM transactions
      WHERE booking_date IS NOT NULL GROUP BY account_id`
    return new Map(this.#pairs(sql) as [number, EpochMs][])
  }

  /** The newest booking date of one account, in a third of the time; undefined = there is none. */
  newestBookedAt(accountId: number): EpochMs | undefined {
    const sql = 'SELECT max(booking_date) AS at FROM transactions WHERE account_id = ?'
    const row = explainFaults(this.path, () => this.#prepared(sql).get(accountId))
    return (row as { at: EpochMs | null }).at ?? undefined
  }

  /** @returns the id given or assigned */
  insertAccount(row: NewRow<AccountRow>): number {
    return this.#insert(insertStatement('accounts', ACCOUNT_COLUMNS), row)
  }

  updateAccount(row: AccountRow): void {
    this.#run(`UPDATE accounts SET ${assignmentList(ACCOUNT_COLUMNS)} WHERE id = @id`, row)
  }

  /** @returns the id given or assigned */
  insertCategory(row: NewRow<CategoryRow>): number {
    return this.#insert(insertStatement('categories', CATEGORY_COLUMNS), row)
  }

  /**
   * Transactions of the category that have its old parent, or none when it was a broad one, get its
   * new parent; another parent, or none under a detailed category, was set by their writer and
   * stays.
   */
  updateCategory(row: CategoryRow): void {
    const sql = 'SELECT parent_id AS parentId FROM categories WHERE id = ?'
    const old = this.#prepared(sql).get(row.id) as Pick<CategoryRow, 'parentId'> | undefined
    if (old !== undefined && old.parentId !== row.parentId) {
      this.#run(
        `UPDATE transactions SET parent_category_id = @parentId
          WHERE category_id = @id AND parent_category_id IS @oldParentId`,
        { id: row.id, parentId: row.parentId, oldParentId: old.parentId },
      )
    }
    this.#run(`UPDATE categories SET ${assignmentList(CATEGORY_COLUMNS)} WHERE id = @id`, row)
  }

  /** @param identity null = no import recognises it @returns the id given or assigned */
  insertTransaction(row: NewRow<TransactionRow>, identity: Identity | null): number {
    // By position: looking up thirty members by name takes a tenth of the insert's time.
    const values: unknown[] = TRANSACTION_COLUMNS.map(([property]) => row[property])
    values.push(identity)
    return this.#insert(INSERT_TRANSACTION, values)
  }

  /** Leaves the identity as it is. */
  updateTransaction(row: TransactionRow): void {
    this.#run(`UPDATE transactions SET ${assignmentList(TRANSACTION_COLUMNS)} WHERE id = @id`, row)
  }

  /** Replaces the identity of a transaction; null removes it. */
  replaceIdentity(id: number, identity: Identity | null): void {
    this.#run('UPDATE transactions SET identity = @identity WHERE id = @id', { id, identity })
  }

  /** The id is never used again. */
  deleteTransaction(id: number): void {
    this.#run('DELETE FROM transactions WHERE id = @id', { id })
  }

  /** Whether any import has kept an entry. */
  hasEntries(): boolean {
    const sql = 'SELECT EXISTS (SELECT 1 FROM statement_entries) AS has'
    return this.#only<{ has: number }>(sql).has === 1
  }

  /** @param entry digest of its key, 16 bytes */
  entry(accountId: number, entry: Buffer): EntryRow | undefined {
    const sql = `SELECT identities, details FROM statement_entries
      WHERE account_id = ? AND entry = ?`
    const found = explainFaults(this.path, () => this.#prepared(sql).get(accountId, entry))
    if (found === undefined) return undefined
    const { identities, details } = found as { identities: Buffer; details: string | null }
    const count = identities.length / IDENTITY_BYTES
    const at = (i: number): Buffer =>
      identities.subarray(i * IDENTITY_BYTES, (i + 1) * IDENTITY_BYTES)
    return { identities: Array.from({ length: count }, (_, i) => at(i)), details }
  }

  /** Keeps an entry, in place of an earlier row of it. */
  keepEntry(accountId: number, entry: Buffer, { identities, details }: EntryRow): void {
    this.#run(
      `INSERT INTO statement_entries VALUES (@accountId, @entry, @identities, @details)
        ON CONFLICT DO UPDATE SET identities = @identities, details = @details
          WHERE (identities, details) IS NOT (@identities, @details)`,
      { accountId, entry, identities: Buffer.concat(identities), details },
    )
  }

  /**
   * Keeps a statement; one with an amount of more than 92 trillion is left out.
   * @returns whether it is a new one
   */
  keepStatement(accountId: number, currency: string, statement: KeptStatement): boolean {
    const row = rowOfStatement(statement)
    if (row === undefined) return false
    const sql = `INSERT OR IGNORE INTO statements VALUES (@accountId, @statement, @currency,
      @opening, @closing, @firstDay, @lastDay, @entries)`
    const values = { accountId, currency, statement: digestOfRow(row, currency), ...row }
    return explainFaults(this.path, () => this.#prepared(sql).run(values).changes) === 1
  }

  /** Statements with the first or last entry booked on a day. @param countMax returns no more */
  statementsOn(
    accountId: number,
    currency: string,
    day: number,
    countMax: number,
  ): KeptStatement[] {
    const sql = `SELECT opening, closing, first_day AS firstDay, last_day AS lastDay, entries
      FROM statements WHERE account_id = @accountId AND (first_day = @day OR last_day = @day)
        AND currency = @currency ORDER BY rowid LIMIT @countMax`
    const found = explainFaults(this.path, () =>
      this.#prepared(sql).all({ accountId, currency, day, countMax }),
    )
    return (found as StatementRow[]).map(statementOfRow)
  }

  /** Opening and closing balances of these statements. */
  balancesOn(accountId: number, currency: string, day: number, countMax: number): Balances[] {
    const sql = `SELECT opening, closing FROM statements WHERE account_id = @accountId
      AND (first_day = @day OR last_day = @day) AND currency = @currency LIMIT @countMax`
    const found = explainFaults(this.path, () =>
      this.#prepared(sql).all({ accountId, currency, day, countMax }),
    ) as Pick<StatementRow, 'opening' | 'closing'>[]
    return found.map((row) => ({ opening: BigInt(row.opening), closing: BigInt(row.closing) }))
  }

  /**
   * Runs `write` in one transaction of the file, which is rolled back when it throws. Other
   * connections read the state before it meanwhile. A write to the tables of imports alone is
   * logged as well: readers would otherwise reload the file.
   */
  async atomically<T>(write: () => Promise<T>): Promise<T> {
    this.#run('BEGIN IMMEDIATE')
    try {
      const { sequence } = this.version()
      const writtenCount = this.#writtenCount()
      const result = await write()
      if (this.#writtenCount() !== writtenCount && this.version().sequence === sequence) {
        this.#run("INSERT INTO changes (entity, entity_id, kind) VALUES ('account', 0, 'update')")
      }
      this.#trimChanges()
      this.#run('COMMIT')
      return result
    } catch (error) {
      if (this.connection.inTransaction) this.#run('ROLLBACK')
      throw error
    }
  }

  /** Runs `read` on one unchanging state of the file. */
  consistently<T>(read: () => T): T {
    return explainFaults(this.path, () => this.connection.transaction(read).deferred())
  }

  /** Rows that this connection has ever written. */
  #writtenCount(): number {
    return this.#only<{ count: number }>('SELECT total_changes() AS count').count
  }

  #trimChanges(): void {
    const last = 'SELECT coalesce(max(sequence), 0) FROM changes'
    this.#run(`DELETE FROM changes WHERE sequence <= (${last}) - ${CHANGES_KEPT_MAX}`)
  }

  #transactions(direction: 'ASC' | 'DESC'): IterableIterator<TransactionRow> {
    const columns = selectList(TRANSACTION_COLUMNS)
    return this.#rows(`SELECT ${columns} FROM transactions ORDER BY id ${direction}`)
  }

  *#rows(sql: string, ...parameters: number[]): IterableIterator<TransactionRow> {
    // Filling rows from arrays of values takes half the time of rows made by SQLite's binding.
    const values = this.#prepared(sql)
      .raw()
      .iterate(...parameters) as IterableIterator<unknown[]>
    for (const rowValues of values) yield transactionRowOf(rowValues)
  }

  #all<Row>(sql: string): Row[] {
    return explainFaults(this.path, () => this.#prepared(sql).all() as Row[])
  }

  /** The two columns of each row. */
  #pairs(sql: string): [unknown, unknown][] {
    const rows = this.#prepared(sql).raw()
    return explainFaults(this.path, () => rows.all() as [unknown, unknown][])
  }

  #only<Row>(sql: string): Row {
    return explainFaults(this.path, () => this.#prepared(sql).get() as Row)
  }

  #insert(sql: string, row: object): number {
    return explainFaults(this.path, () => Number(this.#prepared(sql).run(row).lastInsertRowid))
  }

  #run(sql: string, row: object = {}): void {
    explainFaults(this.path, () => this.#prepared(sql).run(row))
  }

  #prepared(sql: string): PreparedStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

const EMPTY_ROW = Object.fromEntries(TRANSACTION_COLUMNS.map(([property]) => [property, null]))

function transactionRowOf(values: readonly unknown[]): TransactionRow {
  const row: Record<string, unknown> = { ...EMPTY_ROW }
  for (let i = 0; i < TRANSACTION_COLUMNS.length; i++) {
    row[TRANSACTION_COLUMNS[i]![0]] = values[i] // i < length
  }
  // The SELECT names exactly the columns of a TransactionRow, in this order.
  return followCategoryRule(row as unknown as TransactionRow)
}

/**
 * Applies the rule that a lone broad category is in `category`, to a row that any program may have
 * written: deleting a detailed category leaves the broad one in the other column.
 */
function followCategoryRule(row: TransactionRow): TransactionRow {
  if (row.categoryId === null && row.parentCategoryId !== null) {
    row.categoryId = row.parentCategoryId
    row.parentCategoryId = null
  }
  return row
}
