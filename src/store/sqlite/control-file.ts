import { setTimeout as wait } from 'node:timers/promises'
import type { ControlStore } from '../control-store.js'
import type { Outcome, Statement, Work } from '../work.js'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explained, explainFaults, openDatabase } from './database.js'
import { runWork, type StepActions } from './run-work.js'
import type { Connection, PreparedStatement } from './sqlite-driver.js'
import { WalWatch } from './wal-watch.js'

/**
 * Page cache of a connection: the pages of a hundred thousand live tokens, whose hashes are
 * scattered; with SQLite's default a look-up takes half as long again.
 */
const CONTROL_CACHE_KIB = 64_000

/**
 * The longest wait of token requests for a checkpoint: on a stalling disk the WAL keeps growing
 * instead.
 */
const CONTROL_HOLD_MS_MAX = 500

const KEY_VERSION: Statement = { sql: 'SELECT version FROM key_version', values: {} }

/**
 * Kind of writer. A commit of a `command` is on the disk when it returns. A `service` commits while
 * requests wait: another thread fsyncs and checkpoints its WAL (checkpoint-scheduler.ts), so that a
 * power failure may lose the last moments.
 */
export type ControlUse = 'command' | 'service'

/**
 * `control.db`. Work is done when a call returns, and runs without a pause: promises are fulfilled
 * or rejected by then.
 */
export class ControlFile implements ControlStore {
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #begin: PreparedStatement
  readonly #commit: PreparedStatement
  readonly #dataVersion: PreparedStatement
  readonly #walWatch: WalWatch
  readonly #actions: StepActions
  /** Result of the last `PRAGMA data_version`. */
  #foreignVersion: unknown
  /** SQLite's data version covers only other connections. */
  #ownWrites = 0
  #held: Promise<void> | undefined
  #isWorking = false
  /** What the work under way has counted. */
  #counted: string[] = []
  readonly counts = new Map<string, number>()
  readonly noticesAtOnce = true
  /** {@link dataVersion} tells of all writes. */
  readonly renewalCount = 0

  private constructor(
    readonly path: string,
    private readonly connection: Connection,
    use: ControlUse,
  ) {
    if (use === 'service') connection.pragma('wal_autocheckpoint = 0')
    else connection.pragma('synchronous = FULL')
    connection.pragma(`cache_size = ${-CONTROL_CACHE_KIB}`)
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#commit = connection.prepare('COMMIT')
    this.#dataVersion = connection.prepare('PRAGMA data_version').pluck()
    this.#walWatch = new WalWatch(path)
    this.#actions = {
      execute: (statement) => this.#execute(statement),
      count: (name) => this.#counted.push(name),
    }
  }

  /** Opens for reading and writing; makes the file when it is missing. */
  static open(path: string, use: ControlUse = 'command'): ControlFile {
    return new ControlFile(path, openDatabase(path, CONTROL_MIGRATIONS), use)
  }

  close(): void {
    this.connection.close()
  }

  /**
   * Promise that token requests await during a checkpoint; undefined = none runs. Never rejects.
   */
  get held(): Promise<void> | undefined {
    return this.#held
  }

  /**
   * Holds token requests until `work` is over, but not longer than {@link CONTROL_HOLD_MS_MAX}.
   * Rejects as `work` does.
   */
  async holdWhile(work: Promise<unknown>): Promise<void> {
    const over = (): void => {
      this.#held = undefined
    }
    const isLong = wait(CONTROL_HOLD_MS_MAX, undefined, { ref: false })
    this.#held = Promise.race([work, isLong]).then(over, over)
    await work
  }

  /**
   * Changes with every commit to the file, those of this connection included. Costs less than a
   * microsecond after a call without commits, else three: a lock of the WAL, no row.
   */
  dataVersion(): string {
    if (this.#walWatch.mayHaveChanged()) this.#foreignVersion = this.#dataVersion.get()
    return `${this.#foreignVersion}.${this.#ownWrites}`
  }

  heardAgeMs(): number {
    return 0
  }

  get ownWriteCount(): number {
    return this.#ownWrites
  }

  keyVersion(): number {
    const [row] = this.#execute(KEY_VERSION).rows as { version: number }[]
    return row?.version ?? 0
  }

  look<T>(work: () => Work<T>): T {
    const result = this.#resultOf(work)
    this.#keepCounts()
    return result
  }

  /** The transaction is IMMEDIATE. */
  atomically<T>(work: () => Work<T>): Promise<T> {
    // Thrown, for work that begins other work does not await it.
    this.#refuseNesting()
    return this.#transactionOf(work)
  }

  async #transactionOf<T>(work: () => Work<T>): Promise<T> {
    explainFaults(this.path, () => this.#begin.run())
    try {
      const result = this.#resultOf(work)
      explainFaults(this.path, () => this.#commit.run())
      this.#keepCounts()
      return result
    } catch (error) {
      if (this.connection.inTransaction) {
        this.#ownWrites += 1
        explainFaults(this.path, () => this.connection.exec('ROLLBACK'))
      }
      throw error
    }
  }

  /** With SQLite's one writer at a time it is {@link atomically}. */
  alone<T>(work: () => Work<T>): Promise<T> {
    return this.atomically(work)
  }

  /** Work that begins other work, instead of containing it, would deadlock another engine. */
  #refuseNesting(): void {
    if (this.#isWorking) throw new Error('work contains other work by yield*, and begins none')
  }

  #resultOf<T>(work: () => Work<T>): T {
    this.#refuseNesting()
    this.#isWorking = true
    if (this.#counted.length > 0) this.#counted = []
    try {
      return runWork(work(), this.#actions)
    } finally {
      this.#isWorking = false
    }
  }

  #keepCounts(): void {
    for (const name of this.#counted) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    if (this.#counted.length > 0) this.#counted = []
  }

  #execute({ sql, values }: Statement): Outcome {
    try {
      const statement = this.#statements.get(sql) ?? this.#prepare(sql)
      if (!statement.readonly) this.#ownWrites += 1
      if (!statement.reader) return { rows: [], rowCount: statement.run(values).changes }
      const rows = statement.all(values)
      return { rows, rowCount: rows.length }
    } catch (error) {
      throw explained(this.path, error)
    }
  }

  #prepare(sql: string): PreparedStatement {
    const statement = this.connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
