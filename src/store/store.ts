import type { ConfirmationOutcome } from '../domain/nodes.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from './control-store.js'
import type { DataDirectory } from './data-directory.js'
import type { WorkspaceCatalog } from './workspace.js'

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
