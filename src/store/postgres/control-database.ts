import { setTimeout as wait } from 'node:timers/promises'
import type { PoolClient, QueryConfig } from 'pg'
import type { ControlStore } from '../control-store.js'
import { LostCommitError, StoreAwayError, StoreError } from '../store-error.js'
import type { Outcome, SqlValues, Work, WorkStep } from '../work.js'
import type { ConnectionOptions } from './connect.js'
import { explainFaults, isInTheWay } from './faults.js'
import { type NumberedText, numberParameters } from './numbered-parameters.js'
import type { Pulse } from './pulse.js'
import { runWork } from './run-work.js'
import { SpareConnections } from './spare-connections.js'

/** Statements see what is committed when they begin, which a hold depends on. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Held by a transaction that is to be alone: the letters of "alone" in ASCII. */
const ALONE_LOCK = 0x61_6c_6f_6e_65

const BEGIN_ALONE = `${BEGIN}; SELECT pg_advisory_xact_lock(${ALONE_LOCK})`

/** How often work is begun when other transactions are in its way. */
const TRIES_MAX = 8

/** The longest wait before the second try; before the third it is twice as long, and so on. */
const WAIT_MS_MAX = 10

const NOTHING: Outcome = { rows: [], rowCount: 0 }

/** A statement that each connection parses once. */
interface NamedText extends NumberedText {
  readonly key: string
  readonly isWrite: boolean
}

/** What a unit of work has done so far; a write may be rolled back later. */
interface UnitState {
  readonly counted: string[]
  hasWritten: boolean
  /** Whether it has written what memory keeps. */
  hasChanged: boolean
  /** Whether it has renewed access. */
  hasRenewed: boolean
}

function newState(): UnitState {
  return { counted: [], hasWritten: false, hasChanged: false, hasRenewed: false }
}

/**
 * Statements that change nothing of what memory keeps: what callers are refused for, and when a key
 * was used. A service writes them all the time.
 */
const NOTE = /^\s*(INSERT INTO|DELETE FROM|UPDATE) (attempts|audit|refusals|\w+ SET last_used_at)\b/

/**
 * Statements that give access, replace a token by the next one, or remove what gives none: all that
 * is known of other tokens stays right. What ends a family updates its grant as well.
 */
const RENEWAL = new RegExp(
  `^\\s*(${[
    'INSERT INTO (grants|codes|tokens|sessions)',
    'UPDATE (tokens|codes) SET used_at',
    'UPDATE grants (AS g )?SET expires_at',
    'DELETE FROM (grants|tokens|sessions)',
  ].join('|')})\\b`,
)

/** What a pulse has heard of control data. */
type VersionSource = Pick<Pulse, 'controlVersion' | 'keyVersion' | 'heardAgeMs'>

/** Nothing is heard: the process knows only what it has written, and keeps nothing in memory. */
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
 * StoreAwayError; with LostCommitError it is not known whether the work is done.
 */
export class ControlDatabase implements ControlStore {
  readonly #connections: SpareConnections
  readonly #heard: VersionSource
  readonly #statements = new Map<string, NamedText>()
  readonly counts = new Map<string, number>()
  readonly noticesAtOnce = false
  readonly held = undefined
  #ownWrites = 0
  /** Those of them after which access may be another. */
  #ownChanges = 0
  #ownRenewals = 0
  #keyVersion = 0
  /** The version of keys that was last heard of. */
  #heardKeys = 0

  private constructor(connections: SpareConnections, heard: VersionSource) {
    this.#connections = connections
    this.#heard = heard
  }

  /** Connects only when work needs it. @throws StoreError that says what is wrong with the URL */
  static open(
    url: string,
    { heard = SILENCE, ...options }: ControlDatabaseOptions,
  ): ControlDatabase {
    return new ControlDatabase(SpareConnections.of(url, options), heard)
  }

  /** Name of the database for messages, without user and password. */
  get place(): string {
    return this.#connections.place
  }

  /** Ends the connections once the work under way is over. */
  close(): Promise<void> {
    return this.#connections.close()
  }

  /** Of this process: a write whose outcome is not known counts too. */
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

  /** Grows after writes by {@link alone}, too: only they may touch keys. */
  keyVersion(): number {
    const heard = this.#heard.keyVersion()
    // Not a sum: after a failover to another server the heard version may be a smaller one.
    if (heard !== this.#heardKeys) this.#keyVersion += 1
    this.#heardKeys = heard
    return this.#keyVersion
  }

  /** Runs work outside a transaction: each statement is for itself, and what it holds, too. */
  async look<T>(work: () => Work<T>): Promise<T> {
    const state = newState()
    try {
      const result = await this.#connections.lend((client) =>
        runWork(work(), (step) => this.#perform(client, step, state)),
      )
      this.#keepCounts(state)
      return result
    } finally {
      this.#keepWrites(state)
    }
  }

  /**
   * Runs work in one transaction, which is rolled back when it throws. It is begun anew after a
   * deadlock. Changes that must survive the refusal of a caller, such as the end of a family whose
   * token was used twice, are therefore returned and not thrown.
   */
  atomically<T>(work: () => Work<T>): Promise<T> {
    return this.#transact(BEGIN, work)
  }

  /**
   * The same as if no other work of this kind ran meanwhile, on any node, for what people do: keys,
   * clients, operators. Tokens go on, and hold their family.
   */
  alone<T>(work: () => Work<T>): Promise<T> {
    return this.#transact(BEGIN_ALONE, work)
  }

  async #transact<T>(begin: string, work: () => Work<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const state = newState()
      try {
        const result = await this.#connections.lend((client) =>
          this.#tryOnce(client, begin, () =>
            runWork(work(), (step) => this.#perform(client, step, state)),
          ),
        )
        this.#keepCounts(state)
        return result
      } catch (error) {
        // What was rolled back was not written: memory need not be looked up again.
        if (!(error instanceof LostCommitError)) Object.assign(state, newState())
        if (!isInTheWay(error)) throw error
        if (tries === TRIES_MAX) {
          const sentence = `other transactions were in the way ${tries} times; try again later`
          throw new StoreError(`${this.place}: ${sentence}`, { cause: error, isBusy: true })
        }
      } finally {
        this.#keepWrites(state)
        // In the same moment: what rereads keys asks for their version after that of all data.
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
      // The server rolls back when it finds the connection gone. On another one this rejects when
      // that is not sure, so that the connection is not used again.
      if (!(error instanceof StoreAwayError)) await this.#query(client, { text: 'ROLLBACK' })
      throw error
    }
  }

  async #commit(client: PoolClient): Promise<void> {
    let command: string
    try {
      command = (await explainFaults(this.place, () => client.query('COMMIT'))).command
    } catch (error) {
      if (!(error instanceof StoreAwayError)) throw error
      throw new LostCommitError(this.place, { cause: error })
    }
    // PostgreSQL's answer after a statement that has failed.
    if (command !== 'COMMIT') throw new Error('work does not go on after an error of a statement')
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
