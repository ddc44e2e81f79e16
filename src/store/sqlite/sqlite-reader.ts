import type { AccountRow, CategoryRow, TransactionRow } from '../columns.js'
import type {
  Seal,
  SealedVersion,
  WorkspaceReader,
  WorkspaceState,
  WorkspaceVersion,
  WrittenRows,
} from '../workspace.js'
import { explained } from './database.js'
import { readStamped } from './file-stamp.js'
import { WorkspaceFile } from './workspace-file.js'
import type { WorkspaceQueries } from './workspace-queries.js'

/** Rows of a batch; larger batches mean fewer awaits. */
const BATCH_ROWS = 500

/** Reads one workspace file. */
export class SqliteReader implements WorkspaceReader {
  readonly #file: WorkspaceQueries

  /**
   * @param busyTimeoutMs how long to wait for a lock, which blocks the thread
   * @throws StoreError when the file is missing or cannot be read
   */
  constructor(path: string, busyTimeoutMs?: number) {
    this.#file = WorkspaceFile.openForReading(path, busyTimeoutMs)
  }

  async read<T>(use: (state: WorkspaceState) => Promise<T>): Promise<T> {
    try {
      return await readStamped(this.#file, (seal) => use(new SqliteState(this.#file, seal)))
    } catch (error) {
      throw explained(this.#file.path, error)
    }
  }

  async fault(): Promise<string | undefined> {
    return this.#file.fault()
  }

  /** See {@link WorkspaceQueries.checkpoint}. */
  checkpoint(): void {
    this.#file.checkpoint()
  }

  close(): void {
    this.#file.close()
  }
}

/** The state that the transaction of a connection sees. */
class SqliteState implements WorkspaceState {
  constructor(
    private readonly file: WorkspaceQueries,
    private readonly readSeal: Seal,
  ) {}

  async version(): Promise<WorkspaceVersion> {
    return this.file.version()
  }

  async seal(): Promise<Seal> {
    return this.readSeal
  }

  async accounts(): Promise<AccountRow[]> {
    return this.file.accounts()
  }

  async categories(): Promise<CategoryRow[]> {
    return this.file.categories()
  }

  async transactionCount(): Promise<number> {
    return this.file.transactionCount()
  }

  transactions(order: 'newest' | 'oldest'): AsyncIterable<readonly TransactionRow[]> {
    return batchesOf(() =>
      order === 'newest'
        ? this.file.transactionsNewestFirst()
        : this.file.transactionsOldestFirst(),
    )
  }

  async transactionsOf(ids: readonly number[]): Promise<TransactionRow[]> {
    return this.file.transactionsOf(ids)
  }

  async writtenSince({ version, seal }: SealedVersion, changesMax: number): Promise<WrittenRows> {
    // A write without triggers, followed by one with them, looks as if all changes were logged.
    if (seal.schema !== this.readSeal.schema) return { kind: 'lost', reason: 'schema' }
    const now = this.file.version()
    if (now.uid !== version.uid) return { kind: 'lost', reason: 'other_file' }
    if (now.sequence <= version.sequence) return { kind: 'lost', reason: 'unlogged' }
    if (now.sequence - version.sequence > changesMax) {
      return { kind: 'lost', reason: 'too_many_changes' }
    }
    const ids = this.file.changedIdsSince(version.sequence)
    if (ids === undefined) return { kind: 'lost', reason: 'unlogged' }
    const transactions = batchesOf(() => this.file.transactionsChangedSince(version.sequence))
    return { kind: 'written', version: now, ids, transactions }
  }

  async loggedChanges(after: number): Promise<Float64Array> {
    return this.file.loggedChanges(after)
  }

  async idsWritten(upTo: number, count: number): Promise<number[]> {
    return this.file.transactionIdsWritten(upTo, count)
  }
}

async function* batchesOf(
  open: () => IterableIterator<TransactionRow>,
): AsyncGenerator<readonly TransactionRow[]> {
  let batch: TransactionRow[] = []
  for (const row of open()) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
