import { randomBytes } from 'node:crypto'
import { Credentials } from '../auth/credentials.js'
import { basePathOf } from '../auth/issuer-url.js'
import type { UnreadyReason } from '../domain/probes.js'
import { withCors } from '../http/cors.js'
import type { Handler } from '../http/engine/exchange.js'
import { unknownCredential } from '../http/http-errors.js'
import { answeringKnownHosts } from '../http/known-hosts.js'
import { LoopDelay } from '../http/loop-delay.js'
import { OPERATIONS } from '../http/operations/table.js'
import { createProbeAnswers } from '../http/probes.js'
import { RateLimit } from '../http/rate-limit.js'
import { openReadService, type ReadService } from '../http/read-service.js'
import { RequestMetrics } from '../http/request-metrics.js'
import { pageMetrics, RequestTotals } from '../http/request-totals.js'
import { createAnswer } from '../http/server.js'
import { openOperationService, type ServiceState } from '../http/service-state.js'
import { withMetrics } from '../http/with-metrics.js'
import type { MetricSources } from '../metrics/metric-sources.js'
import { ENDPOINTS } from '../oauth/issuer-path.js'
import type { ControlStore } from '../store/control-store.js'
import type { DataDirectory } from '../store/data-directory.js'
import { catalogOf } from '../store/open-workspace.js'
import { CheckpointScheduler } from '../store/sqlite/checkpoint-scheduler.js'
import { ControlFile } from '../store/sqlite/control-file.js'
import { unreadableParts } from '../store/sqlite/readability.js'
import { CheckpointPool } from '../threads/checkpoint-pool.js'
import { logEvent } from './log.js'
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
  openFirstRun(): Promise<string | undefined>
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
  const { corsOrigins = [], log } = options
  const file = ControlFile.open(directory.controlPath, 'service')
  const control = options.controlOver?.(file) ?? file
  const catalog = catalogOf(directory)
  const reads = openReadService(directory, {
    ...options,
    onEvent: (event) => logEvent(log, event),
    onCacheUnavailable: (error) => {
      const reason = reasonOf(error)
      log('warn', 'workspaces', 'cache unavailable, continuing without it', { reason })
    },
    // Its keys are still in control.db, but a workspace without a file is unknown.
    missing: () => unknownCredential(),
  })
  const { snapshots, changeWaits, ticks } = reads
  const upkeep = openCredentials({ file, control }, options, ticks)
  const { credentials, checkpoints } = upkeep
  const service = openState(options, credentials, reads)
  const requests = new RequestTotals(COUNTED)
  const metrics = new RequestMetrics(ticks, requests)
  const loopDelay = new LoopDelay(ticks)
  const measures = { metrics, pageMetrics: pageMetrics(ticks, requests), loopDelay }
  const knowingHosts = knowingHostsOf(options)
  const shown = { directory, catalog, control, snapshots, service, ...measures, knowingHosts }
  const pages = openPages(shown, options)
  const mcp = openMcpEndpoints({ catalog, control, credentials, service }, options)
  const rest = createAnswer(service)
  const forPrograms = knowingHosts(corsOrigins.length === 0 ? rest : withCors(rest, corsOrigins))
  const measured = withMetrics((request) => (mcp(request.path) ?? forPrograms)(request), metrics)
  const stopping: UnreadyReason[] = []
  const unready = (): UnreadyReason[] => [...stopping, ...unreadableParts(directory, file)]
  const probes = createProbeAnswers(unready, () => snapshots.failingCount)
  return {
    answer: (exchange) =>
      (probes(exchange.path) ?? pages.answerOf(exchange.path) ?? measured)(exchange),
    metricSources: {
      ...{ requests, snapshots, unready, checkpoints },
      memoryBudgetBytes: options.memoryBudgetBytes,
      searches: reads.searchPool,
      matches: reads.matchPool,
      budgetMissCount: () => reads.budgetMissCount(),
      pools: () => ({ ...reads.loads(), control_log: upkeep.checkpointPool.load }),
      refusals: control.counts,
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
      await reads.close()
      await upkeep.closeUpkeep()
      await control.close()
    },
  }
}

/** Every value of {@link Exchange.operation} with a counter of its own, from the start on. */
const COUNTED: readonly string[] = [
  ...OPERATIONS.map(({ id }) => id),
  ...['openapi', 'docs', 'dashboard', 'preflight', 'mcp', 'mcp.metadata'],
  ...ENDPOINTS.map((endpoint) => `oauth.${endpoint}`),
]

/** The state of requests over REST, MCP and the dashboard. */
function openState(
  { baseUrl, requestsPerMinute, clock }: ServiceOptions,
  credentials: Credentials,
  { parts }: ReadService,
): ServiceState {
  let openApi: Promise<Uint8Array> | undefined
  return openOperationService({
    ...parts,
    credentials,
    openApi: () => {
      openApi ??= openApiBytes(baseUrl())
      return openApi
    },
    // Another process start may render differently: an ETag of an earlier one must not match.
    startTag: randomBytes(6).toString('base64url'),
    basePath: basePathOf(baseUrl),
    rateLimit:
      requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, clock),
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
  { file, control }: { readonly file: ControlFile; readonly control: ControlStore },
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
    control: file,
    checkpoint: (path, pagesLeftMax) => pool.checkpoint(path, pagesLeftMax),
    onFault: (error) => {
      const reason = reasonOf(error)
      log('warn', 'control', 'checkpoint of control.db failed, will retry', { reason })
    },
  })
  checkpoints.begin()
  const closeUpkeep = async (): Promise<void> => {
    await stopKeepingUp()
    await checkpoints.end()
    await pool.close()
  }
  return { credentials, checkpoints, checkpointPool: pool, closeUpkeep }
}

/** Restricts handlers to requests with a known Host, where `loopbackHost` is given. */
function knowingHostsOf({ baseUrl, loopbackHost }: ServiceOptions): (answer: Handler) => Handler {
  if (loopbackHost === undefined) return (answer) => answer
  return answeringKnownHosts({ baseUrl, listenHost: loopbackHost })
}

/** Loaded on request: schemas and examples take memory, and many services never need them. */
async function openApiBytes(baseUrl: string): Promise<Uint8Array> {
  const { openApiDocument } = await import('../openapi/document.js')
  return Buffer.from(JSON.stringify(openApiDocument(baseUrl)))
}
