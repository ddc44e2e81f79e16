import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { OFFLINE_MS_DEFAULT } from '../auth/store-trust.js'
import { nodeTags } from '../http/state-tags.js'
import type { DataDirectory } from '../store/data-directory.js'
import { openWatch } from '../store/open-workspace.js'
import { awaitConfirmations } from '../store/postgres/confirmations.js'
import { ControlDatabase } from '../store/postgres/control-database.js'
import { removeDeletedWorkspaces } from '../store/postgres/deleted-workspaces.js'
import { listNodesAt, removeSilentNodes } from '../store/postgres/node-table.js'
import { PostgresCatalog } from '../store/postgres/postgres-catalog.js'
import { prepareDatabase } from '../store/postgres/postgres-store.js'
import { Pulse } from '../store/postgres/pulse.js'
import { doUpkeep, trimChanges } from '../store/postgres/upkeep.js'
import { StoreError } from '../store/store-error.js'
import type { Log } from './log.js'
import { reasonOf } from './logged-error.js'
import { programVersion } from './program-version.js'
import type { ServedMemory, ServedStore } from './served-store.js'

/** Time limit of a statement that serves a request. */
const STATEMENT_MS_MAX = 10_000

/** Interval of the upkeep, which one node does for all. */
const UPKEEP_MS = 60_000

/** Options for serving a database. */
interface DatabaseOptions {
  readonly url: string
  /** Holds caches and uploads of this node. */
  readonly directory: DataDirectory
  readonly log: Log
  /** How long to answer from memory without the database; undefined = the default. */
  readonly offlineMs: number | undefined
  /** Base URL of the service in answers, the same on all nodes. */
  readonly baseUrl: () => string
}

/**
 * Opens a database for serving, along with other nodes: migrates its schema, and waits for the
 * first poll.
 * @throws StoreError that says what to do
 */
export async function serveDatabase({
  url,
  directory,
  log,
  offlineMs = OFFLINE_MS_DEFAULT,
  baseUrl,
}: DatabaseOptions): Promise<ServedStore> {
  const program = programVersion()
  await prepareDatabase(url, program)
  const node = new NodeParts(url, program, log, offlineMs)
  const ids = await node.connect().catch(async (error: unknown) => {
    await node.close()
    throw error
  })
  const { pulse, catalog, control } = node
  return {
    ...{ directory, catalog, control },
    clock: () => pulse.now(),
    openWatch: (address) =>
      address.engine === 'postgres' ? pulse.watch(address.no) : openWatch(address),
    wasThere: (workspaceId) => ids.has(workspaceId),
    // Links and the OpenAPI document depend on the URL.
    tags: nodeTags(() => `${program} ${baseUrl()}`),
    unready: () => [],
    controlLog: undefined,
    heard: {
      ageMs: () => pulse.heardAgeMs(),
      took: pulse.took,
      notificationCount: () => pulse.notificationCount,
      connectionCount: () => pulse.connectionCount,
    },
    nodes: { list: () => listNodesAt(url), confirmed: () => awaitConfirmations({ url }) },
    begin: (served) => node.begin(served),
    close: () => node.close(),
  }
}

/** The connections of a node, and its upkeep. */
class NodeParts {
  readonly pulse: Pulse
  readonly control: ControlDatabase
  readonly catalog: PostgresCatalog
  #served: ServedMemory | undefined
  #timer: NodeJS.Timeout | undefined
  /** Ends the upkeep under way after its present step: a stop does not wait for all of it. */
  readonly #ending = new AbortController()
  #upkeep: Promise<void> = Promise.resolve()

  constructor(
    private readonly url: string,
    program: string,
    private readonly log: Log,
    offlineMs: number,
  ) {
    this.pulse = new Pulse({
      url,
      node: {
        id: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
        ...{ program, offlineMs },
        memory: () => this.#served?.memory() ?? { residents: 0, bytes: 0 },
      },
      // Before the service begins, there are no keys in memory.
      adopt: () => this.#served?.readKeys(),
      onFault: (fault) => this.#logFault(fault),
      clock: () => performance.now(),
    })
    this.control = ControlDatabase.open(url, {
      applicationName: 'kontor node',
      statementMsMax: STATEMENT_MS_MAX,
      heard: this.pulse,
    })
    this.catalog = new PostgresCatalog(this.control, url)
  }

  /** Waits for the first poll. @returns the ids of all workspaces   @throws StoreError */
  async connect(): Promise<ReadonlySet<string>> {
    await this.pulse.beat()
    const { fault } = this.pulse
    if (fault !== undefined) throw new StoreError(fault)
    return new Set(await this.catalog.list())
  }

  begin(served: ServedMemory): void {
    this.#served = served
    this.#timer = setInterval(() => {
      this.#upkeep = this.#upkeep.then(() => this.#keepUp())
    }, UPKEEP_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#ending.abort()
    await this.#upkeep
    await this.pulse.close()
    await this.control.close()
  }

  async #keepUp(): Promise<void> {
    const { signal } = this.#ending
    if (signal.aborted) return
    try {
      await doUpkeep(this.url, async (connection) => {
        await removeSilentNodes(connection)
        await trimChanges(connection, { signal })
        await removeDeletedWorkspaces(connection, { signal })
      })
    } catch (error) {
      const reason = reasonOf(error)
      this.log('warn', 'database', 'upkeep of the database failed, will retry', { reason })
    }
  }

  #logFault(fault: string | undefined): void {
    if (fault !== undefined) {
      this.log('warn', 'database', 'the database does not answer', { reason: fault })
      return
    }
    this.log('info', 'database', 'the database answers again')
    this.#served?.onHeardAgain()
  }
}
