import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Credentials } from '../auth/credentials.js'
import { basePathOf } from '../auth/issuer-url.js'
import type { UnreadyReason } from '../domain/probes.js'
import { ChangeWaits } from '../http/change-waits.js'
import { withCors } from '../http/cors.js'
import type { Handler } from '../http/engine/exchange.js'
import { unknownCredential } from '../http/http-errors.js'
import { answeringKnownHosts } from '../http/known-hosts.js'
import { LoopDelay } from '../http/loop-delay.js'
import { OPERATIONS } from '../http/operations/table.js'
import { createProbeAnswers } from '../http/probes.js'
import { RateLimit } from '../http/rate-limit.js'
import { RequestMetrics } from '../http/request-metrics.js'
import { pageMetrics, RequestTotals } from '../http/request-totals.js'
import { createAnswer } from '../http/server.js'
import { openServiceState, type ServiceState } from '../http/service-state.js'
import { BATCH_SLOT_COUNT, SEARCH_SLOT_COUNT, Shares } from '../http/shares.js'
import { WaitingRequests } from '../http/waiting-requests.js'
import { withMetrics } from '../http/with-metrics.js'
import {
  BATCH_WAITING_MAX,
  LOAD_WAITING_MAX,
  MATCH_BUDGET_MS_DEFAULT,
  MATCH_THREADS_DEFAULT_MAX,
  MATCH_WAITING_MAX,
} from '../limits.js'
import type { MetricSources } from '../metrics/metric-sources.js'
import { ENDPOINTS } from '../oauth/issuer-path.js'
import { rankWith } from '../query/match-rank.js'
import { Suggester } from '../query/suggester.js'
import { layoutVersion } from '../snapshot/layout-version.js'
import { removeStaleFiles } from '../snapshot/snapshot-file.js'
import { type AttachedMemory, WorkspaceCache } from '../snapshot/workspace-cache.js'
import { CheckpointScheduler } from '../store/checkpoint-scheduler.js'
import { ControlFile } from '../store/control-file.js'
import {
  cachePath,
  type DataDirectory,
  workspaceExists,
  workspacePath,
} from '../store/data-directory.js'
import { unreadableParts } from '../store/readability.js'
import { BuilderPool } from '../threads/builder-pool.js'
import { CheckpointPool } from '../threads/checkpoint-pool.js'
import { GcTrigger } from '../threads/gc-trigger.js'
import { MatchPool } from '../threads/match-pool.js'
import { SearchPool } from '../threads/search-pool.js'
import { SuggestionPool } from '../threads/suggestion-pool.js'
import type { PoolLoad } from '../threads/thread-pool.js'
import { type Log, logEvent } from './log.js'
import { reasonOf } from './logged-error.js'
import { openMcpEndpoints } from './mcp-endpoints.js'
import { openPages } from './pages.js'
import type { ServiceOptions } from './service-options.js'

/** The assembled service behind the socket. */
export interface Service {
  readonly answer: Handler
  /** Loads a workspace before its first request. @throws Error with the reason */
  preload(workspaceId: string): Promise<void>
  /** A one-time link to create the first operator, as a path; undefined = an operator exists. */
  openFirstRun(): string | undefined
  /** Its own measurements, for metrics. */
  readonly metricSources: MetricSources
  /** Answers requests that wait for changes, now and from now on. */
  endWaits(): void
  /** From now on `/readyz` reports that it is stopping; everything is answered as before. */
  drain(): void
  /** Closes files and threads. */
  close(): Promise<void>
}

/** Opens the data directory for serving. @throws StoreError when control.db cannot be used */
export function openService(directory: DataDirectory, options: ServiceOptions): Service {
  const { corsOrigins = [] } = options
  const control = ControlFile.open(directory.controlPath, 'service')
  const pool = options.tasks ?? new BuilderPool()
  const searchPool = new SearchPool()
  const matchPool = new MatchPool(options.matchThreads ?? matchThreadsDefault())
  const suggestionPool = new SuggestionPool()
  const suggester = new Suggester(suggestionPool, (id) => snapshots.makeRoomFor(id))
  const ticks = (): number => performance.now()
  const changeWaits = new ChangeWaits(ticks)
  const snapshotParts = { tasks: pool, attached: suggester, ticks, changeWaits }
  const snapshots = openSnapshots(directory, options, snapshotParts)
  const upkeep = openCredentials(control, options, ticks)
  const { credentials, checkpoints } = upkeep
  let budgetMissCount = 0
  const onMiss = (): void => {
    budgetMissCount += 1
  }
  const shares = workShares(matchPool)
  const makePart: BuilderPool['part'] = (task) => pool.part(task)
  const pools = { searchPool, matchPool, suggester, makePart, shares }
  const parts = { credentials, snapshots, changeWaits, ...pools, ticks, onMiss }
  const service = openState(directory, options, parts)
  const requests = new RequestTotals(COUNTED)
  const metrics = new RequestMetrics(ticks, requests)
  const loopDelay = new LoopDelay(ticks)
  const measures = { metrics, pageMetrics: pageMetrics(ticks, requests), loopDelay }
  const knowingHosts = knowingHostsOf(options)
  const shown = { directory, control, snapshots, service, ...measures, knowingHosts }
  const pages = openPages(shown, options)
  const mcp = openMcpEndpoints(directory, options, { control, credentials, service })
  const rest = createAnswer(service)
  const forPrograms = knowingHosts(corsOrigins.length === 0 ? rest : withCors(rest, corsOrigins))
  const measured = withMetrics((request) => (mcp(request.path) ?? forPrograms)(request), metrics)
  const stopping: UnreadyReason[] = []
  const unready = (): UnreadyReason[] => [...stopping, ...unreadableParts(directory, control)]
  const probes = createProbeAnswers(unready, () => snapshots.failingCount)
  return {
    answer: (exchange) =>
      (probes(exchange.path) ?? pages.answerOf(exchange.path) ?? measured)(exchange),
    metricSources: {
      ...{ requests, snapshots, unready, checkpoints },
      memoryBudgetBytes: options.memoryBudgetBytes,
      searches: searchPool,
      matches: matchPool,
      budgetMissCount: () => budgetMissCount,
      pools: () => ({
        ...builderLoads(pool),
        ...sharedLoads({ searchPool, matchPool, suggestionPool }, shares),
        control_log: upkeep.checkpointPool.load,
      }),
      refusals: control.refusalCounts,
    },
    drain: () => {
      if (stopping.length === 0) stopping.push('stopping')
    },
    endWaits: () => changeWaits.close(),
    openFirstRun: pages.openFirstRun,
    preload: async (workspaceId) => void (await snapshots.load(workspaceId)),
    close: async () => {
      changeWaits.close()
      await pages.close()
      loopDelay.close()
      snapshots.close()
      await Promise.all([pool, searchPool, matchPool, suggestionPool].map((each) => each.close()))
      await upkeep.closeUpkeep()
      control.close()
    },
  }
}

/** Every value of {@link Exchange.operation} with a counter of its own, from the start on. */
const COUNTED: readonly string[] = [
  ...OPERATIONS.map(({ id }) => id),
  ...['openapi', 'docs', 'dashboard', 'preflight', 'mcp', 'mcp.metadata'],
  ...ENDPOINTS.map((endpoint) => `oauth.${endpoint}`),
]

/** The shares of credentials in matches, batches of them, and searches. */
interface WorkShares {
  readonly matches: Shares
  readonly batches: Shares
  readonly searches: Shares
  readonly suggestions: Shares
}

function workShares({ threadCount }: MatchPool): WorkShares {
  return {
    // One slot more than threads: the next match is ready when a thread becomes free.
    matches: new Shares({ slotCount: threadCount + 1, waitingMax: MATCH_WAITING_MAX }),
    batches: new Shares({ slotCount: BATCH_SLOT_COUNT, waitingMax: BATCH_WAITING_MAX }),
    searches: new Shares({ slotCount: SEARCH_SLOT_COUNT, waitingMax: LOAD_WAITING_MAX }),
    suggestions: new Shares({ slotCount: SEARCH_SLOT_COUNT, waitingMax: LOAD_WAITING_MAX }),
  }
}

/** The parts of the state that operations run with, on every transport. */
interface StateParts {
  readonly credentials: Credentials
  readonly snapshots: WorkspaceCache
  readonly changeWaits: ChangeWaits
  readonly searchPool: SearchPool
  readonly matchPool: MatchPool
  readonly suggester: Suggester
  readonly makePart: BuilderPool['part']
  readonly shares: WorkShares
  readonly ticks: () => number
  /** See {@link MatchParts.onMiss}. */
  readonly onMiss: () => void
}

function openState(
  directory: DataDirectory,
  options: ServiceOptions,
  { credentials, snapshots, changeWaits, ...parts }: StateParts,
): ServiceState {
  const { searchPool, matchPool, suggester, makePart, shares, ticks, onMiss } = parts
  const { requestsPerMinute, matchBudgetMs = MATCH_BUDGET_MS_DEFAULT } = options
  const waiting = new WaitingRequests()
  const searching = new WaitingRequests()
  const suggesting = new WaitingRequests()
  const waitFor: typeof waiting.wait = (request, still, load) =>
    waiting.wait(request, still, load).catch((error: unknown) => {
      if (workspaceExists(directory, request.workspaceId)) throw error
      // Its keys are still in control.db, but a workspace without a file is unknown.
      throw unknownCredential()
    })
  let openApi: Promise<Uint8Array> | undefined
  return openServiceState({
    credentials,
    snapshots: {
      find: (workspaceId) => snapshots.find(workspaceId),
      load: (request) => waitFor(request, 'loaded', () => snapshots.load(request.workspaceId)),
      loadIndexed: (request) =>
        waitFor(request, 'indexed', () => snapshots.loadIndexed(request.workspaceId)),
    },
    find: (request, task) =>
      searching.wait(request, 'searched', () =>
        shares.searches.run(request.credentialId, () => searchPool.find(task)),
      ),
    ...{ makePart, changeWaits },
    suggest: (request, scope, query) =>
      suggesting.wait(request, 'read for suggestions', () =>
        shares.suggestions.run(request.credentialId, () => suggester.find(scope, query)),
      ),
    match: {
      rank:
        options.rankMatches ??
        rankWith({ ticks, scanOnThreads: (task, id) => matchPool.scan(task, id) }),
      budgetMs: matchBudgetMs,
      ticks,
      onMiss,
      shares: shares.matches,
    },
    batchShares: shares.batches,
    openApi: () => {
      openApi ??= openApiBytes(options.baseUrl())
      return openApi
    },
    // Another process start may render differently: an ETag of an earlier one must not match.
    startTag: randomBytes(6).toString('base64url'),
    basePath: basePathOf(options.baseUrl),
    rateLimit:
      requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, options.clock),
  })
}

/** The parts that workspaces in memory are made with. */
interface SnapshotParts extends Pick<StateParts, 'ticks' | 'changeWaits'> {
  readonly tasks: BuilderPool
  /** Memory that goes with them. */
  readonly attached: AttachedMemory
}

/** The workspaces in memory, and the cache on disk that they are read from. */
function openSnapshots(
  directory: DataDirectory,
  { log, memoryBudgetBytes }: ServiceOptions,
  { tasks, attached, ticks, changeWaits }: SnapshotParts,
): WorkspaceCache {
  const layout = layoutOfCache(directory, log)
  const gcTrigger = new GcTrigger()
  return new WorkspaceCache({
    pathOf: (workspaceId) => workspacePath(directory, workspaceId),
    ...(layout === undefined
      ? {}
      : { cacheOf: (workspaceId) => ({ path: cachePath(directory, workspaceId), layout }) }),
    ...{ tasks, attached, memoryBudgetBytes, clock: ticks },
    onPublished: (before, after) => changeWaits.announce(before, after),
    onEvent: (event) => logEvent(log, event),
    onReleased: (byteCount) => gcTrigger.add(byteCount),
  })
}

interface OpenedCredentials {
  readonly credentials: Credentials
  readonly checkpoints: CheckpointScheduler
  readonly checkpointPool: CheckpointPool
  readonly closeUpkeep: () => Promise<void>
}

/** The credentials of callers, and the regular upkeep of control.db. */
function openCredentials(
  control: ControlFile,
  { clock, log }: ServiceOptions,
  ticks: () => number,
): OpenedCredentials {
  const credentials = new Credentials(control, { clock, ticks })
  const stopKeepingUp = credentials.keepUpRegularly((error) => {
    log('warn', 'control', 'cannot record last uses of credentials, will retry', {
      reason: reasonOf(error),
    })
  })
  const pool = new CheckpointPool()
  const checkpoints = new CheckpointScheduler({
    control,
    checkpoint: (path, pagesLeftMax) => pool.checkpoint(path, pagesLeftMax),
    onFault: (error) => {
      const reason = reasonOf(error)
      log('warn', 'control', 'checkpoint of control.db failed, will retry', { reason })
    },
  })
  checkpoints.begin()
  const closeUpkeep = async (): Promise<void> => {
    stopKeepingUp()
    await checkpoints.end()
    await pool.close()
  }
  return { credentials, checkpoints, checkpointPool: pool, closeUpkeep }
}

/** Loads of the threads that make snapshots, by their label in metrics. */
function builderLoads({ loads }: Pick<BuilderPool, 'loads'>): Record<string, PoolLoad> {
  const { build, cacheWriter, follow } = loads
  return { build, freeze: cacheWriter, follow }
}

/** Loads of the threads that credentials share, likewise. */
function sharedLoads(
  pools: Readonly<Record<'searchPool' | 'matchPool' | 'suggestionPool', WithLoad>>,
  { searches, matches, batches, suggestions }: WorkShares,
): Record<string, PoolLoad> {
  return {
    search: withWaiting(pools.searchPool.load, searches),
    match: withWaiting(withWaiting(pools.matchPool.load, matches), batches),
    suggest: withWaiting(pools.suggestionPool.load, suggestions),
  }
}

interface WithLoad {
  readonly load: PoolLoad
}

/** Work that waits in a queue has not been submitted to the pool yet. */
function withWaiting(load: PoolLoad, { waitingCount }: Shares): PoolLoad {
  return { ...load, queueCount: load.queueCount + waitingCount }
}

/** Restricts handlers to requests with a known Host, where `loopbackHost` is given. */
function knowingHostsOf({ baseUrl, loopbackHost }: ServiceOptions): (answer: Handler) => Handler {
  if (loopbackHost === undefined) return (answer) => answer
  return answeringKnownHosts({ baseUrl, listenHost: loopbackHost })
}

/** Threads that score matches: the parallelism of the machine, up to a limit. */
function matchThreadsDefault(): number {
  return Math.min(availableParallelism(), MATCH_THREADS_DEFAULT_MAX)
}

/** Loaded on request: schemas and examples take memory, and many services never need them. */
async function openApiBytes(baseUrl: string): Promise<Uint8Array> {
  const { openApiDocument } = await import('../openapi/document.js')
  return Buffer.from(JSON.stringify(openApiDocument(baseUrl)))
}

/**
 * The layout version of this process, computed before its files can be replaced; also removes the
 * caches of deleted workspaces. undefined = there is no cache, and the reason is logged.
 */
function layoutOfCache(directory: DataDirectory, log: Log): string | undefined {
  try {
    removeStaleFiles(directory.cachePath, (name) =>
      workspaceExists(directory, name.slice(0, name.lastIndexOf('.'))),
    )
    return layoutVersion()
  } catch (error) {
    log('warn', 'workspaces', 'cache unavailable, continuing without it', {
      reason: reasonOf(error),
    })
    return undefined
  }
}
