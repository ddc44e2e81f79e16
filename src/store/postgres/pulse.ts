import { messageOf } from '../../errors.js'
import type { EpochMs } from '../../instant.js'
import { TimeHistogram } from '../../time-histogram.js'
import { StoreAwayError, StoreError } from '../store-error.js'
import type { WorkspaceVersion, WorkspaceWatch } from '../workspace.js'
import { PostgresConnection } from './connect.js'
import { DatabaseTime } from './database-time.js'
import { askState, type HeardState, queryInTime } from './heads.js'
import { NodePresence, type ToldNode } from './node-presence.js'
import { PostgresWatch } from './postgres-watch.js'

/** How often a node asks its database, and how often it opens a lost connection at most. */
const INTERVAL_MS = 500

/** How long the server may take for a statement. */
const STATEMENT_MS_MAX = 1_000

/** A statement without an answer is given up so long after the server should have cancelled it. */
const LATE_MS_MAX = 500

/** Shortest pause before a round that a notification causes. */
const REST_MS_MIN = 20

/**
 * The same after a commit to a workspace, as a multiple of what the round before took: constant
 * writers cost a twelfth of the time of a connection.
 */
const REST_FACTOR = 10

/** Channels of the triggers: number of a workspace; control data. */
const WORKSPACE_CHANNEL = 'kontor'
const CONTROL_CHANNEL = 'kontor_control'

/** The versions of control data that a node has heard of (`kontor_control.versions`). */
export interface HeardVersions {
  /**
   * Versions of two eras are not comparable: one begins with each connection, unless that tells of
   * the very version that is known.
   */
  readonly era: number
  readonly control: number
  readonly mark: number
  readonly keys: number
  readonly keysRemoved: number
}

/** What a pulse asks, and whom it tells. */
export interface PulseOptions {
  /** The database. */
  readonly url: string
  /** The node that says that it lives; absent = none does, and all that is heard is believed. */
  readonly node?: ToldNode
  /**
   * Brings memory to a version of control data, at least. The node confirms it afterwards. It is
   * called again when it fails, and for one version at a time. Absent = memory asks the pulse
   * before each use.
   */
  readonly adopt?: (versions: HeardVersions) => void | Promise<void>
  /** The fault of the rounds is another; undefined = there is none any more. For the log. */
  readonly onFault?: (fault: string | undefined) => void
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** Absent = every 500 ms. */
  readonly intervalMs?: number
  /** Absent = a second. */
  readonly statementMsMax?: number
  /** Whether to be notified; absent = yes. */
  readonly listens?: boolean
}

/** A workspace with its watches. */
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
 * Asks a database over one connection, again and again, what has changed: the versions of watched
 * workspaces and of control data. It asks every 500 ms, and when it is notified; nothing depends on
 * a notification (docs/internals/postgres-nodes.md). No method but `watch` waits or rejects.
 */
export class Pulse {
  /** What rounds took, those that failed included. */
  readonly took = new TimeHistogram()
  readonly #time: DatabaseTime
  readonly #presence: NodePresence | undefined
  readonly #watched = new Map<number, Watched>()
  readonly #statementMsMax: number
  #connection: PostgresConnection | undefined
  #openedMs = Number.NEGATIVE_INFINITY
  #connectionCount = 0
  #era = 0
  /** Whether the connection has told its versions. */
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

  /** Begins to ask. The timer does not keep the process running. */
  constructor(private readonly options: PulseOptions) {
    const { clock, node, statementMsMax = STATEMENT_MS_MAX } = options
    this.#statementMsMax = statementMsMax
    this.#time = new DatabaseTime(clock)
    if (node !== undefined) this.#presence = new NodePresence(node, clock, this.#answerMsMax)
    this.#wake(0)
  }

  /**
   * How long ago the database was as it is known here, at most; Infinity = nothing is known yet.
   * Control data that are heard of are known from when memory has them.
   */
  heardAgeMs(): number {
    return this.options.clock() - this.#heardMs
  }

  /** The database's time, never less than before. @throws StoreAwayError before the first round */
  now(): EpochMs {
    return this.#time.now()
  }

  /** The newest versions of control data; undefined = none was heard yet. */
  get versions(): HeardVersions | undefined {
    return this.#versions
  }

  /** Grows with each version of control data that is heard, and with each era. */
  controlVersion(): number {
    return this.#controlCount
  }

  /** Grows with each noticed change of a key or an integration, and with each era. */
  keyVersion(): number {
    return this.#keyCount
  }

  /** What is wrong since the last round, in a sentence; undefined = nothing. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Why the database does not notify this node, which polls nevertheless; undefined = it does. */
  get listenFault(): string | undefined {
    return this.#listenFault
  }

  /** Notifications since the start, those about other workspaces included. */
  get notificationCount(): number {
    return this.#notificationCount
  }

  /** Number of connections that were opened since the start. */
  get connectionCount(): number {
    return this.#connectionCount
  }

  /** Number of workspaces that are watched. */
  get watchedCount(): number {
    return this.#watched.size
  }

  /**
   * Watches a workspace, once its version was heard.
   * @throws StoreError when there is no such workspace, StoreAwayError when the database is away
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
    throw new StoreAwayError(this.#fault ?? sentence, { cause: this.#error })
  }

  /** Resolves when a round that begins after this call is over, whatever its outcome. */
  async beat(): Promise<void> {
    if (this.#isClosed) return
    const over = new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#wake(0)
    await over
  }

  /**
   * Ends the connection and removes the row of the node. To be called when the node believes
   * nothing any more: commands do not wait for it from then on.
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
      // Commands wait until the row is too old, as after the end of the process.
      this.#tell(messageOf(error))
    }
    this.#drop()
  }

  /** How long a statement may go without an answer. */
  get #answerMsMax(): number {
    return this.#statementMsMax + LATE_MS_MAX
  }

  /** Has a round begin in so many milliseconds, or earlier. */
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
      this.#tell(this.#presence?.fault ?? this.#adoptFault)
    } catch (error) {
      this.#drop()
      this.#error = error
      this.#tell(messageOf(error))
    }
  }

  /** The version that memory has, of what this connection has told; 0 = none yet. */
  get #confirmedVersion(): number {
    return this.#hasTold && this.#adopted?.era === this.#era ? this.#adopted.control : 0
  }

  async #connected(startedMs: number): Promise<PostgresConnection> {
    if (this.#connection !== undefined) return this.#connection
    const { url, intervalMs = INTERVAL_MS } = this.options
    if (startedMs - this.#openedMs < intervalMs) {
      throw this.#error ?? new StoreAwayError('the connection to the database is lost')
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

  /** Before anything is asked: what is committed afterwards notifies. */
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
      if (error instanceof StoreAwayError) throw error
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
    // A pooler keeps its connection to this node when it changes the server behind it.
    if (state.server !== this.#server) throw new StoreAwayError('another server has answered')
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

  /** What was heard is known from when memory has it: nothing else is acted upon. */
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
      this.#adoptFault = `control data are not read: ${messageOf(error)}`
    }
    this.#isAdopting = false
  }

  #believe(believedMs: number): void {
    this.#heardMs = Math.max(this.#heardMs, believedMs)
  }

  #drop(): void {
    const connection = this.#connection
    this.#connection = undefined
    // Resolves when the server or the driver has ended it; nothing waits for that.
    void connection?.close()
  }

  #tell(fault: string | undefined): void {
    if (fault === this.#fault) return
    this.#fault = fault
    this.options.onFault?.(fault)
  }
}
