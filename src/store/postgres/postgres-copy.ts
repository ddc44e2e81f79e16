import type { QueryArrayConfig } from 'pg'
import {
  COUNTED_COPIED,
  type CopiedColumn,
  type CopiedHead,
  type CopiedRow,
  type CopiedState,
  type CopiedTable,
  type CopyWriter,
  listOf,
  type StoreSink,
  type StoreSource,
} from '../copy-store.js'
import { StoreError } from '../store-error.js'
import { NEW_MARK } from './change-log.js'
import { PostgresConnection, type PostgresValue } from './connect.js'
import { explainFaults } from './faults.js'
import { migrate } from './migrations.js'

/** Rows of a batch. */
const BATCH_ROWS = 5_000

/** Time limit of idleness within a copy, while the other side reads or writes a batch. */
const PATIENCE = "SET LOCAL idle_in_transaction_session_timeout = '10min'"

/** Columns that only this engine has, and fills itself. */
const OWN_COLUMNS = ['workspace', 'number', 'version', 'mark']

const KINDS: Readonly<Record<string, CopiedColumn['kind']>> = {
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  text: 'text',
  bytea: 'bytes',
}

const ARRAYS: Readonly<Record<CopiedColumn['kind'], string>> = {
  integer: 'bigint[]',
  text: 'text[]',
  bytes: 'bytea[]',
}

/** A database as the source of a copy; one snapshot of all its rows. */
export class PostgresSource implements StoreSource {
  private constructor(private readonly connection: PostgresConnection) {}

  /** @throws StoreError */
  static async open(url: string): Promise<PostgresSource> {
    const connection = await PostgresConnection.open(url, { applicationName: 'kontor store copy' })
    await connection.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PATIENCE}`)
    return new PostgresSource(connection)
  }

  async workspaces(): Promise<readonly string[]> {
    const sql = 'SELECT id FROM kontor.workspaces WHERE id IS NOT NULL ORDER BY id'
    return (await this.connection.query<{ id: string }>(sql)).map(({ id }) => id)
  }

  async readWorkspace<T>(
    workspaceId: string,
    use: (state: CopiedState, head: CopiedHead) => Promise<T>,
  ): Promise<T> {
    const sql = `SELECT no, uid, created_at AS "createdAt", earlier_rows_last AS "earlierRowsLast"
      FROM kontor.workspaces WHERE id = $1`
    const [found] = await this.connection.query<CopiedHead & { no: number }>(sql, [workspaceId])
    if (found === undefined) throw new StoreError(`there is no workspace ${workspaceId}`)
    return use(new CopiedSchema(this.connection, 'kontor', found.no), found)
  }

  async readControl<T>(
    use: (state: CopiedState, largestIds: ReadonlyMap<string, number>) => Promise<T>,
  ): Promise<T> {
    const largestIds = new Map<string, number>()
    for (const [table, column] of COUNTED_COPIED) {
      const sql = `SELECT coalesce(pg_sequence_last_value(
        pg_get_serial_sequence('kontor_control.${table}', '${column}')::regclass), 0) AS id`
      const [row] = await this.connection.query<{ id: number }>(sql)
      largestIds.set(table, row?.id ?? 0)
    }
    return use(new CopiedSchema(this.connection, 'kontor_control', undefined), largestIds)
  }

  close(): Promise<void> {
    return this.connection.close()
  }
}

/** A database as the target of a copy, in one transaction. */
export class PostgresSink implements StoreSink {
  private constructor(private readonly connection: PostgresConnection) {}

  /** @param program its version, as `0.3.0` */
  static async open(url: string, program: string): Promise<PostgresSink> {
    const connection = await PostgresConnection.open(url, { applicationName: 'kontor store copy' })
    try {
      await migrate(connection, program)
    } catch (error) {
      await connection.close()
      throw error
    }
    return new PostgresSink(connection)
  }

  async begin(): Promise<void> {
    await this.connection.query(`BEGIN; ${PATIENCE}`)
    const tables = ['kontor.workspaces', 'api_keys', 'integrations', 'operators', 'audit']
    for (const table of tables) {
      const rows = await this.connection.query(`SELECT 1 FROM ${table} LIMIT 1`)
      if (rows.length === 0) continue
      throw new StoreError(
        `${this.connection.place} already has rows in ${table}; ` +
          'a copy needs an empty database, which createdb creates',
      )
    }
  }

  async writeWorkspace(
    workspaceId: string,
    { uid, createdAt, earlierRowsLast }: CopiedHead,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void> {
    const sql = `INSERT INTO kontor.workspaces (id, uid, created_at, earlier_rows_last)
      VALUES ($1, $2, $3, $4) RETURNING no`
    const [row] = await this.connection.query<{ no: number }>(sql, [
      ...[workspaceId, uid, createdAt, earlierRowsLast],
    ])
    await write(new CopiedSchema(this.connection, 'kontor', row?.no))
  }

  async writeControl(
    largestIds: ReadonlyMap<string, number>,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void> {
    await this.connection.query('DELETE FROM audit_key')
    await write(new CopiedSchema(this.connection, 'kontor_control', undefined))
    for (const [table, column] of COUNTED_COPIED) {
      const id = largestIds.get(table) ?? 0
      const sql = `SELECT setval(
        pg_get_serial_sequence('kontor_control.${table}', '${column}'), $1, $2)`
      await this.connection.query(sql, [Math.max(1, id), id > 0])
    }
  }

  async keep(): Promise<void> {
    await this.connection.query('COMMIT')
  }

  /** Does nothing: closing the connection rolls back. */
  async discard(): Promise<void> {}

  close(): Promise<void> {
    return this.connection.close()
  }
}

/** Tables of one workspace, or of control data, within a transaction. */
class CopiedSchema implements CopiedState, CopyWriter {
  constructor(
    private readonly connection: PostgresConnection,
    private readonly schema: 'kontor' | 'kontor_control',
    /** Number of the workspace. */
    private readonly no: number | undefined,
  ) {}

  async columnsOf({ name }: CopiedTable): Promise<readonly CopiedColumn[]> {
    const sql = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER'
      ORDER BY ordinal_position`
    const columns = await this.connection.query<{ name: string; type: string }>(sql, [
      this.schema,
      name,
    ])
    return columns
      .filter((column) => !OWN_COLUMNS.includes(column.name))
      .map((column) => ({ name: column.name, kind: kindOf(column.type) }))
  }

  async *rows(
    { name, order, isWhole }: CopiedTable,
    columns: readonly CopiedColumn[],
  ): AsyncGenerator<readonly CopiedRow[]> {
    const of = this.no === undefined ? '' : `WHERE workspace = ${this.no}`
    const by = order.replace('rowid', 'number').replace('only', '"only"')
    await this.connection.query(`DECLARE kontor_copy NO SCROLL CURSOR FOR
      SELECT ${listOf(columns)} FROM ${this.schema}.${name} ${of} ORDER BY ${by}`)
    const fetch: QueryArrayConfig = {
      text: `FETCH FORWARD ${isWhole === true ? 'ALL' : BATCH_ROWS} FROM kontor_copy`,
      rowMode: 'array',
    }
    for (;;) {
      const { client, place } = this.connection
      const { rows } = await explainFaults(place, () => client.query<CopiedValues>(fetch))
      if (rows.length === 0) break
      yield rows
    }
    await this.connection.query('CLOSE kontor_copy')
  }

  async insert(
    { name }: CopiedTable,
    columns: readonly CopiedColumn[],
    rows: readonly CopiedRow[],
  ): Promise<void> {
    const own = name === 'changes' ? [['mark', NEW_MARK] as const] : []
    const given = this.no === undefined ? own : [['workspace', `${this.no}`] as const, ...own]
    const names = [listOf(columns), ...given.map(([column]) => column)].join(', ')
    const values = ['given.*', ...given.map(([, expression]) => expression)].join(', ')
    const arrays = columns.map(({ kind }, i) => `$${i + 1}::${ARRAYS[kind]}`).join(', ')
    const sql = `INSERT INTO ${this.schema}.${name} (${names})
      SELECT ${values} FROM unnest(${arrays}) AS given`
    await this.connection.query(
      sql,
      columns.map((_, i): PostgresValue => rows.map((row) => row[i] ?? null)),
    )
  }

  async clear({ name }: CopiedTable): Promise<void> {
    await this.connection.query(`DELETE FROM ${this.schema}.${name} WHERE workspace = ${this.no}`)
  }
}

type CopiedValues = (string | number | Buffer | null)[]

function kindOf(type: string): CopiedColumn['kind'] {
  const kind = KINDS[type]
  if (kind === undefined) throw new Error(`no column of type ${type} is copied`)
  return kind
}
