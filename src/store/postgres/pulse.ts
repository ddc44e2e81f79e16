import { messageOf } from '../../errors.js'
import type { EpochMs } from '../../instant.js'
import { TimeHistogram } from '../../time-histogram.js'
import { StoreError, StoreUnavailableError } from '../store-error.js'
import type { WorkspaceVersion, WorkspaceWatch } from '../workspace.js'
import { PostgresConnection } from './connect.js'
import { DatabaseTime } from './database-time.js'
import { askState, type HeardState, queryInTime } from './heads.js'
import { NodePresence, type ReportedNode } from './node-presence.js'
import { PostgresWatch } from './postgres-watch.js'

/** Interval of the polls, and shortest interval of attempts to reconnect. */
const INTERVAL_MS = 500

/** Time limit of a statement, which the server enforces. */
const STATEMENT_MS_MAX = 1_000

/** Grace period after that limit, until the node gives up a statement without an answer. */
const LATE_MS_MAX = 500

/** Shortest pause before a round that a notification causes. */
const REST_MS_MIN = 20

/**
 * The same after a commit to a workspace, as a multiple of the duration of the last round:
 * continual writers occupy a twelfth of the time of a connection.
 */
const REST_FACTOR = 10

/** Channels that the triggers notify: with the number of a workspace; for control data. */
const WORKSPACE_CHANNEL = 'kontor'
const CONTROL_CHANNEL = 'kontor_control'

/** The versions of control data that the last round has read (`kontor_control.versions`). */
export interface HeardVersions {
  /**
   * Versions of two eras are not comparable. Each connection begins a new era, unless it reports
   * the version that is already known.
   */
  readonly era: number
  readonly control: number
  readonly mark: number
  readonly keys: number
  readonly keysRemoved: number
}

/** The database of a pulse, its node, and its callbacks. */
export interface PulseOptions {
  /** The database. */
  readonly url: string
  /** The node whose heartbeat is written; absent = no heartbeat, and no lease that may expire. */
  readonly node?: ReportedNode
  /**
   * Updates memory to this version of control data or a later one; the node confirms it afterwards.
   * Called for one version at a time, and again after a failure. Absent = memory checks the version
   * before each use.
   */
  readonly adopt?: (versions: HeardVersions) => void | Promise<void>
  /** Receives each new fault of the rounds, for the log; undefined = the fault is over. */
  readonly onFault?: (fault: string | undefined) => void
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** Absent = every 500 ms. */
  readonly intervalMs?: number
  /** Absent = a second. */
  readonly statementMsMax?: number
  /** Whether to LISTEN; absent = yes. */
  readonly listens?: boolean
}

/** A watched workspace. */
interface Watched {
  watchCount: number
  isHeard: boolean
  head: WorkspaceVersion | undefined
  serverCount: number
}

function newWatched(): Watched {
  return { watchCount: 0, isHeard: false, head: undefined, serverCount: 0 }
}

/**
 * Polls a database over one connection for the versions of watched workspaces and of control data,
 * and writes the heartbeat of its node. It polls every 500 ms, and after notifications, which are
 * optional (docs/internals/postgres-nodes.md). Only `watch` may reject.
 */
export class Pulse {
  /** Durations of the rounds, failed ones included. */
  readonly took = new TimeHistogram()
  readonly #time: DatabaseTime
  readonly #presence: NodePresence | undefined
  readonly #watched = new Map<number, Watched>()
  readonly #statementMsMax: number
  #connection: PostgresConnection | undefined
  #openedMs = Number.NEGATIVE_INFINITY
  #connectionCount = 0
  #era = 0
  /** Whether a round of this connection has read the versions. */
  #hasTold = false
  /** The server of the connection. */
  #server: string | undefined
  /** The last one that was heard, of any connection. */
  #heardServer: string | undefined
  #heardMs = Number.NEGATIVE_INFINITY
  #versions: HeardVersions | undefined
  #controlCount = 0
  #keyCount = 0
  #adopted: HeardVersions | undefined
  #isAdopting = false
  #notificationCount = 0
  #listenFault: string | undefined
  #adoptFault: string | undefined
  #fault: string | undefined
  #error: unknown
  #timer: NodeJS.Timeout | undefined
  #dueMs = Number.POSITIVE_INFINITY
  #endedMs = Number.NEGATIVE_INFINITY
  #tookMs = 0
  #round: Promise<void> | undefined
  #waiting: (() => void)[] = []
  #isClosed = false

  /** Starts polling. The timer does not keep the process running. */
  constructor(private readonly options: PulseOptions) {
    const { clock, node, statementMsMax = STATEMENT_MS_MAX } = options
    this.#statementMsMax = statementMsMax
    this.#time = new DatabaseTime(clock)
    if (node !== undefined) this.#presence = new NodePresence(node, clock, this.#answerMsMax)
    this.#wake(0)
  }

  /**
   * Maximum age of the known state of the database; Infinity before the first round. A new version
   * of control data counts as known once memory has adopted it.
   */
  heardAgeMs(): number {
    return this.options.clock() - this.#heardMs
  }

  /**
   * The database's time, which never decreases.
   * @throws StoreUnavailableError before the first round
   */
  now(): EpochMs {
    return this.#time.now()
  }

  /** The newest versions of control data; undefined before the first round. */
  get versions(): HeardVersions | undefined {
    return this.#versions
  }

  /** Grows with each new version of control data, and with each era. */
  controlVersion(): number {
    return this.#controlCount
  }

  /** Grows with each noticed change of a key or an integration, and with each era. */
  keyVersion(): number {
    return this.#keyCount
  }

  /** The fault of the last round, as a sentence; undefined = none. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Why LISTEN has failed, so that the node only polls; undefined = it has not. */
  get listenFault(): string | undefined {
    return this.#listenFault
  }

  /** Notifications since the start, including those about unwatched workspaces. */
  get notificationCount(): number {
    return this.#notificationCount
  }

  /** Number of connections opened since the start. */
  get connectionCount(): number {
    return this.#connectionCount
  }

  /** Number of workspaces that are watched. */
  get watchedCount(): number {
    return this.#watched.size
  }

  /**
   * Watches a workspace; waits for a round that reads its version.
   * @throws StoreError when there is no such workspace, StoreUnavailableError when the database is
   * unreachable
   */
  async watch(no: number): Promise<WorkspaceWatch> {
    const watched = this.#watched.get(no) ?? newWatched()
    this.#watched.set(no, watched)
    watched.watchCount += 1
    const forget = (): void => {
      watched.watchCount -= 1
      if (watched.watchCount === 0) this.#watched.delete(no)
    }
    if (!watched.isHeard) await this.beat()
    if (watched.head !== undefined) return new PostgresWatch(watched, watched.head, forget)
    forget()
    if (watched.isHeard) throw new StoreError(`there is no workspace with the number ${no}`)
    const sentence = 'the database has not answered'
    throw new StoreUnavailableError(this.#fault ?? sentence, { cause: this.#error })
  }

  /** Waits for the end of a round that begins after this call, successful or not. */
  async beat(): Promise<void> {
    if (this.#isClosed) return
    const over = new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#wake(0)
    await over
  }

  /**
   * Ends the connection and removes the row of the node, so that commands no longer wait for it. To
   * be called once the node no longer answers requests.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#round
    for (const resolve of this.#waiting.splice(0)) resolve()
    const connection = this.#connection
    if (connection === undefined) return
    try {
      await this.#presence?.remove(connection)
    } catch (error) {
      // Commands then wait until the lease expires, as for a killed process.
      this.#report(messageOf(error))
    }
    this.#drop()
  }

  /** Time after which the node gives up a statement. */
  get #answerMsMax(): number {
    return this.#statementMsMax + LATE_MS_MAX
  }

  /** Schedules a round in so many milliseconds, unless an earlier one is scheduled. */
  #wake(delayMs: number): void {
    const nowMs = this.options.clock()
    this.#dueMs = Math.min(this.#dueMs, nowMs + delayMs)
    if (this.#round !== undefined || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#begin(), Math.max(this.#dueMs - nowMs, 0))
    // A caller that waits for a round keeps the process running.
    if (this.#waiting.length === 0) this.#timer.unref()
  }

  #begin(): void {
    this.#dueMs = Number.POSITIVE_INFINITY
    this.#round = this.#run()
  }

  async #run(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    const { clock, intervalMs = INTERVAL_MS } = this.options
    const startedMs = clock()
    await this.#tryRound(startedMs)
    this.#endedMs = clock()
    this.#tookMs = this.#endedMs - startedMs
    this.took.add(this.#tookMs)
    this.#round = undefined
    this.#wake(intervalMs - this.#tookMs)
    for (const resolve of waiting) resolve()
  }

  async #tryRound(startedMs: number): Promise<void> {
    try {
      const connection = await this.#connected(startedMs)
      await this.#presence?.keep(connection, this.#confirmedVersion)
      const nos = [...this.#watched.keys()]
      const askedMs = this.options.clock()
      const state = await askState(connection, nos, this.#answerMsMax)
      this.#time.note({
        askedMs,
        answeredMs: this.options.clock(),
        databaseMs: state.databaseMs,
      })
      this.#take(state, nos, askedMs)
      this.#error = undefined
      this.#report(this.#presence?.fault ?? this.#adoptFault)
    } catch (error) {
      this.#drop()
      this.#error = error
      this.#report(messageOf(error))
    }
  }

  /** The version of this era that memory has adopted; 0 = none yet. */
  get #confirmedVersion(): number {
    return this.#hasTold && this.#adopted?.era === this.#era ? this.#adopted.control : 0
  }

  async #connected(startedMs: number): Promise<PostgresConnection> {
    if (this.#connection !== undefined) return this.#connection
    const { url, intervalMs = INTERVAL_MS } = this.options
    if (startedMs - this.#openedMs < intervalMs) {
      throw this.#error ?? new StoreUnavailableError('the connection to the database is lost')
    }
    this.#openedMs = startedMs
    const connection = await PostgresConnection.open(url, {
      applicationName: 'kontor pulse',
      statementMsMax: this.#statementMsMax,
    })
    this.#connection = connection
    this.#connectionCount += 1
    this.#hasTold = false
    this.#server = undefined
    this.#presence?.begin()
    connection.client.once('end', () => {
      if (this.#connection === connection) this.#connection = undefined
    })
    await this.#listen(connection)
    return connection
  }

  /** Called before the first poll, so that every later commit notifies. */
  async #listen(connection: PostgresConnection): Promise<void> {
    if (this.options.listens === false) return
    connection.client.on('notification', ({ channel, payload }) => {
      this.#answerNotification(channel, payload ?? '')
    })
    try {
      const text = `LISTEN ${WORKSPACE_CHANNEL}; LISTEN ${CONTROL_CHANNEL}`
      await queryInTime(connection, { text, msMax: this.#answerMsMax })
      this.#listenFault = undefined
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      this.#listenFault = messageOf(error)
    }
  }

  #answerNotification(channel: string, payload: string): void {
    this.#notificationCount += 1
    const isOfWorkspace = channel === WORKSPACE_CHANNEL
    if (isOfWorkspace && !this.#watched.has(Number(payload))) return
    const restMs = isOfWorkspace ? Math.max(this.#tookMs * REST_FACTOR, REST_MS_MIN) : REST_MS_MIN
    this.#wake(this.#endedMs + restMs - this.options.clock())
  }

  #take(state: HeardState, nos: readonly number[], askedMs: number): void {
    this.#server ??= state.server
    // A pooler may switch the server while this connection stays open.
    if (state.server !== this.#server) {
      throw new StoreUnavailableError('connected to another server')
    }
    const isOtherServer = state.server !== (this.#heardServer ?? state.server)
    this.#heardServer = state.server
    for (const no of nos) {
      const watched = this.#watched.get(no)
      if (watched === undefined) continue
      watched.head = state.heads.get(no)
      watched.isHeard = true
      if (isOtherServer) watched.serverCount += 1
    }
    this.#takeVersions(state)
    const believedMs = Math.min(askedMs, this.#presence?.lastsUntilMs ?? askedMs)
    if (this.#versions === this.#adopted) this.#believe(believedMs)
    else if (!this.#isAdopting) void this.#adopt(this.#versions, believedMs)
  }

  #takeVersions({ control, mark, keys, keysRemoved }: HeardState): void {
    const before = this.#versions
    const isSameEra = this.#hasTold
    this.#hasTold = true
    if (before?.control === control && before.mark === mark) return
    if (!isSameEra) this.#era += 1
    this.#controlCount += 1
    if (!isSameEra || before?.keys !== keys || before.keysRemoved !== keysRemoved) {
      this.#keyCount += 1
    }
    this.#versions = { era: this.#era, control, mark, keys, keysRemoved }
  }

  /** A version counts as known once memory has it, because requests use memory only. */
  async #adopt(versions: HeardVersions | undefined, believedMs: number): Promise<void> {
    if (versions === undefined) return
    this.#isAdopting = true
    try {
      await this.options.adopt?.(versions)
      this.#adopted = versions
      this.#adoptFault = undefined
      this.#believe(believedMs)
      if (this.#presence !== undefined) this.#wake(0)
    } catch (error) {
      this.#adoptFault = `control data cannot be read: ${messageOf(error)}`
    }
    this.#isAdopting = false
  }

  #believe(believedMs: number): void {
    this.#heardMs = Math.max(this.#heardMs, believedMs)
  }

  #drop(): void {
    const connection = this.#connection
    this.#connection = undefined
    // Not awaited: a server that has vanished never confirms the end.
    void connection?.close()
  }

  #report(fault: string | undefined): void {
    if (fault === this.#fault) return
    this.#fault = fault
    this.options.onFault?.(fault)
  }
}
