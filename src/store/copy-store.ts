// Copies all that one store holds into an empty one, of any engine: ids, uids, identities,
// sequences and hashes stay, so that keys, tokens and cursors work on.
import { StoreError } from './store-error.js'

/** A value of a column. */
type CopiedValue = string | number | Buffer | null

/** Values in the order of the columns asked for. */
export type CopiedRow = readonly CopiedValue[]

/** A column that both engines have. */
export interface CopiedColumn {
  readonly name: string
  readonly kind: 'integer' | 'text' | 'bytes'
}

/** The columns, as both engines write them. */
export function listOf(columns: readonly CopiedColumn[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

/** A table that both engines have. */
export interface CopiedTable {
  readonly name: string
  /** Columns that give the same order every time; `rowid` = that of insertion. */
  readonly order: string
  /** Rows refer to later rows of the table: all are written at once. */
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

/** The change log of a workspace: filling the others has written to it. */
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

/** Tables of control data whose ids are counted, and the column: an id is never given twice. */
export const COUNTED_COPIED: readonly (readonly [table: string, column: string])[] = [
  ['api_keys', 'id'],
  ['mcp_keys', 'id'],
  ['operators', 'id'],
  ['grants', 'id'],
  ['audit', 'sequence'],
]

/** What a workspace has besides its tables. */
export interface CopiedHead {
  readonly uid: string
  readonly createdAt: number
  readonly earlierRowsLast: number
}

/** One unchanging state of some tables. Every method may reject with StoreError. */
export interface CopiedState {
  columnsOf(table: CopiedTable): Promise<readonly CopiedColumn[]>
  /** In batches; of a table that is written at once, one. No other method is called meanwhile. */
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

/** Tables that are being filled. Every method may reject with StoreError. */
export interface CopyWriter {
  columnsOf(table: CopiedTable): Promise<readonly CopiedColumn[]>
  insert(
    table: CopiedTable,
    columns: readonly CopiedColumn[],
    rows: readonly CopiedRow[],
  ): Promise<void>
  /** Removes the rows of a table that the engine has written by itself. */
  clear(table: CopiedTable): Promise<void>
}

/** An empty store that is filled. Every method may reject with StoreError. */
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
  /** Keeps what was written. */
  keep(): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
  close(): Promise<void>
}

/** Number of rows that were copied of a workspace. */
export interface CopiedWorkspace {
  readonly workspaceId: string
  readonly accounts: number
  readonly transactions: number
}

/**
 * Copies a store. Control data come last: until then no credential opens a workspace of the copy.
 * @param onRows receives the number of rows written so far, and what they are of
 * @throws StoreError; the target is empty again then
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
    /** What the tables are of, for messages. */
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

  /** Versions before 0.3 imported this character, which PostgreSQL cannot keep. */
  #refuseNul({ name }: CopiedTable, columns: readonly CopiedColumn[], rows: readonly CopiedRow[]) {
    for (const row of rows) {
      const at = row.findIndex((value) => typeof value === 'string' && value.includes('\u0000'))
      if (at === -1) continue
      throw new StoreError(
        `${this.part}: ${columns[at]?.name} of the row of ${name} that begins with ${row[0]} has ` +
          'the character U+0000, which PostgreSQL cannot keep; replace it in the file',
      )
    }
  }
}
