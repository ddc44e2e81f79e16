import { setTimeout as wait } from 'node:timers/promises'
import { CONTROL_CACHE_KIB, CONTROL_HOLD_MS_MAX } from '../credential-limits.js'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabase } from './database.js'
import type { Connection, RunResult, Statement } from './sqlite-driver.js'

/** What a statement is given: values in the order of its `?`, or one object of its `@names`. */
type SqlValues = readonly (string | number | Buffer | null | object)[]

/**
 * Who writes. What a `command` has committed is on the disk when it says so. A `service` commits
 * while requests wait: its log reaches the disk, and the file, by somebody beside it
 * (checkpoint-scheduler.ts), so that a power cut may take the last moments.
 */
export type ControlUse = 'command' | 'service'

/**
 * `control.db`: who may read what. The rows of each kind have a file of their own beside this one
 * (`api-key-rows.ts`, `grant-rows.ts`, …). Every method may throw StoreError.
 */
export class ControlFile {
  readonly #statements = new Map<string, Statement>()
  readonly #dataVersion: Statement
  /** SQLite's data version only tells of other connections. */
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
  }

  /** Opens for reading and writing; makes the file when it is missing. */
  static open(path: string, use: ControlUse = 'command'): ControlFile {
    return new ControlFile(path, openDatabase(path, CONTROL_MIGRATIONS), use)
  }

  close(): void {
    this.connection.close()
  }

  /** What whoever asks for tokens waits for; undefined = nothing. Never rejects. */
  get held(): Promise<void> | undefined {
    return this.#held
  }

  /**
   * Holds those who ask for tokens until `work` is over, but not longer than
   * {@link CONTROL_HOLD_MS_MAX}. Rejects as `work` does.
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
   * Differs from the last call's whenever anybody has committed to the file since, this connection
   * included. Costs about two microseconds: a lock of the write-ahead log, no row.
   */
  dataVersion(): string {
    return `${this.#dataVersion.get()}.${this.#ownWrites}`
  }

  /** Grows with each write of this connection; costs nothing. */
  get ownWriteCount(): number {
    return this.#ownWrites
  }

  /** Grows whenever an API key, an MCP key or an integration is changed, their use aside. */
  keyVersion(): number {
    const row = this.first<{ version: number }>('SELECT version FROM key_version')
    return row?.version ?? 0
  }

  /**
   * Runs `work` in one IMMEDIATE transaction: all of it is kept, or, when it throws, nothing.
   * Within another one it is a part of that. What is to be kept although a caller is refused, such
   * as the end of a family whose token was used twice, is therefore returned and not thrown.
   * Synchronous: `work` waits for nothing.
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
