import type { Credentials } from '../auth/credentials.js'
import type { RowSet } from '../free-text/row-set.js'
import type { SearchTask } from '../free-text/search-task.js'
import { LOAD_WAITING_MAX } from '../limits.js'
import { QueryCache } from '../query/query-cache.js'
import type { Suggester, SuggestionScope } from '../query/suggester.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import type { PartTask, VisiblePart } from '../snapshot/visible-rows.js'
import type { SuggestionCandidate } from '../suggestions/suggestion-index.js'
import { BodyBuffer } from '../wire/body-buffer.js'
import type { ChangeWaits } from './change-waits.js'
import type { MatchParts } from './match-budget.js'
import type { RateLimit } from './rate-limit.js'
import { Shares, SUM_SLOT_COUNT } from './shares.js'
import type { StateTagSource } from './state-tags.js'
import type { WaitingRequest } from './waiting-requests.js'

/** The parts that operations are answered from. */
export interface ReadParts {
  readonly snapshots: {
    find(workspaceId: string): Snapshot | undefined
    /** Rejects with ApiError when the workspace cannot be loaded. */
    load(request: WaitingRequest): Promise<Snapshot>
    /** As above; the snapshot has text and match indexes as well. */
    loadIndexed(request: WaitingRequest): Promise<Snapshot>
  }
  /** Runs a long search on another thread. Rejects with ApiError when that takes too long. */
  readonly find: (request: WaitingRequest, task: SearchTask) => Promise<RowSet>
  /** Builds, on another thread, the texts that some credentials alone may see. */
  readonly makePart: (task: PartTask) => Promise<VisiblePart>
  /** Finds texts on another thread. Rejects with ApiError when that takes too long. */
  readonly suggest: (
    request: WaitingRequest,
    scope: SuggestionScope,
    query: Parameters<Suggester['find']>[1],
  ) => Promise<SuggestionCandidate[]>
  readonly match: MatchParts
  /** Slots for batches of matches, shared among credentials. */
  readonly batchShares: Shares
  readonly changeWaits: ChangeWaits
}

/** The parts that the server answers from. */
export interface ServerParts extends ReadParts {
  readonly credentials: Pick<Credentials, 'forRest' | 'noteUse' | 'noteWorkspaceFile'>
  /** The OpenAPI document as JSON; built on a caller's first request, then always the same. */
  readonly openApi: () => Promise<Uint8Array>
  readonly tags: StateTagSource
  /** The path prefix that a proxy removes, for links. Absent = none. */
  readonly basePath?: () => string
  /** Absent = the number of requests is not limited. */
  readonly rateLimit?: RateLimit | undefined
}

/** The parts of a process that call operations, and what their calls share. */
export interface OperationService {
  readonly parts: ReadParts & { readonly credentials: Pick<Credentials, 'noteWorkspaceFile'> }
  readonly queryCache: QueryCache
  readonly buffer: BodyBuffer
  /** Slots for sums of many rows; of all callers, one adds up in a tick. */
  readonly sums: Shares
}

/** State that all requests share, over REST, MCP and the dashboard; one a process. */
export interface ServiceState extends OperationService {
  readonly parts: ServerParts
}

/** What the calls of operations share, with an empty query cache. */
export function openOperationService<Parts extends OperationService['parts']>(
  parts: Parts,
): OperationService & { readonly parts: Parts } {
  const sums = new Shares({ slotCount: SUM_SLOT_COUNT, waitingMax: LOAD_WAITING_MAX })
  return { parts, queryCache: new QueryCache(), buffer: new BodyBuffer(), sums }
}
