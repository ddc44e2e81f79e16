// Copies a complete store into an empty one, of either engine. Ids, uids, identities, sequences and
// hashes stay the same, so keys, tokens and cursors remain valid.
import { StoreError } from './store-error.js'

/** A value of a column. */
type CopiedValue = string | number | Buffer | null

/** Values in the order of the requested columns. */
export type CopiedRow = readonly CopiedValue[]

/** A column that both engines have. */
export interface CopiedColumn {
  readonly name: string
  readonly kind: 'integer' | 'text' | 'bytes'
}

/** The columns as SQL for both engines. */
export function listOf(columns: readonly CopiedColumn[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

/** A table that both engines have. */
export interface CopiedTable {
  readonly name: string
  /** Columns of a deterministic order; `rowid` = order of insertion. */
  readonly order: string
  /** Rows refer to later rows of the table, so all are written at once. */
  readonly isWhole?: true
}

/** Tables of a workspace in the order in which they are filled, except for its change log. */
const WORKSPACE_TABLES_COPIED: readonly CopiedTable[] = [
  { name: 'accounts', order: 'id' },
  { name: 'categories', order: 'id', isWhole: true },
  { name: 'transactions', order: 'id' },
  { name: 'deleted_ids', order: 'entity, first' },
  { name: 'statement_entries', order: 'account_id, entry' },
  { name: 'statements', order: 'rowid' },
]

/** The change log of a workspace; filling the other tables has written to it. */
const CHANGE_LOG_COPIED: CopiedTable = { name: 'changes', order: 'sequence' }

/** Tables of control data in the order in which they are filled. */
const CONTROL_TABLES_COPIED: readonly CopiedTable[] = [
  { name: 'api_keys', order: 'id', isWhole: true },
  { name: 'integrations', order: 'rowid' },
  { name: 'mcp_keys', order: 'id' },
  { name: 'clients', order: 'rowid' },
  { name: 'operators', order: 'id' },
  { name: 'sessions', order: 'hash' },
  { name: 'attempts', order: 'kind, key' },
  { name: 'grants', order: 'id' },
  { name: 'codes', order: 'hash' },
  { name: 'tokens', order: 'grant_id, generation' },
  { name: 'audit', order: 'sequence' },
  { name: 'audit_key', order: 'only' },
  { name: 'refusals', order: 'minute, likeness' },
]

/** Tables of control data with an id counter, and its column: ids are never reused. */
export const COUNTED_COPIED: readonly (readonly [table: string, column: string])[] = [
  ['api_keys', 'id'],
  ['mcp_keys', 'id'],
  ['operators', 'id'],
  ['grants', 'id'],
  ['audit', 'sequence'],
]

/** Properties of a workspace besides its tables. */
export interface CopiedHead {
  readonly uid: string
  readonly createdAt: number
  readonly earlierRowsLast: number
}

/** An immutable state of some tables. Every method may reject with StoreError. */
export interface CopiedState {
  columnsOf(table: CopiedTable): Promise<readonly CopiedColumn[]>
  /** In batches; a single one for an `isWhole` table. No other method is called meanwhile. */
  rows(table: CopiedTable, columns: readonly CopiedColumn[]): AsyncIterable<readonly CopiedRow[]>
}

/** A store that is copied. Every method may reject with StoreError. */
export interface StoreSource {
  /** Ids, ascending. */
  workspaces(): Promise<readonly string[]>
  readWorkspace<T>(
    workspaceId: string,
    use: (state: CopiedState, head: CopiedHead) => Promise<T>,
  ): Promise<T>
  /** @param use is given the largest ids ever assigned, by table */
  readControl<T>(
    use: (state: CopiedState, largestIds: ReadonlyMap<string, number>) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

/** Writes the tables of a copy. Every method may reject with StoreError. */
export interface CopyWriter {
  columnsOf(table: CopiedTable): Promise<readonly CopiedColumn[]>
  insert(
    table: CopiedTable,
    columns: readonly CopiedColumn[],
    rows: readonly CopiedRow[],
  ): Promise<void>
  /** Deletes the rows of a table that triggers have written. */
  clear(table: CopiedTable): Promise<void>
}

/** An empty store as the target of a copy. Every method may reject with StoreError. */
export interface StoreSink {
  /** @throws StoreError when the store is not empty */
  begin(): Promise<void>
  writeWorkspace(
    workspaceId: string,
    head: CopiedHead,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void>
  writeControl(
    largestIds: ReadonlyMap<string, number>,
    write: (writer: CopyWriter) => Promise<void>,
  ): Promise<void>
  /** Commits the copy. */
  keep(): Promise<void>
  /** Removes the incomplete copy. */
  discard(): Promise<void>
  close(): Promise<void>
}

/** Numbers of copied rows of a workspace. */
export interface CopiedWorkspace {
  readonly workspaceId: string
  readonly accounts: number
  readonly transactions: number
}

/**
 * Copies a store. Control data come last, so no credential gives access to an incomplete copy.
 * @param onRows receives the number of rows written so far, and the part they belong to
 * @throws StoreError; the target is then empty again
 */
export async function copyStore(
  source: StoreSource,
  target: StoreSink,
  onRows: (count: number, part: string) => void,
): Promise<CopiedWorkspace[]> {
  await target.begin()
  try {
    const copied: CopiedWorkspace[] = []
    for (const workspaceId of await source.workspaces()) {
      copied.push(await copyWorkspace(source, target, workspaceId, onRows))
    }
    await source.readControl((state, largestIds) =>
      target.writeControl(largestIds, async (writer) => {
        const copy = new TableCopy(state, writer, 'control data', onRows)
        for (const table of CONTROL_TABLES_COPIED) await copy.take(table)
      }),
    )
    await target.keep()
    return copied
  } catch (error) {
    await target.discard()
    throw error
  }
}

async function copyWorkspace(
  source: StoreSource,
  target: StoreSink,
  workspaceId: string,
  onRows: (count: number, part: string) => void,
): Promise<CopiedWorkspace> {
  const counts = new Map<string, number>()
  await source.readWorkspace(workspaceId, (state, head) =>
    target.writeWorkspace(workspaceId, head, async (writer) => {
      const copy = new TableCopy(state, writer, `workspace ${workspaceId}`, onRows)
      for (const table of WORKSPACE_TABLES_COPIED) counts.set(table.name, await copy.take(table))
      await writer.clear(CHANGE_LOG_COPIED)
      await copy.take(CHANGE_LOG_COPIED)
    }),
  )
  const [accounts, transactions] = [counts.get('accounts') ?? 0, counts.get('transactions') ?? 0]
  return { workspaceId, accounts, transactions }
}

/** Copies tables one after the other. */
class TableCopy {
  #rowCount = 0

  constructor(
    private readonly state: CopiedState,
    private readonly writer: CopyWriter,
    /** The part of the store that has the tables, for messages. */
    private readonly part: string,
    private readonly onRows: (count: number, part: string) => void,
  ) {}

  /** @returns the number of rows */
  async take(table: CopiedTable): Promise<number> {
    const columns = await this.state.columnsOf(table)
    const known = new Set((await this.writer.columnsOf(table)).map(({ name }) => name))
    const missing = columns.find(({ name }) => !known.has(name))
    if (missing !== undefined) throw new Error(`${table.name} has no column ${missing.name}`)
    let count = 0
    for await (const rows of this.state.rows(table, columns)) {
      this.#refuseNul(table, columns, rows)
      await this.#insert(table, columns, rows)
      count += rows.length
      this.#rowCount += rows.length
      this.onRows(this.#rowCount, this.part)
    }
    return count
  }

  async #insert(...of: Parameters<CopyWriter['insert']>): Promise<void> {
    try {
      await this.writer.insert(...of)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      throw new StoreError(`${this.part}, ${of[0].name}: ${error.message}`, { cause: error })
    }
  }

  /** Versions up to 0.2.0 imported this character, which PostgreSQL cannot store. */
  #refuseNul({ name }: CopiedTable, columns: readonly CopiedColumn[], rows: readonly CopiedRow[]) {
    for (const row of rows) {
      const at = row.findIndex((value) => typeof value === 'string' && value.includes('\u0000'))
      if (at === -1) continue
      throw new StoreError(
        `${this.part}: ${columns[at]?.name} of row ${row[0]} of ${name} has the character ` +
          'U+0000, which PostgreSQL cannot store; replace it in the file',
      )
    }
  }
}
