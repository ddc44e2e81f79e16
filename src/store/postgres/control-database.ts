import { setTimeout as wait } from 'node:timers/promises'
import type { PoolClient, QueryConfig } from 'pg'
import type { ControlStore } from '../control-store.js'
import { LostCommitError, StoreError, StoreUnavailableError } from '../store-error.js'
import type { Outcome, SqlValues, Work, WorkStep } from '../work.js'
import type { ConnectionOptions } from './connect.js'
import { ConnectionPool } from './connection-pool.js'
import { explainFaults, isSerializationFailure } from './faults.js'
import { type NumberedText, numberParameters } from './numbered-parameters.js'
import type { Pulse } from './pulse.js'
import { runWork } from './run-work.js'

/** Each statement sees all earlier commits, which the result of a hold depends on. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Advisory lock of `alone`: the letters of "alone" in ASCII. */
const ALONE_LOCK = 0x61_6c_6f_6e_65

const BEGIN_ALONE = `${BEGIN}; SELECT pg_advisory_xact_lock(${ALONE_LOCK})`

/** Maximum number of attempts after conflicts with other transactions. */
const TRIES_MAX = 8

/** Maximum pause before the second attempt; before the third it is twice as long, and so on. */
const WAIT_MS_MAX = 10

const NOTHING: Outcome = { rows: [], rowCount: 0 }

/** A prepared statement: each connection parses it once. */
interface NamedText extends NumberedText {
  readonly key: string
  readonly isWrite: boolean
}

/** Effects of a unit of work so far; a write may still be rolled back. */
interface UnitState {
  readonly counted: string[]
  hasWritten: boolean
  /** Whether it has written data that are cached in memory. */
  hasChanged: boolean
  /** Whether it has renewed access. */
  hasRenewed: boolean
}

function newState(): UnitState {
  return { counted: [], hasWritten: false, hasChanged: false, hasRenewed: false }
}

/**
 * Statements that change no data cached in memory: attempts, refusals, audit log, last uses. A
 * service runs them continually.
 */
const NOTE =
  /^(INSERT INTO|DELETE FROM|UPDATE) (attempts|audit|refusals|\w{1,20} SET last_used_at)\b/

/**
 * Statements that grant access, replace a token by the next one, or remove what grants none: what
 * is cached of other tokens stays valid. The end of a family updates its grant as well.
 */
const RENEWAL = new RegExp(
  `^(${[
    'INSERT INTO (grants|codes|tokens|sessions)',
    'UPDATE (tokens|codes) SET used_at',
    'UPDATE grants (AS g )?SET expires_at',
    'DELETE FROM (grants|tokens|sessions)',
  ].join('|')})\\b`,
)

/** The versions of control data that a pulse has read. */
type VersionSource = Pick<Pulse, 'controlVersion' | 'keyVersion' | 'heardAgeMs'>

/** Without a pulse: the process notices only its own writes, and caches nothing. */
const SILENCE: VersionSource = {
  controlVersion: () => 0,
  keyVersion: () => 0,
  heardAgeMs: () => 0,
}

/** Options of control data. */
export interface ControlDatabaseOptions extends ConnectionOptions {
  /** Absent = writes of other processes are not noticed. */
  readonly heard?: VersionSource
}

/**
 * The schema `kontor_control`: credentials and their rights, by work of the row files of
 * `src/store/` (`api-key-rows.ts`, `grant-rows.ts`, …). Every method may reject with StoreError, or
 * StoreUnavailableError; with LostCommitError it is not known whether the work is done.
 */
export class ControlDatabase implements ControlStore {
  readonly #pool: ConnectionPool
  readonly #heard: VersionSource
  readonly #statements = new Map<string, NamedText>()
  readonly counts = new Map<string, number>()
  readonly noticesAtOnce = false
  readonly held = undefined
  #ownWrites = 0
  /** Number of own writes that may have changed access. */
  #ownChanges = 0
  #ownRenewals = 0
  #keyVersion = 0
  /** The last version of keys that the pulse has read. */
  #heardKeys = 0

  private constructor(pool: ConnectionPool, heard: VersionSource) {
    this.#pool = pool
    this.#heard = heard
  }

  /** Connects on demand. @throws StoreError for a malformed URL */
  static open(
    url: string,
    { heard = SILENCE, ...options }: ControlDatabaseOptions,
  ): ControlDatabase {
    return new ControlDatabase(ConnectionPool.of(url, options), heard)
  }

  /** Name of the database for messages, without user and password. */
  get place(): string {
    return this.#pool.place
  }

  /** Closes the connections after the running work. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Number of writes of this process, including those of unknown outcome. */
  get ownWriteCount(): number {
    return this.#ownWrites
  }

  get renewalCount(): number {
    return this.#ownRenewals
  }

  heardAgeMs(): number {
    return this.#heard.heardAgeMs()
  }

  dataVersion(): string {
    return `${this.#heard.controlVersion()}.${this.#ownChanges}`
  }

  /** Also grows after own writes in {@link alone}; no other work may change keys. */
  keyVersion(): number {
    const heard = this.#heard.keyVersion()
    // Not a sum: after a failover, the version of the pulse may be smaller than before.
    if (heard !== this.#heardKeys) this.#keyVersion += 1
    this.#heardKeys = heard
    return this.#keyVersion
  }

  /** Runs work without a transaction: each statement commits by itself, and ends its holds. */
  async look<T>(work: () => Work<T>): Promise<T> {
    const state = newState()
    try {
      const result = await this.#pool.withConnection((client) =>
        runWork(work(), (step) => this.#perform(client, step, state)),
      )
      this.#keepCounts(state)
      return result
    } finally {
      this.#keepWrites(state)
    }
  }

  /**
   * Runs work in one transaction, which is rolled back if it throws, and retried after a deadlock.
   * To keep changes when it refuses a caller, such as the end of a family whose token was used
   * twice, work therefore returns the refusal instead of throwing it.
   */
  atomically<T>(work: () => Work<T>): Promise<T> {
    return this.#transact(BEGIN, work)
  }

  /**
   * Runs work in one transaction, exclusive of all other `alone` work on any node: for changes of
   * keys, clients and operators. Requests for tokens continue meanwhile; they lock their family.
   */
  alone<T>(work: () => Work<T>): Promise<T> {
    return this.#transact(BEGIN_ALONE, work)
  }

  async #transact<T>(begin: string, work: () => Work<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const state = newState()
      try {
        const result = await this.#pool.withConnection((client) =>
          this.#tryOnce(client, begin, () =>
            runWork(work(), (step) => this.#perform(client, step, state)),
          ),
        )
        this.#keepCounts(state)
        return result
      } catch (error) {
        // After a rollback there is no write, and so no need to reread cached data.
        if (!(error instanceof LostCommitError)) Object.assign(state, newState())
        if (!isSerializationFailure(error)) throw error
        if (tries === TRIES_MAX) {
          const sentence = `${tries} conflicts with other transactions; try again later`
          throw new StoreError(`${this.place}: ${sentence}`, { cause: error, isBusy: true })
        }
      } finally {
        this.#keepWrites(state)
        // Without an await in between: readers of keys check dataVersion, then keyVersion.
        if (state.hasChanged && begin === BEGIN_ALONE) this.#keyVersion += 1
      }
      await wait(Math.random() * WAIT_MS_MAX * tries)
    }
  }

  async #tryOnce<T>(client: PoolClient, begin: string, use: () => Promise<T>): Promise<T> {
    try {
      await this.#query(client, { text: begin })
      const result = await use()
      await this.#commit(client)
      return result
    } catch (error) {
      // If the connection is lost, the server rolls back. Otherwise an error of ROLLBACK is thrown,
      // so that the connection is not reused.
      if (!(error instanceof StoreUnavailableError)) await this.#query(client, { text: 'ROLLBACK' })
      throw error
    }
  }

  async #commit(client: PoolClient): Promise<void> {
    let command: string
    try {
      command = (await explainFaults(this.place, () => client.query('COMMIT'))).command
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      throw new LostCommitError(this.place, { cause: error })
    }
    // PostgreSQL answers ROLLBACK if a statement of the transaction has failed.
    if (command !== 'COMMIT') throw new Error('work continued after an error of a statement')
  }

  async #perform(client: PoolClient, step: WorkStep, state: UnitState): Promise<Outcome> {
    if ('count' in step) {
      state.counted.push(step.count)
      return NOTHING
    }
    const sql = 'hold' in step ? step.hold : step.sql
    const { text, names, key, isWrite } = this.#statements.get(sql) ?? this.#prepare(sql)
    if (isWrite) state.hasWritten = true
    if (isWrite && RENEWAL.test(sql)) state.hasRenewed = true
    else if (isWrite && !NOTE.test(sql)) state.hasChanged = true
    const values = names.map((name) => givenValue(step.values, name))
    return this.#query(client, { name: key, text, values })
  }

  async #query(client: PoolClient, query: QueryConfig): Promise<Outcome> {
    const { rows, rowCount } = await explainFaults(this.place, () => client.query(query))
    return { rows, rowCount: rowCount ?? 0 }
  }

  #prepare(sql: string): NamedText {
    const key = `kontor_${this.#statements.size + 1}`
    const statement = { ...numberParameters(sql), key, isWrite: !/^\s*SELECT\b/.test(sql) }
    this.#statements.set(sql, statement)
    return statement
  }

  #keepWrites({ hasWritten, hasChanged, hasRenewed }: UnitState): void {
    if (hasWritten) this.#ownWrites += 1
    if (hasChanged) this.#ownChanges += 1
    if (hasRenewed) this.#ownRenewals += 1
  }

  #keepCounts({ counted }: UnitState): void {
    for (const name of counted) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }
}

/**
 * PostgreSQL refuses U+0000, which callers may send in place of an id: such a text is compared, and
 * kept, with the character that half a surrogate becomes.
 */
function givenValue(values: SqlValues, name: string): SqlValues[string] {
  const value = values[name]
  if (value === undefined) throw new Error(`the parameter @${name} of a statement has no value`)
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
}
