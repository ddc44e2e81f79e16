import { strict as assert } from 'node:assert'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  CATEGORY_COLUMNS,
  type CategoryRow,
  type Columns,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../columns.js'
import { digestOfRow, type KeptStatement, rowOfStatement } from '../kept-statement.js'
import {
  type AddedRow,
  digestKey,
  type Identity,
  type KeptEntryRow,
  type NewRow,
  type OpenWorkspace,
} from '../workspace-writer.js'
import { BinaryRows } from './binary-rows.js'
import type { PostgresValue } from './connect.js'
import { PostgresQueries } from './postgres-queries.js'
import { addTransaction, COPY_TRANSACTIONS } from './transaction-copy.js'

/** Rows of one COPY; they are in memory twice. */
const COPIED_AT_ONCE = 10_000

const INSERT_ACCOUNT = insertOf('accounts', ACCOUNT_COLUMNS)
const UPDATE_ACCOUNT = updateOf('accounts', ACCOUNT_COLUMNS)
const INSERT_CATEGORY = insertOf('categories', CATEGORY_COLUMNS)
const UPDATE_CATEGORY = updateOf('categories', CATEGORY_COLUMNS)

/** Rows of one UPDATE. */
const UPDATED_AT_ONCE = 1_000

const UPDATED_COLUMNS = TRANSACTION_COLUMNS.filter(([property]) => property !== 'id')

/** Updates rows from a JSON text with a member for each column. */
const UPDATE_TRANSACTIONS = `UPDATE kontor.transactions AS t
  SET ${UPDATED_COLUMNS.map(([, column]) => `${column} = u.${column}`).join(', ')}
  FROM json_populate_recordset(NULL::kontor.transactions, $2) AS u
  WHERE t.workspace = $1 AND t.id = u.id`

const REPLACE_IDENTITY = `UPDATE kontor.transactions SET identity = $3
  WHERE workspace = $1 AND id = $2`

/** Moves transactions to the new parent of a category: {@link OpenWorkspace.updateCategory}. */
const FOLLOW_PARENT = `UPDATE kontor.transactions AS t SET parent_category_id = $3
  FROM kontor.categories AS c
  WHERE c.workspace = $1 AND c.id = $2 AND c.parent_id IS DISTINCT FROM $3
    AND t.workspace = $1 AND t.category_id = $2
    AND t.parent_category_id IS NOT DISTINCT FROM c.parent_id`

const KEEP_ENTRIES = `INSERT INTO kontor.statement_entries AS kept
    (workspace, account_id, entry, identities, details)
  SELECT $1::INTEGER, * FROM unnest($2::BIGINT[], $3::BYTEA[], $4::BYTEA[], $5::TEXT[])
  ON CONFLICT (workspace, account_id, entry) DO UPDATE
    SET identities = excluded.identities, details = excluded.details
    WHERE (kept.identities, kept.details)
      IS DISTINCT FROM (excluded.identities, excluded.details)
  RETURNING 1`

const KEEP_STATEMENT = `INSERT INTO kontor.statements
    (workspace, account_id, statement, currency, opening, closing, first_day, last_day, entries)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (workspace, account_id, statement) DO NOTHING
  RETURNING 1`

/** A workspace in a transaction that holds it. */
export class PostgresWorkspace extends PostgresQueries implements OpenWorkspace {
  /** The next id to assign to a transaction; undefined = not read yet. */
  #nextId: number | undefined
  #hasKept = false
  /** Id -> columns of a pending update of a transaction. */
  readonly #pending = new Map<number, object>()

  /** Whether entries or statements were written, whose tables have no change log. */
  get hasKept(): boolean {
    return this.#hasKept
  }

  insertAccount(row: NewRow<AccountRow>): number {
    return this.#insert(
      INSERT_ACCOUNT,
      ACCOUNT_COLUMNS.map(([property]) => row[property]),
    )
  }

  updateAccount(row: AccountRow): void {
    this.query(UPDATE_ACCOUNT, ...ACCOUNT_COLUMNS.map(([property]) => row[property]))
  }

  insertCategory(row: NewRow<CategoryRow>): number {
    return this.#insert(
      INSERT_CATEGORY,
      CATEGORY_COLUMNS.map(([property]) => row[property]),
    )
  }

  updateCategory(row: CategoryRow): void {
    this.query(FOLLOW_PARENT, row.id, row.parentId)
    this.query(UPDATE_CATEGORY, ...CATEGORY_COLUMNS.map(([property]) => row[property]))
  }

  /** An error in the rows is thrown by the next call, or by the commit. */
  addTransactions(added: readonly AddedRow[]): number[] {
    this.flush()
    const ids = added.map(({ row }) => this.#idFor(row.id))
    for (let from = 0; from < added.length; from += COPIED_AT_ONCE) {
      const rows = new BinaryRows()
      for (const [i, one] of added.slice(from, from + COPIED_AT_ONCE).entries()) {
        addTransaction(rows, this.no, ids[from + i]!, one) // as many ids as rows
      }
      this.connection.beginCopy(COPY_TRANSACTIONS, rows.finish())
    }
    return ids
  }

  /** Updates are batched; errors are thrown as by {@link addTransactions}. */
  updateTransaction(row: TransactionRow): void {
    if (this.#pending.has(row.id) || this.#pending.size >= UPDATED_AT_ONCE) this.flush()
    const columns = TRANSACTION_COLUMNS.map(([property, column]) => [column, row[property]])
    this.#pending.set(row.id, Object.fromEntries(columns))
  }

  /** Writes the pending updates; to be called at the end. */
  flush(): void {
    if (this.#pending.size === 0) return
    const rows = JSON.stringify([...this.#pending.values()])
    this.#pending.clear()
    this.query(UPDATE_TRANSACTIONS, rows)
  }

  replaceIdentity(id: number, identity: Identity | null): void {
    this.query(REPLACE_IDENTITY, id, identity)
  }

  deleteTransaction(id: number): void {
    this.query('DELETE FROM kontor.transactions WHERE workspace = $1 AND id = $2', id)
  }

  keepEntries(rows: readonly KeptEntryRow[]): void {
    // ON CONFLICT DO UPDATE must not affect a row twice.
    const last = new Map(rows.map((row) => [`${row.accountId} ${digestKey(row.entry)}`, row]))
    const kept = [...last.values()]
    const written = this.query(
      KEEP_ENTRIES,
      kept.map(({ accountId }) => accountId),
      kept.map(({ entry }) => entry),
      kept.map(({ identities }) => Buffer.concat(identities)),
      kept.map(({ details }) => details),
    )
    if (written.length > 0) this.#hasKept = true
  }

  keepStatement(accountId: number, currency: string, statement: KeptStatement): boolean {
    const row = rowOfStatement(statement)
    if (row === undefined) return false
    const { opening, closing, firstDay, lastDay, entries } = row
    const written = this.query(
      KEEP_STATEMENT,
      ...[accountId, digestOfRow(row, currency), currency],
      ...[opening, closing, firstDay, lastDay, entries],
    )
    if (written.length > 0) this.#hasKept = true
    return written.length > 0
  }

  protected override ask<Row extends object>(
    sql: string,
    values?: readonly PostgresValue[],
  ): Row[] {
    this.flush()
    return super.ask<Row>(sql, values)
  }

  /** @returns the id given, or assigned by the trigger of the table */
  #insert(sql: string, values: readonly PostgresValue[]): number {
    const [row] = this.query<{ id: number }>(sql, ...values)
    assert(row !== undefined, 'an INSERT returns its row')
    return row.id
  }

  /** As SQLite's AUTOINCREMENT: larger than all earlier ids, deleted ones included. */
  #idFor(given: number | null): number {
    this.#nextId ??= 1 + Math.max(this.largestTransactionId(), this.largestDeletedId('transaction'))
    const id = given ?? this.#nextId
    this.#nextId = Math.max(this.#nextId, id + 1)
    return id
  }
}

/** The INSERT of a row: `$1` is the workspace, the next parameters are the columns. */
function insertOf<Row>(table: string, columns: Columns<Row>): string {
  const names = columns.map(([, column]) => column)
  const values = columns.map((_, i) => `$${i + 2}`)
  return `INSERT INTO kontor.${table} (workspace, ${names.join(', ')})
    VALUES ($1, ${values.join(', ')}) RETURNING id`
}

/** The UPDATE of a row, with the parameters of its INSERT; the first column is the id. */
function updateOf<Row>(table: string, columns: Columns<Row>): string {
  const assignments = columns.map(([, column], i) => `${column} = $${i + 2}`).slice(1)
  return `UPDATE kontor.${table} SET ${assignments.join(', ')} WHERE workspace = $1 AND id = $2`
}
