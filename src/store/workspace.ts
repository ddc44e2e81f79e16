// The interface of a storage engine for reading workspaces. Each engine has its own folder;
// open-workspace.ts selects it by the address.
import type { AccountRow, CategoryRow, TransactionRow } from './columns.js'
import type { ControlStore } from './control-store.js'
import type { Work } from './work.js'

/** Location of a workspace; a plain value that can be sent to threads. */
export type WorkspaceAddress = SqliteAddress | PostgresAddress

/** A workspace in a SQLite file. */
export interface SqliteAddress {
  readonly engine: 'sqlite'
  readonly path: string
}

/** A workspace in a PostgreSQL database. */
export interface PostgresAddress {
  readonly engine: 'postgres'
  /** URL of the database, with its password. */
  readonly url: string
  /** The column `no` of the table `workspaces`. */
  readonly no: number
}

/** The location of a workspace for messages, without user and password. */
export function addressText(address: WorkspaceAddress): string {
  if (address.engine === 'sqlite') return address.path
  // A password may contain an @ too.
  const place = address.url.replace(/^(\w+:\/\/).*@/s, '$1')
  return `workspace ${address.no} of ${place}`
}

/** Identifies a state of a workspace: equal versions have equal rows. */
export interface WorkspaceVersion {
  /** Random text, assigned when the workspace was created. */
  readonly uid: string
  /** Number of the last change; grows with every inserted, updated or deleted row. */
  readonly sequence: number
  /** Random number of the last change; 0 in SQLite. */
  readonly mark: number
}

/**
 * An engine's evidence that all changes to the rows were logged. Callers only compare its texts.
 */
export interface Seal {
  /** Equal as long as changes are logged in the same way. */
  readonly schema: string
  /** Equal as long as nothing was written; empty = unknown. */
  readonly content: string
}

/** A seal without evidence that nothing else was written. */
export function unsealed({ schema }: Seal): Seal {
  return { schema, content: '' }
}

/** A version, and the seal of the workspace while it has that version. */
export interface SealedVersion {
  readonly version: WorkspaceVersion
  readonly seal: Seal
}

/** Why the log does not lead from a version to the present one. */
export type ReloadReason =
  | 'other_file'
  /** Rows were written without being logged, or the log is incomplete. */
  | 'unlogged'
  | 'too_many_changes'
  /** The tables or triggers were changed. */
  | 'schema'

/** Writes to the transactions of a workspace since a version. */
export type WrittenRows =
  | {
      readonly kind: 'written'
      /** The present version. */
      readonly version: WorkspaceVersion
      /** Transactions that were inserted, updated or deleted since, descending, each once. */
      readonly ids: Float64Array
      /** Those of them that still exist, in batches, ids descending. */
      readonly transactions: AsyncIterable<readonly TransactionRow[]>
    }
  | { readonly kind: 'lost'; readonly reason: ReloadReason }

/** Count of numbers per change in the result of {@link WorkspaceState.loggedChanges}. */
export const LOGGED_NUMBERS = 4

/** An immutable state of a workspace. Every method may throw StoreError. */
export interface WorkspaceState {
  version(): Promise<WorkspaceVersion>
  /** Its content is empty if the workspace was written continually meanwhile. */
  seal(): Promise<Seal>
  /** Ids ascending. */
  accounts(): Promise<AccountRow[]>
  /** Ids ascending. */
  categories(): Promise<CategoryRow[]>
  transactionCount(): Promise<number>
  /**
   * All transactions in batches, those with the largest or smallest ids first. No other method is
   * called within the loop; leaving it early may end the state.
   */
  transactions(order: 'newest' | 'oldest'): AsyncIterable<readonly TransactionRow[]>
  /** The transactions with these ids, as far as they exist. */
  transactionsOf(ids: readonly number[]): Promise<TransactionRow[]>
  /**
   * @param known an earlier version of this workspace
   * @param changesMax maximum number of changes to read
   */
  writtenSince(known: SealedVersion, changesMax: number): Promise<WrittenRows>
  /**
   * The logged changes of transactions after a sequence, in order, four numbers each: sequence, id,
   * and the account before and after the change; 0 = there was no such transaction.
   */
  loggedChanges(after: number): Promise<Float64Array>
  /**
   * Ids of the transactions that the newest changes up to a sequence have written, as far as the
   * change log reaches; descending, each once.
   * @param count maximum number of changes that are read
   */
  idsWritten(upTo: number, count: number): Promise<number[]>
}

/** Reads a workspace; for one caller at a time. */
export interface WorkspaceReader {
  /** Runs `use` on an immutable state. @throws StoreError, and any error of `use` */
  read<T>(use: (state: WorkspaceState) => Promise<T>): Promise<T>
  /** The fault that the engine's integrity check finds in the workspace, or undefined. */
  fault(): Promise<string | undefined>
  close(): void
}

/**
 * Change of a workspace since the last call: `changed` = its change sequence has grown; `unlogged`
 * = a commit seems to have changed it without growing the sequence, or its past may be another.
 */
export type WorkspaceChange = 'unchanged' | 'changed' | 'unlogged' | 'replaced' | 'gone'

/** Notices commits to a workspace, on the request thread: no method waits. */
export interface WorkspaceWatch {
  /** Number of the last change as of the last call of `poll`. */
  readonly sequence: number
  /** Whether reading the changes since a version finds out by itself that its past is another. */
  readonly hasMarks: boolean
  /** The change since the last call, or since the watch began. @throws StoreError */
  poll(): WorkspaceChange
  /**
   * Whether the workspace has not changed since it was read. `poll` may have reported a change
   * nevertheless, a commit between its last call and the read. @throws StoreError
   */
  isAt(read: SealedVersion): boolean
  /**
   * Completes {@link settleWorkspace}: the seal of the workspace then stays valid after the end of
   * the service. `poll` does not report it.
   * @returns false while another connection reads or writes
   * @throws StoreError
   */
  settle(): boolean
  close(): void
}

/** The workspaces of a service, by their ids. */
export interface WorkspaceCatalog {
  /** Ids of all workspaces, ascending. @throws StoreError */
  list(): Promise<string[]>
  /** Address of a workspace; undefined = there is none. @throws StoreError */
  find(workspaceId: string): Promise<WorkspaceAddress | undefined>
  /**
   * The uid of a workspace; undefined = there is none, null = its file cannot be read now.
   * @throws StoreError when no workspace can be read now
   */
  uidOf(workspaceId: string): Promise<string | null | undefined>
  /**
   * Whether a workspace with that uid exists, as part of work on control data. Only for decisions
   * that reveal no data themselves: for a file, the answer may be a second old, and true if the
   * file cannot be read. Readers of the data check again.
   * @param uid null = any
   */
  has(workspaceId: string, uid: string | null): Work<boolean>
  /** Address of a workspace, which is created if missing. @throws StoreError */
  make(workspaceId: string): Promise<WorkspaceAddress>
  /** Deletes a workspace with its rows; a missing one is no error. @throws StoreError */
  delete(workspaceId: string): Promise<void>
  /**
   * Deletes a workspace after work on control data that ends its credentials, so no caller can read
   * a workspace whose deletion has failed halfway. One transaction, if the engine allows.
   */
  deleteAfter<T>(
    workspaceId: string,
    control: Pick<ControlStore, 'alone'>,
    work: () => Work<T>,
  ): Promise<T>
}
