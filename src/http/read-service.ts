import { availableParallelism } from 'node:os'
import type { ApiError } from '../errors.js'
import {
  BATCH_WAITING_MAX,
  LOAD_WAITING_MAX,
  MATCH_BUDGET_MS_DEFAULT,
  MATCH_THREADS_DEFAULT_MAX,
  MATCH_WAITING_MAX,
} from '../limits.js'
import { rankWith } from '../query/match-rank.js'
import type { RankMatches } from '../query/match-ranking.js'
import { Suggester } from '../query/suggester.js'
import { layoutVersion } from '../snapshot/layout-version.js'
import { removeStaleFiles } from '../snapshot/snapshot-file.js'
import { type SnapshotEvent, WorkspaceCache } from '../snapshot/workspace-cache.js'
import { cachePath } from '../store/data-directory.js'
import type { ReadStore } from '../store/read-store.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import { BuilderPool } from '../threads/builder-pool.js'
import { GcTrigger } from '../threads/gc-trigger.js'
import { MatchPool } from '../threads/match-pool.js'
import { SearchPool } from '../threads/search-pool.js'
import { SuggestionPool } from '../threads/suggestion-pool.js'
import type { PoolLoad } from '../threads/thread-pool.js'
import { ChangeWaits } from './change-waits.js'
import type { ReadParts } from './service-state.js'
import { BATCH_SLOT_COUNT, SEARCH_SLOT_COUNT, Shares } from './shares.js'
import { WaitingRequests } from './waiting-requests.js'

/** Options of the parts that answer reads. */
export interface ReadServiceOptions {
  /** Bytes that the workspaces in memory may take together. */
  readonly memoryBudgetBytes: number
  /** Time that a match may take, waiting included, ms; default: 1,000. */
  readonly matchBudgetMs?: number | undefined
  /** Threads that score matches; absent = the parallelism of the machine, up to four. */
  readonly matchThreads?: number | undefined
  /** Ranks matches; absent = those threads do. */
  readonly rankMatches?: RankMatches | undefined
  /** Absent = a pool of its own. Closed with the other parts. */
  readonly tasks?: BuilderPool | undefined
  readonly onEvent: (event: SnapshotEvent) => void
  /** Called when there can be no cache of snapshots. */
  readonly onCacheUnavailable: (error: unknown) => void
  /** The error of a request whose workspace has no file. */
  readonly missing: (workspaceId: string) => ApiError
}

/** What answers reads in a process: its workspaces in memory, its threads, its waiting callers. */
export interface ReadService {
  readonly parts: ReadParts
  readonly snapshots: WorkspaceCache
  readonly changeWaits: ChangeWaits
  readonly searchPool: SearchPool
  readonly matchPool: MatchPool
  /** Clock in ms that never goes back. */
  readonly ticks: () => number
  /** Loads of the threads, by their label in metrics. */
  loads(): Record<string, PoolLoad>
  /** Matches that were refused because their time was used up. */
  budgetMissCount(): number
  close(): Promise<void>
}

/** Opens a store for reading. */
export function openReadService(
  { directory, catalog, openWatch, wasThere }: ReadStore,
  options: ReadServiceOptions,
): ReadService {
  const tasks = options.tasks ?? new BuilderPool()
  const pools: SharedPools = {
    searchPool: new SearchPool(),
    matchPool: new MatchPool(options.matchThreads ?? matchThreadsDefault()),
    suggestionPool: new SuggestionPool(),
  }
  const suggester = new Suggester(pools.suggestionPool, (id) => snapshots.makeRoomFor(id))
  const ticks = (): number => performance.now()
  const changeWaits = new ChangeWaits(ticks)
  const layout = layoutOfCache({ directory, wasThere }, options.onCacheUnavailable)
  const gcTrigger = new GcTrigger()
  const snapshots = new WorkspaceCache({
    find: (workspaceId) => catalog.find(workspaceId),
    openWatch,
    ...(layout === undefined
      ? {}
      : { cacheOf: (workspaceId) => ({ path: cachePath(directory, workspaceId), layout }) }),
    ...{ tasks, attached: suggester, clock: ticks, memoryBudgetBytes: options.memoryBudgetBytes },
    onPublished: (before, after) => changeWaits.announce(before, after),
    onEvent: options.onEvent,
    onReleased: (byteCount) => gcTrigger.add(byteCount),
  })
  const shares = workShares(pools.matchPool)
  let budgetMissCount = 0
  const onMiss = (): void => {
    budgetMissCount += 1
  }
  const opened = { snapshots, changeWaits, suggester, tasks, pools, shares, ticks, onMiss }
  return {
    parts: readPartsOf(catalog, options, opened),
    ...{ snapshots, changeWaits, ticks },
    ...{ searchPool: pools.searchPool, matchPool: pools.matchPool },
    loads: () => ({ ...builderLoads(tasks), ...sharedLoads(pools, shares) }),
    budgetMissCount: () => budgetMissCount,
    close: async () => {
      changeWaits.close()
      const { residentBytes } = snapshots
      snapshots.close()
      await Promise.all([tasks, ...Object.values(pools)].map((pool) => pool.close()))
      // A program that has closed its data goes on without them.
      gcTrigger.add(residentBytes)
    },
  }
}

/** Threads that credentials share. */
interface SharedPools {
  readonly searchPool: SearchPool
  readonly matchPool: MatchPool
  readonly suggestionPool: SuggestionPool
}

interface OpenedParts {
  readonly snapshots: WorkspaceCache
  readonly changeWaits: ChangeWaits
  readonly suggester: Suggester
  readonly tasks: BuilderPool
  readonly pools: SharedPools
  readonly shares: WorkShares
  readonly ticks: () => number
  /** See {@link MatchParts.onMiss}. */
  readonly onMiss: () => void
}

function readPartsOf(
  catalog: WorkspaceCatalog,
  { matchBudgetMs = MATCH_BUDGET_MS_DEFAULT, rankMatches, missing }: ReadServiceOptions,
  { snapshots, changeWaits, suggester, tasks, pools, shares, ticks, onMiss }: OpenedParts,
): ReadParts {
  const waiting = new WaitingRequests()
  const searching = new WaitingRequests()
  const suggesting = new WaitingRequests()
  const waitFor: typeof waiting.wait = (request, still, load) =>
    waiting.wait(request, still, load).catch(async (error: unknown) => {
      const found = await catalog.find(request.workspaceId)
      throw found === undefined ? missing(request.workspaceId) : error
    })
  return {
    snapshots: {
      find: (workspaceId) => snapshots.find(workspaceId),
      load: (request) => waitFor(request, 'loaded', () => snapshots.load(request.workspaceId)),
      loadIndexed: (request) =>
        waitFor(request, 'indexed', () => snapshots.loadIndexed(request.workspaceId)),
    },
    find: (request, task) =>
      searching.wait(request, 'searched', () =>
        shares.searches.run(request.credentialId, () => pools.searchPool.find(task)),
      ),
    makePart: (task) => tasks.part(task),
    changeWaits,
    suggest: (request, scope, query) =>
      suggesting.wait(request, 'read for suggestions', () =>
        shares.suggestions.run(request.credentialId, () => suggester.find(scope, query)),
      ),
    match: {
      rank:
        rankMatches ??
        rankWith({ ticks, scanOnThreads: (task, id) => pools.matchPool.scan(task, id) }),
      ...{ budgetMs: matchBudgetMs, ticks, onMiss, shares: shares.matches },
    },
    batchShares: shares.batches,
  }
}

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

/** Loads of the threads that make snapshots, by their label in metrics. */
function builderLoads({ loads }: Pick<BuilderPool, 'loads'>): Record<string, PoolLoad> {
  const { build, cacheWriter, follow } = loads
  return { build, freeze: cacheWriter, follow }
}

/** Loads of the threads that credentials share, likewise. */
function sharedLoads(
  pools: SharedPools,
  { searches, matches, batches, suggestions }: WorkShares,
): Record<string, PoolLoad> {
  return {
    search: withWaiting(pools.searchPool.load, searches),
    match: withWaiting(withWaiting(pools.matchPool.load, matches), batches),
    suggest: withWaiting(pools.suggestionPool.load, suggestions),
  }
}

/** Work that waits in a queue has not been submitted to the pool yet. */
function withWaiting(load: PoolLoad, { waitingCount }: Shares): PoolLoad {
  return { ...load, queueCount: load.queueCount + waitingCount }
}

/** Threads that score matches: the parallelism of the machine, up to a limit. */
function matchThreadsDefault(): number {
  return Math.min(availableParallelism(), MATCH_THREADS_DEFAULT_MAX)
}

/** Computed once, before the files of the program can be replaced. */
let processLayout: string | undefined

/**
 * The layout version of this process; also removes the caches of deleted workspaces. undefined =
 * there is no cache, and the cause is reported.
 */
function layoutOfCache(
  { directory, wasThere }: Pick<ReadStore, 'directory' | 'wasThere'>,
  onUnavailable: (error: unknown) => void,
): string | undefined {
  try {
    removeStaleFiles(directory.cachePath, (name) => wasThere(name.slice(0, name.lastIndexOf('.'))))
    processLayout ??= layoutVersion()
    return processLayout
  } catch (error) {
    onUnavailable(error)
    return undefined
  }
}
