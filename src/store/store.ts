import type { EpochMs } from '../instant.js'
import type { ControlStore } from './control-store.js'
import type { DataDirectory } from './data-directory.js'
import type { WorkspaceCatalog } from './workspace.js'

/** A process that answers from a store, as it tells of itself. */
export interface NodeState {
  readonly id: string
  /** When it last told, by the clock of the store. */
  readonly heard: EpochMs
  /** How long ago that is, by the same clock. */
  readonly ageMs: number
  /** The version of control data that its memory has; 0 = it has just begun, or begun again. */
  readonly controlVersion: number
  /** The version that control data have. */
  readonly newestVersion: number
  /** Number of workspaces in its memory, and their bytes. */
  readonly residents: number
  readonly bytes: number
  /** Version of its program. */
  readonly program: string
}

/** A process that may still act upon what was true before a commit. */
export interface UnconfirmedNode {
  readonly id: string
  /** Until when, by the clock of the store. */
  readonly untilMs: EpochMs
  /** How long that is. */
  readonly leftMs: number
}

/** Whether all processes know of a commit to control data. */
export type ConfirmationOutcome =
  | { readonly kind: 'confirmed' }
  /** Some have not said so in time; their ids ascend. */
  | { readonly kind: 'unconfirmed'; readonly nodes: readonly UnconfirmedNode[] }
  /** The database could not be asked. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** The workspaces and the control data that a program works on. */
export interface Store {
  /** Where they are, for messages; without user and password. */
  readonly place: string
  /** Has caches and uploads; over another engine than SQLite it may be missing. */
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  /** `control.db` is opened, and made when it is missing, as this is read. @throws StoreError */
  readonly control: ControlStore
  /** The moment by the clock that credentials are judged by: the machine's, or the database's. */
  clock(): EpochMs
  /**
   * Waits until no process acts upon older control data than those of now. Never rejects: what was
   * committed is committed.
   */
  confirmed(): Promise<ConfirmationOutcome>
  /** Closes files and connections, once the work under way is over. */
  close(): Promise<void>
}

/** The processes that answer from one store. */
export interface StoreNodes {
  /** By their ids. Rejects with StoreError. */
  list(): Promise<readonly NodeState[]>
  /** See {@link Store.confirmed}. */
  confirmed(): Promise<ConfirmationOutcome>
}

/** How a store is opened. */
export interface StoreOptions {
  readonly dataDir: string
  /** `postgres://…`; undefined = SQLite in the data directory. */
  readonly url: string | undefined
  /** Whether a missing data directory is made. */
  readonly makesDirectory?: boolean
  /** Version of the program, as `0.3.0`: migrations of the database depend on it. */
  readonly program: string
  readonly clock: () => EpochMs
}
