import { randomBytes } from 'node:crypto'
import { ApiKeys } from '../auth/api-keys.js'
import { ApiError, messageOf } from '../errors.js'
import { withCors } from '../http/cors.js'
import { Denial } from '../http/denial.js'
import type { Answer } from '../http/exchange.js'
import { RateLimit } from '../http/rate-limit.js'
import { createAnswer } from '../http/server.js'
import type { EpochMs } from '../instant.js'
import { LOAD_WAIT_MS_MAX } from '../limits.js'
import { openApiDocument } from '../openapi/document.js'
import { CurrentSnapshots } from '../snapshot/current.js'
import { sweepFrozen } from '../snapshot/frozen.js'
import { layoutVersion } from '../snapshot/layout-version.js'
import { MakerPool } from '../snapshot/pool.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { ControlFile } from '../store/control-file.js'
import {
  type DataDirectory,
  frozenPath,
  workspaceExists,
  workspacePath,
} from '../store/data-directory.js'
import { type Log, newsLine } from './log.js'

/** Everything behind the socket, put together. */
export interface Service {
  readonly answer: Answer
  /** Loads a workspace before anybody asks. @throws Error with the reason */
  preload(workspaceId: string): Promise<void>
  /** Closes files and threads. */
  close(): Promise<void>
}

/** How to serve. */
export interface ServiceOptions {
  /** How callers reach the service; asked for once, when somebody asks for the document. */
  readonly baseUrl: () => string
  readonly log: Log
  readonly clock: () => EpochMs
  /** Origins whose scripts may read the answers, as `originOf` returns them; absent = none. */
  readonly corsOrigins?: readonly string[] | undefined
  /** Requests per minute and credential; absent = as many as they like. */
  readonly requestsPerMinute?: number | undefined
  /** Bytes that the workspaces in memory may take together. */
  readonly memoryBudgetBytes: number
}

/** Opens the data directory for serving. @throws StoreError when control.db cannot be used */
export function openService(directory: DataDirectory, options: ServiceOptions): Service {
  const { corsOrigins = [], requestsPerMinute } = options
  const control = ControlFile.open(directory.controlPath)
  const layout = layoutOfCache(directory, options.log)
  const pool = new MakerPool()
  const ticks = (): number => performance.now()
  const snapshots = new CurrentSnapshots({
    pathOf: (workspaceId) => workspacePath(directory, workspaceId),
    ...(layout === undefined
      ? {}
      : { cacheOf: (workspaceId) => ({ path: frozenPath(directory, workspaceId), layout }) }),
    makers: pool,
    memoryBudgetBytes: options.memoryBudgetBytes,
    onNews: (news) => options.log(newsLine(news)),
    clock: ticks,
  })
  let openApi: Uint8Array | undefined
  const answer = createAnswer({
    keys: new ApiKeys(control, options.clock, ticks),
    snapshots: {
      find: (workspaceId) => snapshots.find(workspaceId),
      load: (workspaceId) =>
        loadForRequest(snapshots, workspaceId).catch((error: unknown) => {
          if (workspaceExists(directory, workspaceId)) throw error
          // Its keys are still in control.db, but a workspace without a file is an unknown one.
          throw Denial.unknownCredential()
        }),
    },
    openApi: () => {
      openApi ??= Buffer.from(JSON.stringify(openApiDocument(options.baseUrl())))
      return openApi
    },
    // Another process start may render differently: a tag of an earlier one is then not believed.
    startTag: randomBytes(6).toString('base64url'),
    rateLimit:
      requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, options.clock),
  })
  return {
    answer: corsOrigins.length === 0 ? answer : withCors(answer, corsOrigins),
    preload: async (workspaceId) => void (await snapshots.load(workspaceId)),
    close: async () => {
      snapshots.close()
      await pool.close()
      control.close()
    },
  }
}

/**
 * The layout version of this process, asked before anything can replace its files; and the cache
 * is rid of what belongs to no workspace. undefined = there is no cache, and the log says why.
 */
function layoutOfCache(directory: DataDirectory, log: Log): string | undefined {
  try {
    sweepFrozen(directory.cachePath, (name) =>
      workspaceExists(directory, name.slice(0, name.lastIndexOf('.'))),
    )
    return layoutVersion()
  } catch (error) {
    log(`going on without a cache: ${messageOf(error)}`)
    return undefined
  }
}

/** @throws ApiError workspace_unavailable, in time, whatever the reason; the log has the reason */
async function loadForRequest(snapshots: CurrentSnapshots, workspaceId: string): Promise<Snapshot> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const message = `The workspace ${workspaceId} is still being loaded; try again in a moment.`
    timer = setTimeout(
      () => reject(new ApiError('workspace_unavailable', message)),
      LOAD_WAIT_MS_MAX,
    )
  })
  try {
    return await Promise.race([snapshots.load(workspaceId), tooLong])
  } catch (error) {
    if (error instanceof ApiError) throw error
    const message = `The workspace ${workspaceId} cannot be read at the moment; the log says why.`
    throw new ApiError('workspace_unavailable', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
