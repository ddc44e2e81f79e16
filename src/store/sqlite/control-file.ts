import { setTimeout as wait } from 'node:timers/promises'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabase } from './database.js'
import type { Connection, RunResult, Statement } from './sqlite-driver.js'
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

/** Arguments of a statement: values in the order of its `?`, or one object of its `@names`. */
type SqlValues = readonly (string | number | Buffer | null | object)[]

/**
 * Kind of writer. A commit of a `command` is on the disk when it returns. A `service` commits while
 * requests wait: another thread fsyncs and checkpoints its WAL (checkpoint-scheduler.ts), so that a
 * power failure may lose the last moments.
 */
export type ControlUse = 'command' | 'service'

/**
 * `control.db`: credentials and their rights. The rows of each kind have a file of their own next
 * to this one (`api-key-rows.ts`, `grant-rows.ts`, …). Every method may throw StoreError.
 */
export class ControlFile {
  readonly #statements = new Map<string, Statement>()
  readonly #dataVersion: Statement
  readonly #walWatch: WalWatch
  /** Result of the last `PRAGMA data_version`. */
  #foreignVersion: unknown
  /** SQLite's data version covers only other connections. */
  #ownWrites = 0
  #held: Promise<void> | undefined
  /** Refusals that were recorded through this connection, by action of the audit log. */
  readonly refusalCounts = new Map<string, number>()

  private constructor(
    readonly path: string,
    private readonly connection: Connection,
    use: ControlUse,
  ) {
    if (use === 'service') connection.pragma('wal_autocheckpoint = 0')
    else connection.pragma('synchronous = FULL')
    connection.pragma(`cache_size = ${-CONTROL_CACHE_KIB}`)
    this.#dataVersion = connection.prepare('PRAGMA data_version').pluck()
    this.#walWatch = new WalWatch(path)
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

  /** Grows with each write of this connection; costs nothing. */
  get ownWriteCount(): number {
    return this.#ownWrites
  }

  /**
   * Grows with every change of an API key, an MCP key or an integration, except of their last use.
   */
  keyVersion(): number {
    const row = this.first<{ version: number }>('SELECT version FROM key_version')
    return row?.version ?? 0
  }

  /**
   * Runs `work` in one IMMEDIATE transaction, which is rolled back when it throws. Inside another
   * transaction, it is a part of that. Changes that must survive the refusal of a caller, such as
   * the end of a family whose token was used twice, are therefore returned and not thrown.
   * Synchronous: `work` awaits nothing.
   */
  atomically<T>(work: () => T): T {
    if (this.connection.inTransaction) return work()
    this.#execute('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#execute('COMMIT')
      return result
    } catch (error) {
      if (this.connection.inTransaction) this.run('ROLLBACK')
      throw error
    }
  }

  /** All rows that a SELECT finds. For the row files of this folder. */
  all<Row>(sql: string, ...values: SqlValues): Row[] {
    return explainFaults(this.path, () => this.#prepared(sql).all(...values) as Row[])
  }

  /** The first row, or undefined. For the row files of this folder. */
  first<Row>(sql: string, ...values: SqlValues): Row | undefined {
    return explainFaults(this.path, () => this.#prepared(sql).get(...values) as Row | undefined)
  }

  /** Writes. For the row files of this folder. */
  run(sql: string, ...values: SqlValues): RunResult {
    this.#ownWrites += 1
    return this.#execute(sql, ...values)
  }

  #execute(sql: string, ...values: SqlValues): RunResult {
    return explainFaults(this.path, () => this.#prepared(sql).run(...values))
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
