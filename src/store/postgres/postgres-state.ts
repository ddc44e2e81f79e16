import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  CATEGORY_COLUMNS,
  type CategoryRow,
  type Columns,
  type TransactionRow,
} from '../columns.js'
import { StoreError } from '../store-error.js'
import type {
  Seal,
  SealedVersion,
  WorkspaceState,
  WorkspaceVersion,
  WrittenRows,
} from '../workspace.js'
import type { BinaryFields } from './binary-fields.js'
import type { PostgresConnection, PostgresValue } from './connect.js'
import { copyOut } from './copy-out.js'
import { COPIED_COLUMNS, transactionRowOf } from './transaction-copy.js'

/** Ids that one statement looks up by the primary key; bounds the length of its text. */
const IDS_AT_ONCE = 10_000

/** Version of the workspace `$1` and of the schema; no row = there is no such workspace. */
export const HEAD = `SELECT w.uid, coalesce(c.sequence, 0) AS sequence, coalesce(c.mark, 0) AS mark,
    (SELECT max(version) FROM kontor_control.migrations) AS schema
  FROM kontor.workspaces AS w LEFT JOIN LATERAL (SELECT sequence, mark FROM kontor.changes
    WHERE workspace = w.no ORDER BY sequence DESC LIMIT 1) AS c ON TRUE
  WHERE w.no = $1 AND w.id IS NOT NULL`

/** The state of a workspace in the snapshot of a transaction. */
export class PostgresState implements WorkspaceState {
  #isCopying = false

  private constructor(
    private readonly connection: PostgresConnection,
    private readonly no: number,
    private readonly head: WorkspaceVersion & { readonly schema: number },
  ) {}

  /**
   * The present state, valid until the end of the transaction.
   * @param no number of the workspace
   * @throws StoreError when there is no such workspace
   */
  static async begin(connection: PostgresConnection, no: number): Promise<PostgresState> {
    const [head] = await connection.query<PostgresState['head']>(HEAD, [no])
    if (head !== undefined) return new PostgresState(connection, no, head)
    throw new StoreError(`${connection.place}: there is no workspace with the number ${no}`)
  }

  /** Whether a loop over rows was left early, so that the connection cannot be reused. */
  get isCopying(): boolean {
    return this.#isCopying
  }

  async version(): Promise<WorkspaceVersion> {
    const { uid, sequence, mark } = this.head
    return { uid, sequence, mark }
  }

  /** Does not change with rows written without triggers (docs/internals/postgres-schema.md). */
  async seal(): Promise<Seal> {
    const { uid, sequence, mark, schema } = this.head
    return { schema: `${schema}`, content: `${uid} ${sequence} ${mark}` }
  }

  accounts(): Promise<AccountRow[]> {
    return this.#resources<AccountRow>('accounts', ACCOUNT_COLUMNS)
  }

  categories(): Promise<CategoryRow[]> {
    return this.#resources<CategoryRow>('categories', CATEGORY_COLUMNS)
  }

  async transactionCount(): Promise<number> {
    const sql = 'SELECT count(*) AS count FROM kontor.transactions WHERE workspace = $1'
    const [row] = await this.#query<{ count: number }>(sql, [this.no])
    return row?.count ?? 0
  }

  transactions(order: 'newest' | 'oldest'): AsyncIterable<readonly TransactionRow[]> {
    const direction = order === 'newest' ? 'DESC' : 'ASC'
    const select = `SELECT ${COPIED_COLUMNS} FROM kontor.transactions
      WHERE workspace = ${this.no} ORDER BY id ${direction}`
    return this.#copy(select, transactionRowOf)
  }

  async transactionsOf(ids: readonly number[]): Promise<TransactionRow[]> {
    const rows = new Map<number, TransactionRow>()
    for await (const batch of this.#rowsOf(ids)) for (const row of batch) rows.set(row.id, row)
    return ids.flatMap((id) => rows.get(id) ?? [])
  }

  async writtenSince({ version, seal }: SealedVersion, changesMax: number): Promise<WrittenRows> {
    const now = await this.version()
    if (seal.schema !== `${this.head.schema}`) return { kind: 'lost', reason: 'schema' }
    if (now.uid !== version.uid) return { kind: 'lost', reason: 'other_file' }
    if (now.sequence <= version.sequence) return { kind: 'lost', reason: 'unlogged' }
    const changeCount = now.sequence - version.sequence
    if (changeCount > changesMax) return { kind: 'lost', reason: 'too_many_changes' }
    if (!(await this.#followsFrom(version))) return { kind: 'lost', reason: 'unlogged' }
    const select = `SELECT DISTINCT entity_id ${this.#logged(version.sequence)}
      ORDER BY entity_id DESC`
    const ids = Float64Array.from(await this.#all(select, (fields) => fields.integer()))
    return { kind: 'written', version: now, ids, transactions: this.#rowsOf(ids) }
  }

  async loggedChanges(after: number): Promise<Float64Array> {
    const select = `SELECT sequence, entity_id, coalesce(account_before, 0),
      coalesce(account_after, 0) ${this.#logged(after)} ORDER BY sequence`
    const changes = await this.#all(select, (fields) => [
      ...[fields.integer(), fields.integer()],
      ...[fields.integer(), fields.integer()],
    ])
    return Float64Array.from(changes.flat())
  }

  async idsWritten(upTo: number, count: number): Promise<number[]> {
    const sql = `SELECT DISTINCT entity_id AS id FROM (SELECT entity_id FROM kontor.changes
      WHERE workspace = $1 AND sequence <= $2 AND entity = 'transaction'
      ORDER BY sequence DESC LIMIT $3) AS newest ORDER BY entity_id DESC`
    const rows = await this.#query<{ id: number }>(sql, [this.no, upTo, count])
    return rows.map(({ id }) => id)
  }

  /**
   * Whether the log leads from an earlier version to the present one: the newest change of that
   * version is still there with the same mark, and so are all later changes.
   */
  async #followsFrom({ sequence, mark }: WorkspaceVersion): Promise<boolean> {
    const sql = `SELECT count(*) AS count, (SELECT mark FROM kontor.changes
        WHERE workspace = $1 AND sequence = $2) AS mark
      FROM kontor.changes WHERE workspace = $1 AND sequence > $2`
    const [found] = await this.#query<{ count: number; mark: number | null }>(sql, [
      this.no,
      sequence,
    ])
    // A version without changes has no mark.
    const isSamePast = sequence === 0 || found?.mark === mark
    return isSamePast && found?.count === this.head.sequence - sequence
  }

  /** FROM and WHERE of the changes of transactions after a sequence. */
  #logged(after: number): string {
    return `FROM kontor.changes
      WHERE workspace = ${this.no} AND sequence > ${after} AND entity = 'transaction'`
  }

  /** The transactions with these ids; descending if the ids are. */
  async *#rowsOf(ids: readonly number[] | Float64Array): AsyncGenerator<readonly TransactionRow[]> {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const list = ids.slice(from, from + IDS_AT_ONCE).join(', ')
      const select = `SELECT ${COPIED_COLUMNS} FROM kontor.transactions
        WHERE workspace = ${this.no} AND id IN (${list}) ORDER BY id DESC`
      yield* this.#copy(select, transactionRowOf)
    }
  }

  #resources<Row extends object>(table: string, columns: Columns<Row>): Promise<Row[]> {
    const names = columns.map(([property, column]) => `${column} AS "${property}"`)
    const sql = `SELECT ${names.join(', ')} FROM kontor.${table} WHERE workspace = $1 ORDER BY id`
    return this.#query<Row>(sql, [this.no])
  }

  async #all<Row>(select: string, rowOf: (fields: BinaryFields) => Row): Promise<Row[]> {
    const batches: (readonly Row[])[] = []
    for await (const batch of this.#copy(select, rowOf)) batches.push(batch)
    return batches.flat()
  }

  async *#copy<Row>(
    select: string,
    rowOf: (fields: BinaryFields) => Row,
  ): AsyncGenerator<readonly Row[]> {
    this.#refuseWhileCopying()
    this.#isCopying = true
    try {
      yield* copyOut(this.connection, select, rowOf)
    } finally {
      this.#isCopying = false
    }
  }

  async #query<Row extends object>(sql: string, values: readonly PostgresValue[]): Promise<Row[]> {
    this.#refuseWhileCopying()
    return this.connection.query<Row>(sql, values)
  }

  /** Prevents a deadlock: the query would wait for the last row, which waits for the caller. */
  #refuseWhileCopying(): void {
    if (this.#isCopying) throw new Error('a state has no queries within a loop over its rows')
  }
}
