import { followCategoryRule } from '../category-rule.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  CATEGORY_COLUMNS,
  type CategoryRow,
  selectList,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../columns.js'
import type { WorkspaceVersion } from '../workspace.js'
import { CHANGED_IDS, changedIdsSince, loggedChanges } from './change-rows.js'
import { explainFaults, faultOf } from './database.js'
import { PreparedStatements } from './prepared-statements.js'
import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'

const SELECT_TRANSACTION = `SELECT ${selectList(TRANSACTION_COLUMNS)} FROM transactions
  WHERE id = ?`

/**
 * Queries of a workspace's SQLite file. A lone broad category of a transaction is returned in
 * `categoryId`, whichever of the two columns has it. Every method may throw StoreError.
 */
export class WorkspaceQueries {
  protected readonly statements: PreparedStatements

  protected constructor(
    readonly path: string,
    protected readonly connection: Connection,
  ) {
    this.statements = new PreparedStatements(path, connection)
  }

  close(): void {
    this.connection.close()
  }

  version(): WorkspaceVersion {
    const uid = this.statements.only<{ uid: string }>('SELECT uid FROM workspace').uid
    return { uid, sequence: lastSequence(this.connection), mark: 0 }
  }

  /** Changes whenever any program creates or drops a table, index or trigger. */
  schemaVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.connection.pragma('schema_version', { simple: true })),
    )
  }

  /**
   * Checkpoints the WAL as far as readers of older states allow. Blocks no reader and no writer,
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
    return this.statements.all<AccountRow>(sql)
  }

  /** All categories, ids ascending. */
  categories(): CategoryRow[] {
    const sql = `SELECT ${selectList(CATEGORY_COLUMNS)} FROM categories ORDER BY id`
    return this.statements.all<CategoryRow>(sql)
  }

  transactionCount(): number {
    return this.statements.only<{ count: number }>('SELECT count(*) AS count FROM transactions')
      .count
  }

  /** All transactions, ids descending; this connection cannot write during the iteration. */
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
    const ids = this.statements.prepared(sql).pluck()
    return explainFaults(this.path, () => ids.all(upTo, count) as number[])
  }

  transaction(id: number): TransactionRow | undefined {
    const row = this.statements.first<TransactionRow>(SELECT_TRANSACTION, id)
    return row === undefined ? undefined : followCategoryRule(row)
  }

  /** The transactions with these ids, as far as they exist. */
  transactionsOf(ids: readonly number[]): TransactionRow[] {
    return ids.flatMap((id) => this.transaction(id) ?? [])
  }

  /** Runs `read` on an immutable state of the file. */
  consistently<T>(read: () => T): T {
    return explainFaults(this.path, () => this.connection.transaction(read).deferred())
  }

  /**
   * Begins a read transaction, whose state the next query fixes; ended by {@link endReading}.
   */
  beginReading(): void {
    this.statements.run('BEGIN DEFERRED')
  }

  endReading(): void {
    if (this.connection.inTransaction) this.statements.run('COMMIT')
  }

  #transactions(direction: 'ASC' | 'DESC'): IterableIterator<TransactionRow> {
    const columns = selectList(TRANSACTION_COLUMNS)
    return this.#rows(`SELECT ${columns} FROM transactions ORDER BY id ${direction}`)
  }

  *#rows(sql: string, ...parameters: number[]): IterableIterator<TransactionRow> {
    // Filling rows from arrays of values takes half the time of the binding's own row objects.
    const values = this.statements
      .prepared(sql)
      .raw()
      .iterate(...parameters) as IterableIterator<unknown[]>
    for (const rowValues of values) yield transactionRowOf(rowValues)
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
