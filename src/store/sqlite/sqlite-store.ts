import type { ConfirmationOutcome } from '../../domain/nodes.js'
import type { EpochMs } from '../../instant.js'
import type { ControlStore } from '../control-store.js'
import { type DataDirectory, makeDataDirectory, openDataDirectory } from '../data-directory.js'
import type { Store, StoreOptions } from '../store.js'
import type { WorkspaceCatalog } from '../workspace.js'
import { ControlFile } from './control-file.js'
import { SqliteCatalog } from './sqlite-catalog.js'

/** The SQLite files of a data directory. */
export class SqliteStore implements Store {
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  readonly #clock: () => EpochMs
  #control: ControlFile | undefined

  /** @throws StoreError when the directory is missing, or cannot be used */
  constructor({ dataDir, makesDirectory = false, clock }: Omit<StoreOptions, 'url' | 'program'>) {
    this.directory = makesDirectory ? makeDataDirectory(dataDir) : openDataDirectory(dataDir)
    this.catalog = new SqliteCatalog(this.directory)
    this.#clock = clock
  }

  get place(): string {
    return this.directory.path
  }

  get control(): ControlStore {
    this.#control ??= ControlFile.open(this.directory.controlPath)
    return this.#control
  }

  clock(): EpochMs {
    return this.#clock()
  }

  /** Always confirmed: a service checks for commits before each request. */
  async confirmed(): Promise<ConfirmationOutcome> {
    return { kind: 'confirmed' }
  }

  async close(): Promise<void> {
    this.#control?.close()
  }
}
