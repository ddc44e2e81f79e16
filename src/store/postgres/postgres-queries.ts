import type { EpochMs } from '../../instant.js'
import { followCategoryRule } from '../category-rule.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  CATEGORY_COLUMNS,
  type CategoryRow,
  type Columns,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../columns.js'
import {
  type Balances,
  type KeptStatement,
  type StatementRow,
  statementOfRow,
} from '../kept-statement.js'
import {
  digestKey,
  type EarlierRow,
  type Entity,
  type EntryRow,
  type Identity,
} from '../workspace-writer.js'
import type { BlockingConnection } from './blocking-connection.js'
import type { PostgresValue } from './connect.js'

/** Rows that a FETCH returns. */
const FETCHED_AT_ONCE = 5_000

/** Bytes of an identity in a row of `statement_entries`. */
const IDENTITY_BYTES = 16

/** Queries of a workspace that is open for writing; see OpenWorkspace. */
export class PostgresQueries {
  #cursorCount = 0

  /** @param no number of the workspace, which the transaction must hold */
  constructor(
    protected readonly connection: BlockingConnection,
    protected readonly no: number,
  ) {}

  accounts(): AccountRow[] {
    return this.query(`${selectOf('accounts', ACCOUNT_COLUMNS)} ORDER BY id`)
  }

  categories(): CategoryRow[] {
    return this.query(`${selectOf('categories', CATEGORY_COLUMNS)} ORDER BY id`)
  }

  transactionCount(): number {
    return this.#number('SELECT count(*) AS number FROM kontor.transactions WHERE workspace = $1')
  }

  largestTransactionId(): number {
    const sql = `SELECT coalesce(max(id), 0) AS number FROM kontor.transactions
      WHERE workspace = $1`
    return this.#number(sql)
  }

  largestDeletedId(entity: Entity): number {
    const sql = `SELECT last AS number FROM kontor.deleted_ids
      WHERE workspace = $1 AND entity = $2 ORDER BY first DESC LIMIT 1`
    return this.#number(sql, entity)
  }

  isDeletedId(entity: Entity, id: number): boolean {
    const sql = `SELECT last FROM kontor.deleted_ids
      WHERE workspace = $1 AND entity = $2 AND first <= $3 ORDER BY first DESC LIMIT 1`
    const [range] = this.query<{ last: number }>(sql, entity, id)
    return range !== undefined && range.last >= id
  }

  transactionsOf(ids: readonly number[]): TransactionRow[] {
    const sql = `${selectOf('transactions', TRANSACTION_COLUMNS)} AND id = ANY ($2::BIGINT[])`
    const rows = new Map(this.query<TransactionRow>(sql, ids).map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : followCategoryRule(row)
    })
  }

  idsByIdentity(accountId: number, identities: readonly Identity[]): Map<string, number> {
    const sql = `SELECT id, identity FROM kontor.transactions
      WHERE workspace = $1 AND account_id = $2 AND identity = ANY ($3::BYTEA[])`
    const rows = this.query<{ id: number; identity: Uint8Array }>(sql, accountId, identities)
    return new Map(rows.map(({ id, identity }) => [digestKey(Buffer.from(identity)), id]))
  }

  valueDistances(): Map<number, (number | null)[]> {
    const sql = `SELECT account_id AS "accountId", days FROM (SELECT DISTINCT account_id,
        value_date / 86400000 - booking_date / 86400000 AS days FROM kontor.transactions
        WHERE workspace = $1 AND booking_date IS NOT NULL) AS distances
      ORDER BY abs(days) NULLS FIRST`
    const byAccount = new Map<number, (number | null)[]>()
    for (const { accountId, days } of this.query<ValueDistance>(sql)) {
      const distances = byAccount.get(accountId)
      if (distances === undefined) byAccount.set(accountId, [days])
      else distances.push(days)
    }
    return byAccount
  }

  largestEarlierId(): number {
    return this.#number('SELECT earlier_rows_last AS number FROM kontor.workspaces WHERE no = $1')
  }

  *earlierRows(accountId: number): IterableIterator<EarlierRow> {
    this.#cursorCount += 1
    const name = `earlier_${this.#cursorCount}`
    this.ask(`DECLARE ${name} NO SCROLL CURSOR FOR
      SELECT id, coalesce(booking_date, value_date) AS "bookedAt",
        amount_unscaled AS unscaled, amount_scale AS scale, currency
      FROM kontor.transactions WHERE workspace = ${this.no} AND account_id = ${accountId}
        AND identity IS NOT NULL
        AND id <= (SELECT earlier_rows_last FROM kontor.workspaces WHERE no = ${this.no})
      ORDER BY id`)
    let rows: EarlierRow[]
    do {
      rows = this.ask<EarlierRow>(`FETCH ${FETCHED_AT_ONCE} FROM ${name}`)
      yield* rows
    } while (rows.length > 0)
  }

  newestBookings(): Map<number, EpochMs> {
    const sql = `SELECT account_id AS "accountId", max(booking_date) AS at
      FROM kontor.transactions WHERE workspace = $1 AND booking_date IS NOT NULL
      GROUP BY account_id`
    const rows = this.query<{ accountId: number; at: EpochMs }>(sql)
    return new Map(rows.map(({ accountId, at }) => [accountId, at]))
  }

  newestBookedAt(accountId: number): EpochMs | undefined {
    const sql = `SELECT max(booking_date) AS at FROM kontor.transactions
      WHERE workspace = $1 AND account_id = $2`
    return this.query<{ at: EpochMs | null }>(sql, accountId)[0]?.at ?? undefined
  }

  bookedFromCount(accountId: number, from: EpochMs): number {
    const sql = `SELECT count(*) AS count FROM kontor.transactions
      WHERE workspace = $1 AND account_id = $2 AND booking_date >= $3`
    return this.query<{ count: number }>(sql, accountId, from)[0]?.count ?? 0
  }

  hasEntries(): boolean {
    const sql = `SELECT EXISTS (SELECT FROM kontor.statement_entries WHERE workspace = $1) AS has`
    return this.query<{ has: boolean }>(sql)[0]?.has === true
  }

  entriesOf(accountId: number, entries: readonly Buffer[]): Map<string, EntryRow> {
    const sql = `SELECT entry, identities, details FROM kontor.statement_entries
      WHERE workspace = $1 AND account_id = $2 AND entry = ANY ($3::BYTEA[])`
    const rows = this.query<StoredEntry>(sql, accountId, entries)
    return new Map(rows.map((row) => [digestKey(Buffer.from(row.entry)), entryOf(row)]))
  }

  statementsOn(
    accountId: number,
    currency: string,
    day: number,
    countMax: number,
  ): KeptStatement[] {
    const columns = 'opening, closing, first_day AS "firstDay", last_day AS "lastDay", entries'
    const rows = this.#onDay<StatementRow>(columns, accountId, currency, day, countMax)
    return rows.map((row) => statementOfRow({ ...row, entries: Buffer.from(row.entries) }))
  }

  balancesOn(accountId: number, currency: string, day: number, countMax: number): Balances[] {
    const columns = 'opening, closing'
    const rows = this.#onDay<StoredBalances>(columns, accountId, currency, day, countMax)
    return rows.map((row) => ({ opening: BigInt(row.opening), closing: BigInt(row.closing) }))
  }

  /** Rows of a statement whose `$1` is the workspace. */
  protected query<Row extends object>(sql: string, ...values: readonly PostgresValue[]): Row[] {
    return this.ask<Row>(sql, [this.no, ...values])
  }

  /** Rows of any statement. */
  protected ask<Row extends object>(sql: string, values?: readonly PostgresValue[]): Row[] {
    return this.connection.query<Row>(sql, values)
  }

  /** The column `number` of the first row; 0 = there is no row. */
  #number(sql: string, ...values: readonly PostgresValue[]): number {
    return this.query<{ number: number }>(sql, ...values)[0]?.number ?? 0
  }

  /** Columns of the statements whose first or last entry is on a day, in order of insertion. */
  #onDay<Row extends object>(
    columns: string,
    ...values: [accountId: number, currency: string, day: number, countMax: number]
  ): Row[] {
    const sql = `SELECT ${columns} FROM kontor.statements
      WHERE workspace = $1 AND account_id = $2 AND currency = $3
        AND (first_day = $4 OR last_day = $4) ORDER BY number LIMIT $5`
    return this.query<Row>(sql, ...values)
  }
}

type StoredBalances = Pick<StatementRow, 'opening' | 'closing'>

interface ValueDistance {
  readonly accountId: number
  readonly days: number | null
}

/** A row of `statement_entries`. */
interface StoredEntry {
  readonly entry: Uint8Array
  readonly identities: Uint8Array
  readonly details: string | null
}

function selectOf<Row>(table: string, columns: Columns<Row>): string {
  const names = columns.map(([property, column]) => `${column} AS "${property}"`)
  return `SELECT ${names.join(', ')} FROM kontor.${table} WHERE workspace = $1`
}

function entryOf({ identities, details }: StoredEntry): EntryRow {
  const bytes = Buffer.from(identities)
  const count = bytes.length / IDENTITY_BYTES
  const at = (i: number): Buffer => bytes.subarray(i * IDENTITY_BYTES, (i + 1) * IDENTITY_BYTES)
  return { identities: Array.from({ length: count }, (_, i) => at(i)), details }
}
