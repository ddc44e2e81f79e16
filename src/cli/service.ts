import { Credentials } from '../auth/credentials.js'
import { basePathOf } from '../auth/issuer-url.js'
import { StoreTrust } from '../auth/store-trust.js'
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
import { withAge } from '../http/with-age.js'
import { withMetrics } from '../http/with-metrics.js'
import type { MetricSources } from '../metrics/metric-sources.js'
import { ENDPOINTS } from '../oauth/issuer-path.js'
import type { ControlStore } from '../store/control-store.js'
import type { PoolLoad } from '../threads/thread-pool.js'
import { logEvent } from './log.js'
import { reasonOf } from './logged-error.js'
import { openMcpEndpoints } from './mcp-endpoints.js'
import { openPages } from './pages.js'
import type { ServedStore } from './served-store.js'
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

/** Assembles the service over a store, which is closed with it. */
export function openService(store: ServedStore, given: ServiceOptions): Service {
  const options = { ...given, clock: store.clock }
  const { corsOrigins = [] } = options
  const { directory, catalog, control, nodes } = store
  const reads = openReads(store, options)
  const { snapshots, changeWaits, ticks } = reads
  const trust = new StoreTrust(control, options.offlineMs)
  const { credentials, stopKeepingUp } = openCredentials(control, trust, options, ticks)
  store.begin({
    memory: () => ({ residents: snapshots.residentCount, bytes: snapshots.residentBytes }),
    readKeys: () => credentials.readKeys(),
    onHeardAgain: () => snapshots.retry(),
  })
  const service = openState(store, options, credentials, reads)
  const requests = new RequestTotals(COUNTED)
  const metrics = new RequestMetrics(ticks, requests)
  const loopDelay = new LoopDelay(ticks)
  const measures = { metrics, pageMetrics: pageMetrics(ticks, requests), loopDelay }
  const knowingHosts = knowingHostsOf(options)
  const shown = {
    ...{ directory, catalog, control, nodes, snapshots, service },
    ...measures,
    knowingHosts,
  }
  const pages = openPages(shown, options)
  const mcp = openMcpEndpoints({ catalog, control, credentials, service }, options)
  const rest = createAnswer(service)
  const forPrograms = knowingHosts(corsOrigins.length === 0 ? rest : withCors(rest, corsOrigins))
  const programs: Handler = (request) => (mcp(request.path) ?? forPrograms)(request)
  const measured = withMetrics(withAgeOver(control, trust, programs), metrics)
  const stopping: UnreadyReason[] = []
  const silent = (): UnreadyReason[] => (trust.isOver ? ['database_unavailable'] : [])
  const unready = () => [...stopping, ...store.unready(), ...silent()]
  const probes = createProbeAnswers({
    unready,
    isDegraded: () => trust.isSilent,
    failingCount: () => snapshots.failingCount,
  })
  return {
    answer: (exchange) =>
      (probes(exchange.path) ?? pages.answerOf(exchange.path) ?? measured)(exchange),
    metricSources: {
      ...{ requests, snapshots, unready, controlLog: store.controlLog, heard: store.heard },
      memoryBudgetBytes: options.memoryBudgetBytes,
      searches: reads.searchPool,
      matches: reads.matchPool,
      budgetMissCount: () => reads.budgetMissCount(),
      pools: () => ({ ...reads.loads(), ...logLoad(store) }),
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
      await stopKeepingUp()
      await store.close()
    },
  }
}

function openReads(store: ServedStore, options: ServiceOptions): ReadService {
  const { log } = options
  return openReadService(store, {
    ...options,
    onEvent: (event) => logEvent(log, event),
    onCacheUnavailable: (error) => {
      const reason = reasonOf(error)
      log('warn', 'workspaces', 'cache unavailable, continuing without it', { reason })
    },
    // Its keys are still in the store, but a workspace that is gone is unknown.
    missing: () => unknownCredential(),
  })
}

/** Every value of {@link Exchange.operation} with a counter of its own, from the start on. */
const COUNTED: readonly string[] = [
  ...OPERATIONS.map(({ id }) => id),
  ...['openapi', 'docs', 'dashboard', 'preflight', 'mcp', 'mcp.metadata'],
  ...ENDPOINTS.map((endpoint) => `oauth.${endpoint}`),
]

/** The state of requests over REST, MCP and the dashboard. */
function openState(
  { tags }: ServedStore,
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
    tags,
    basePath: basePathOf(baseUrl),
    rateLimit:
      requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, clock),
  })
}

interface OpenedCredentials {
  readonly credentials: Credentials
  readonly stopKeepingUp: () => Promise<void>
}

/** The credentials of callers, and the regular upkeep of control data. */
function openCredentials(
  control: ControlStore,
  trust: StoreTrust,
  { clock, log }: ServiceOptions,
  ticks: () => number,
): OpenedCredentials {
  const credentials = new Credentials(control, { clock, ticks, trust })
  const stopKeepingUp = credentials.keepUpRegularly((error) => {
    log('warn', 'control', 'cannot record last uses of credentials, will retry', {
      reason: reasonOf(error),
    })
  })
  return { credentials, stopKeepingUp }
}

/** Load of the thread that checkpoints control data, by its label in metrics. */
function logLoad({ controlLog }: ServedStore): Record<string, PoolLoad> {
  return controlLog === undefined ? {} : { control_log: controlLog.load() }
}

/** Tells the age of answers where the store may be silent. */
function withAgeOver(control: ControlStore, trust: StoreTrust, answer: Handler): Handler {
  return control.noticesAtOnce ? answer : withAge(answer, () => trust.silentMs)
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
