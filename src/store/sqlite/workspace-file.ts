import type { EpochMs } from '../../instant.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  assignmentList,
  CATEGORY_COLUMNS,
  type CategoryRow,
  insertByPosition,
  insertStatement,
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
import {
  type AddedRow,
  CHANGES_KEPT_MAX,
  digestKey,
  type EarlierRow,
  type Entity,
  type EntryRow,
  type Identity,
  type KeptEntryRow,
  type NewRow,
  type OpenWorkspace,
  type WorkspaceWriter,
} from '../workspace-writer.js'
import { openDatabase, openDatabaseForReading } from './database.js'
import { WorkspaceQueries } from './workspace-queries.js'
import { WORKSPACE_MIGRATIONS } from './workspace-schema.js'

// Built once, because an import of a million rows uses it for each row.
const INSERT_TRANSACTION = insertByPosition('transactions', TRANSACTION_COLUMNS, ['identity'])

/** Bytes of an identity in a row of `statement_entries`. */
const IDENTITY_BYTES = 16

/** One workspace's SQLite file, to be read and written. Every method may throw StoreError. */
export class WorkspaceFile extends WorkspaceQueries implements OpenWorkspace, WorkspaceWriter {
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

  idsByIdentity(accountId: number, identities: readonly Identity[]): Map<string, number> {
    const sql = 'SELECT id FROM transactions WHERE account_id = ? AND identity = ?'
    const ids = new Map<string, number>()
    for (const identity of identities) {
      const found = this.statements.first<{ id: number }>(sql, accountId, identity)
      if (found !== undefined) ids.set(digestKey(identity), found.id)
    }
    return ids
  }

  valueDistances(): Map<number, (number | null)[]> {
    const sql = `SELECT DISTINCT account_id, value_date / 86400000 - booking_date / 86400000
      AS days FROM transactions WHERE booking_date IS NOT NULL ORDER BY abs(days)`
    const byAccount = new Map<number, (number | null)[]>()
    for (const [accountId, distance] of this.statements.pairs(sql) as [number, number | null][]) {
      const distances = byAccount.get(accountId)
      if (distances === undefined) byAccount.set(accountId, [distance])
      else distances.push(distance)
    }
    return byAccount
  }

  largestEarlierId(): number {
    return this.statements.only<{ last: number }>('SELECT earlier_rows_last AS last FROM workspace')
      .last
  }

  earlierRows(accountId: number): IterableIterator<EarlierRow> {
    const sql = `SELECT id, coalesce(booking_date, value_date) AS bookedAt,
        amount_unscaled AS unscaled, amount_scale AS scale, currency
      FROM transactions WHERE account_id = ? AND identity IS NOT NULL
        AND id <= (SELECT earlier_rows_last FROM workspace) ORDER BY id`
    return this.statements.prepared(sql).iterate(accountId) as IterableIterator<EarlierRow>
  }

  largestDeletedId(entity: Entity): number {
    const sql = 'SELECT last AS id FROM deleted_ids WHERE entity = ? ORDER BY first DESC LIMIT 1'
    return this.statements.first<{ id: number }>(sql, entity)?.id ?? 0
  }

  isDeletedId(entity: Entity, id: number): boolean {
    const sql = `SELECT last FROM deleted_ids
      WHERE entity = ? AND first <= ? ORDER BY first DESC LIMIT 1`
    const row = this.statements.first<{ last: number }>(sql, entity, id)
    return row !== undefined && row.last >= id
  }

  largestTransactionId(): number {
    return this.statements.only<{ id: number }>(
      'SELECT coalesce(max(id), 0) AS id FROM transactions',
    ).id
  }

  newestBookings(): Map<number, EpochMs> {
    const sql = `SELECT account_id, max(booking_date) FROM transactions
      WHERE booking_date IS NOT NULL GROUP BY account_id`
    return new Map(this.statements.pairs(sql) as [number, EpochMs][])
  }

  newestBookedAt(accountId: number): EpochMs | undefined {
    const sql = 'SELECT max(booking_date) AS at FROM transactions WHERE account_id = ?'
    return this.statements.first<{ at: EpochMs | null }>(sql, accountId)?.at ?? undefined
  }

  bookedFromCount(accountId: number, from: EpochMs): number {
    const sql = `SELECT count(*) AS count FROM transactions
      WHERE account_id = ? AND booking_date >= ?`
    return this.statements.first<{ count: number }>(sql, accountId, from)?.count ?? 0
  }

  insertAccount(row: NewRow<AccountRow>): number {
    return this.statements.insert(insertStatement('accounts', ACCOUNT_COLUMNS), row)
  }

  updateAccount(row: AccountRow): void {
    this.statements.run(
      `UPDATE accounts SET ${assignmentList(ACCOUNT_COLUMNS)} WHERE id = @id`,
      row,
    )
  }

  insertCategory(row: NewRow<CategoryRow>): number {
    return this.statements.insert(insertStatement('categories', CATEGORY_COLUMNS), row)
  }

  updateCategory(row: CategoryRow): void {
    const sql = 'SELECT parent_id AS parentId FROM categories WHERE id = ?'
    const old = this.statements.first<Pick<CategoryRow, 'parentId'>>(sql, row.id)
    if (old !== undefined && old.parentId !== row.parentId) {
      this.statements.run(
        `UPDATE transactions SET parent_category_id = @parentId
          WHERE category_id = @id AND parent_category_id IS @oldParentId`,
        { id: row.id, parentId: row.parentId, oldParentId: old.parentId },
      )
    }
    this.statements.run(
      `UPDATE categories SET ${assignmentList(CATEGORY_COLUMNS)} WHERE id = @id`,
      row,
    )
  }

  addTransactions(rows: readonly AddedRow[]): number[] {
    return rows.map(({ row, identity }) => this.insertTransaction(row, identity))
  }

  /** Adds one transaction; see {@link addTransactions}. */
  insertTransaction(row: NewRow<TransactionRow>, identity: Identity | null): number {
    // By position: looking up thirty members by name takes a tenth of the insert's time.
    const values: unknown[] = TRANSACTION_COLUMNS.map(([property]) => row[property])
    values.push(identity)
    return this.statements.insert(INSERT_TRANSACTION, values)
  }

  updateTransaction(row: TransactionRow): void {
    this.statements.run(
      `UPDATE transactions SET ${assignmentList(TRANSACTION_COLUMNS)} WHERE id = @id`,
      row,
    )
  }

  replaceIdentity(id: number, identity: Identity | null): void {
    this.statements.run('UPDATE transactions SET identity = @identity WHERE id = @id', {
      id,
      identity,
    })
  }

  deleteTransaction(id: number): void {
    this.statements.run('DELETE FROM transactions WHERE id = @id', { id })
  }

  hasEntries(): boolean {
    const sql = 'SELECT EXISTS (SELECT 1 FROM statement_entries) AS has'
    return this.statements.only<{ has: number }>(sql).has === 1
  }

  entriesOf(accountId: number, entries: readonly Buffer[]): Map<string, EntryRow> {
    const sql = `SELECT identities, details FROM statement_entries
      WHERE account_id = ? AND entry = ?`
    const found = new Map<string, EntryRow>()
    for (const entry of entries) {
      const row = this.statements.first<StoredEntry>(sql, accountId, entry)
      if (row !== undefined) found.set(digestKey(entry), entryOf(row))
    }
    return found
  }

  keepEntries(rows: readonly KeptEntryRow[]): void {
    for (const { accountId, entry, identities, details } of rows) {
      this.statements.run(
        `INSERT INTO statement_entries VALUES (@accountId, @entry, @identities, @details)
          ON CONFLICT DO UPDATE SET identities = @identities, details = @details
            WHERE (identities, details) IS NOT (@identities, @details)`,
        { accountId, entry, identities: Buffer.concat(identities), details },
      )
    }
  }

  keepStatement(accountId: number, currency: string, statement: KeptStatement): boolean {
    const row = rowOfStatement(statement)
    if (row === undefined) return false
    const sql = `INSERT OR IGNORE INTO statements VALUES (@accountId, @statement, @currency,
      @opening, @closing, @firstDay, @lastDay, @entries)`
    const values = { accountId, currency, statement: digestOfRow(row, currency), ...row }
    return this.statements.run(sql, values) === 1
  }

  statementsOn(
    accountId: number,
    currency: string,
    day: number,
    countMax: number,
  ): KeptStatement[] {
    const sql = `SELECT opening, closing, first_day AS firstDay, last_day AS lastDay, entries
      FROM statements WHERE account_id = @accountId AND (first_day = @day OR last_day = @day)
        AND currency = @currency ORDER BY rowid LIMIT @countMax`
    const values = { accountId, currency, day, countMax }
    return this.statements.all<StatementRow>(sql, values).map(statementOfRow)
  }

  balancesOn(accountId: number, currency: string, day: number, countMax: number): Balances[] {
    const sql = `SELECT opening, closing FROM statements WHERE account_id = @accountId
      AND (first_day = @day OR last_day = @day) AND currency = @currency LIMIT @countMax`
    const values = { accountId, currency, day, countMax }
    return this.statements
      .all<Pick<StatementRow, 'opening' | 'closing'>>(sql, values)
      .map((row) => ({ opening: BigInt(row.opening), closing: BigInt(row.closing) }))
  }

  /**
   * See {@link WorkspaceWriter}. A write to the tables of imports only is logged as well, because
   * readers would otherwise reload the file.
   */
  async atomically<T>(write: (open: OpenWorkspace) => Promise<T>): Promise<T> {
    this.statements.run('BEGIN IMMEDIATE')
    try {
      const { sequence } = this.version()
      const writtenCount = this.#writtenCount()
      const result = await write(this)
      if (this.#writtenCount() !== writtenCount && this.version().sequence === sequence) {
        this.statements.run(
          "INSERT INTO changes (entity, entity_id, kind) VALUES ('account', 0, 'update')",
        )
      }
      this.#trimChanges()
      this.statements.run('COMMIT')
      return result
    } catch (error) {
      if (this.connection.inTransaction) this.statements.run('ROLLBACK')
      throw error
    }
  }

  /** Rows that this connection has ever written. */
  #writtenCount(): number {
    return this.statements.only<{ count: number }>('SELECT total_changes() AS count').count
  }

  #trimChanges(): void {
    const last = 'SELECT coalesce(max(sequence), 0) FROM changes'
    this.statements.run(`DELETE FROM changes WHERE sequence <= (${last}) - ${CHANGES_KEPT_MAX}`)
  }
}

/** A row of `statement_entries`. */
interface StoredEntry {
  readonly identities: Buffer
  readonly details: string | null
}

function entryOf({ identities, details }: StoredEntry): EntryRow {
  const count = identities.length / IDENTITY_BYTES
  const at = (i: number): Buffer =>
    identities.subarray(i * IDENTITY_BYTES, (i + 1) * IDENTITY_BYTES)
  return { identities: Array.from({ length: count }, (_, i) => at(i)), details }
}
