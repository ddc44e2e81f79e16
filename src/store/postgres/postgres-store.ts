import type { ConfirmationOutcome } from '../../domain/nodes.js'
import type { EpochMs } from '../../instant.js'
import { type DataDirectory, dataDirectoryAt } from '../data-directory.js'
import type { Store, StoreOptions } from '../store.js'
import { StoreError } from '../store-error.js'
import type { WorkspaceCatalog } from '../workspace.js'
import { clockOffset } from './clock-offset.js'
import { awaitConfirmations } from './confirmations.js'
import { PostgresConnection } from './connect.js'
import { ControlDatabase } from './control-database.js'
import { adviceOf } from './faults.js'
import { migrate } from './migrations.js'
import { PostgresCatalog } from './postgres-catalog.js'

const OPTIONS = { applicationName: 'kontor' } as const

/** A PostgreSQL database with the schemas `kontor` and `kontor_control`. */
export class PostgresStore implements Store {
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  readonly clock: () => EpochMs
  private readonly url: string

  private constructor(
    readonly control: ControlDatabase,
    { url, dataDir, clock }: Pick<StoreOptions, 'dataDir' | 'clock'> & { readonly url: string },
    offsetMs: number,
  ) {
    this.url = url
    this.directory = dataDirectoryAt(dataDir)
    this.catalog = new PostgresCatalog(control, url)
    this.clock = () => clock() + offsetMs
  }

  /**
   * Migrates the database, and reads its clock once.
   * @throws StoreError with the remedy
   */
  static async open(
    url: string,
    options: Pick<StoreOptions, 'dataDir' | 'program' | 'clock'>,
  ): Promise<PostgresStore> {
    const offsetMs = await prepareDatabase(url, options.program)
    return new PostgresStore(ControlDatabase.open(url, OPTIONS), { ...options, url }, offsetMs)
  }

  get place(): string {
    return this.control.place
  }

  /** Confirmed at once if the command has written nothing. */
  async confirmed(): Promise<ConfirmationOutcome> {
    if (this.control.ownWriteCount === 0) return { kind: 'confirmed' }
    return awaitConfirmations({ url: this.url })
  }

  close(): Promise<void> {
    return this.control.close()
  }
}

/**
 * Migrates the schema of a database.
 * @param program its version, as `0.3.0`
 * @returns how far the database's clock is ahead of this machine's, in ms
 * @throws StoreError with the remedy
 */
export async function prepareDatabase(url: string, program: string): Promise<number> {
  try {
    const connection = await PostgresConnection.open(url, OPTIONS)
    try {
      await migrate(connection, program)
      return await clockOffset(connection)
    } finally {
      await connection.close()
    }
  } catch (error) {
    const advice = adviceOf(error)
    if (!(error instanceof StoreError) || advice === undefined) throw error
    throw new StoreError(`${error.message}; ${advice}`, { cause: error })
  }
}
