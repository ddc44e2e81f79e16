import type { ConfirmationOutcome } from '../domain/nodes.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from './control-store.js'
import type { DataDirectory } from './data-directory.js'
import type { WorkspaceCatalog } from './workspace.js'

/** The workspaces and the control data that a program works on. */
export interface Store {
  /** Location for messages, without user and password. */
  readonly place: string
  /** Holds caches and uploads; may be missing if the store is a database. */
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  /** The getter opens `control.db`, and creates it if missing. @throws StoreError */
  readonly control: ControlStore
  /** The time by which credentials expire: that of the machine, or of the database. */
  clock(): EpochMs
  /**
   * Waits until every node uses the present control data. Never rejects, because the change has
   * been committed.
   */
  confirmed(): Promise<ConfirmationOutcome>
  /** Closes files and connections after the running work. */
  close(): Promise<void>
}

/** Options for opening a store. */
export interface StoreOptions {
  readonly dataDir: string
  /** `postgres://…`; undefined = SQLite in the data directory. */
  readonly url: string | undefined
  /** Whether to create a missing data directory. */
  readonly makesDirectory?: boolean
  /** Version of the program, as `0.3.0`: migrations of the database depend on it. */
  readonly program: string
  readonly clock: () => EpochMs
}
