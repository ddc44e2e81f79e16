import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
import {
  type DataDirectory,
  deleteWorkspaceFile,
  makeDataDirectory,
  openDataDirectory,
  workspaceIds,
  workspacePath,
} from '../data-directory.js'
import { StoreError } from '../store-error.js'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabase, openDatabaseForReading } from './database.js'
import type { Connection } from './sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from './workspace-schema.js'

/** Rows of a batch. */
const BATCH_ROWS = 5_000

const KINDS: Readonly<Record<string, CopiedColumn['kind']>> = {
  INTEGER: 'integer',
  TEXT: 'text',
  BLOB: 'bytes',
}

/** A data directory as the source of a copy. */
export class SqliteSource implements StoreSource {
  readonly #directory: DataDirectory

  /** @throws StoreError when there is no data directory */
  constructor(path: string) {
    this.#directory = openDataDirectory(path)
  }

  async workspaces(): Promise<readonly string[]> {
    return workspaceIds(this.#directory)
  }

  readWorkspace<T>(
    workspaceId: string,
    use: (state: CopiedState, head: CopiedHead) => Promise<T>,
  ): Promise<T> {
    const path = workspacePath(this.#directory, workspaceId)
    return reading(path, WORKSPACE_MIGRATIONS, (file) => {
      const sql = `SELECT uid, created_at AS createdAt, earlier_rows_last AS earlierRowsLast
        FROM workspace`
      return use(file, file.first<CopiedHead>(sql))
    })
  }

  readControl<T>(
    use: (state: CopiedState, largestIds: ReadonlyMap<string, number>) => Promise<T>,
  ): Promise<T> {
    return reading(this.#directory.controlPath, CONTROL_MIGRATIONS, (file) => {
      const largest = COUNTED_COPIED.map(([table, column]) => {
        const sql = `SELECT max(coalesce((SELECT max(${column}) FROM ${table}), 0),
          coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)) AS id`
        return [table, file.first<{ id: number }>(sql).id] as const
      })
      return use(file, new Map(largest))
    })
  }

  async close(): Promise<void> {}
}

/** A new data directory as the target of a copy. */
export class SqliteSink implements StoreSink {
  #directory: DataDirectory | undefined

  constructor(private readonly path: string) {}

  async begin(): Promise<void> {
    const held = existsSync(this.path) ? readdirSync(this.path) : []
    const isFilled = held.includes('control.db') || held.includes('workspaces')
    if (isFilled) {
      const remedy = 'a copy needs a new or empty directory'
      throw new StoreError(`${this.path} is already a data directory; ${remedy}`)
    }
    this.#directory = makeDataDirectory(this.path)
  }

  writeWorkspace(
    workspaceId: string,
    { uid, createdAt, earlierRowsLast }: CopiedHead,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void> {
    const path = workspacePath(this.#made, workspaceId)
    return writing(path, WORKSPACE_MIGRATIONS, async (file) => {
      await write(file)
      file.run(
        `UPDATE workspace SET uid = @uid, created_at = @createdAt,
          earlier_rows_last = @earlierRowsLast`,
        { uid, createdAt, earlierRowsLast },
      )
      for (const entity of ['account', 'category', 'transaction']) file.countDeleted(entity)
      file.run(`UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(sequence), 0) FROM changes)
        WHERE name = 'changes'`)
    })
  }

  writeControl(
    largestIds: ReadonlyMap<string, number>,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void> {
    return writing(this.#made.controlPath, CONTROL_MIGRATIONS, async (file) => {
      file.run('DELETE FROM audit_key')
      await write(file)
      for (const [table, id] of largestIds) file.count(table, id)
    })
  }

  async keep(): Promise<void> {}

  async discard(): Promise<void> {
    const directory = this.#directory
    if (directory === undefined) return
    for (const id of workspaceIds(directory)) deleteWorkspaceFile(directory, id)
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(directory.controlPath + suffix, { force: true })
    rmSync(join(directory.path, 'workspaces'), { recursive: true, force: true })
  }

  async close(): Promise<void> {}

  get #made(): DataDirectory {
    if (this.#directory === undefined) throw new Error('the copy has not begun')
    return this.#directory
  }
}

function reading<T>(
  path: string,
  migrations: readonly string[],
  use: (file: CopiedFile) => Promise<T>,
): Promise<T> {
  return within(openDatabaseForReading(path, migrations), path, 'BEGIN DEFERRED', use)
}

function writing(
  path: string,
  migrations: readonly string[],
  use: (file: CopiedFile) => Promise<void>,
): Promise<void> {
  const connection = openDatabase(path, migrations)
  connection.pragma('synchronous = FULL')
  return within(connection, path, 'BEGIN IMMEDIATE', async (file) => {
    // Rows may refer to later rows.
    file.run('PRAGMA defer_foreign_keys = ON')
    await use(file)
  })
}

async function within<T>(
  connection: Connection,
  path: string,
  begin: string,
  use: (file: CopiedFile) => Promise<T>,
): Promise<T> {
  try {
    explainFaults(path, () => connection.exec(begin))
    const result = await use(new CopiedFile(path, connection))
    explainFaults(path, () => connection.exec('COMMIT'))
    return result
  } finally {
    // SQLite rolls back an open transaction.
    connection.close()
  }
}

/** A SQLite file in a transaction. */
class CopiedFile implements CopiedState, CopyWriter {
  constructor(
    private readonly path: string,
    private readonly connection: Connection,
  ) {}

  async columnsOf({ name }: CopiedTable): Promise<readonly CopiedColumn[]> {
    return explainFaults(this.path, () => {
      const columns = this.connection.pragma(`table_xinfo(${name})`) as {
        name: string
        type: string
        hidden: number
      }[]
      return columns
        .filter(({ hidden }) => hidden === 0)
        .map((column) => ({ name: column.name, kind: kindOf(column.type) }))
    })
  }

  async *rows(
    { name, order, isWhole }: CopiedTable,
    columns: readonly CopiedColumn[],
  ): AsyncGenerator<readonly CopiedRow[]> {
    const sql = `SELECT ${listOf(columns)} FROM ${name} ORDER BY ${order}`
    const statement = explainFaults(this.path, () => this.connection.prepare(sql).raw())
    let batch: CopiedRow[] = []
    for (const row of statement.iterate() as IterableIterator<CopiedRow>) {
      batch.push(row)
      if (isWhole === true || batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  async insert(
    { name }: CopiedTable,
    columns: readonly CopiedColumn[],
    rows: readonly CopiedRow[],
  ): Promise<void> {
    const values = columns.map(() => '?').join(', ')
    const sql = `INSERT INTO ${name} (${listOf(columns)}) VALUES (${values})`
    explainFaults(this.path, () => {
      const statement = this.connection.prepare(sql)
      for (const row of rows) statement.run(row)
    })
  }

  async clear({ name }: CopiedTable): Promise<void> {
    this.run(`DELETE FROM ${name}`)
  }

  run(sql: string, values: Readonly<Record<string, string | number>> = {}): void {
    explainFaults(this.path, () => this.connection.prepare(sql).run(values))
  }

  first<Row>(sql: string): Row {
    return explainFaults(this.path, () => this.connection.prepare(sql).get() as Row)
  }

  /** Makes the next id of a table greater than this one. */
  count(table: string, id: number): void {
    const sql = 'UPDATE sqlite_sequence SET seq = @id WHERE name = @table AND seq < @id'
    this.run(sql, { table, id })
    this.run(
      `INSERT INTO sqlite_sequence (name, seq) SELECT @table, @id
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = @table)`,
      { table, id },
    )
  }

  /** Makes the next id of a kind of resource greater than every deleted one. */
  countDeleted(entity: string): void {
    const sql = `SELECT coalesce(max(last), 0) AS id FROM deleted_ids WHERE entity = '${entity}'`
    const tables: Readonly<Record<string, string>> = { category: 'categories' }
    this.count(tables[entity] ?? `${entity}s`, this.first<{ id: number }>(sql).id)
  }
}

function kindOf(type: string): CopiedColumn['kind'] {
  const kind = KINDS[type]
  if (kind === undefined) throw new Error(`no column of type ${type} is copied`)
  return kind
}
