import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { CountedHistogram } from './counted-histogram.js'
import type { Build, ControlLogSource, HeardSource, MetricSources } from './metric-sources.js'

/** Upper bounds of histograms, in ms: from 2^first to 2^last. */
function powersOfTwo(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => 2 ** (first + i))
}

/** 0.125 ms to 8 s; to 2 min; to 8 s. */
const REQUEST_BOUNDS_MS = powersOfTwo(-3, 13)
const LOAD_BOUNDS_MS = powersOfTwo(3, 17)
const FOLLOW_BOUNDS_MS = powersOfTwo(-1, 13)

/** Refusals listed from the start with a count of 0: an increase from no value is invisible. */
const REFUSED_ACTIONS = [
  'session.begin',
  'authorization.request',
  'client.register',
  'token.issue',
  'token.refresh',
  'token.revoke',
  'token.reuse',
  'code.reuse',
  'api_key.refuse',
  'mcp_key.refuse',
]

/** Gauges of prom-client whose names end like those of counters, which promtool refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * All metrics of a service, read on each scrape. No count is kept here: a scrape reads those that
 * the service keeps anyway. Labels have values of closed lists alone, so that the number of series
 * is bounded; a workspace is never one.
 */
export function serviceMetrics(metricSources: MetricSources, build: Build): Registry {
  const registry = new Registry()
  const add = new MetricList(registry)
  addProcess(registry, build)
  add.gauge('kontor_ready', '1 while the service is ready, as /readyz reports it.', () =>
    metricSources.unready().length === 0 ? 1 : 0,
  )
  addRequests(registry, add, metricSources)
  addWorkspaces(registry, add, metricSources)
  addThreads(add, metricSources)
  addCredentials(add, metricSources)
  if (metricSources.heard !== undefined) addHeard(registry, add, metricSources.heard)
  return registry
}

function addProcess(registry: Registry, { version, engine }: Build): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  new Gauge({
    name: 'kontor_build_info',
    help: 'Always 1: version of kontor, version of Node.js, HTTP engine.',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
    collect() {
      this.reset()
      this.set({ version, node: process.versions.node, engine: engine() }, 1)
    },
  })
}

function addRequests(registry: Registry, add: MetricList, { requests }: MetricSources): void {
  const requestCounter: Counter = new Counter({
    name: 'kontor_http_requests_total',
    help: 'Replies by operation and class of status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect: () => {
      requestCounter.reset()
      for (const [operation, { classCounts }] of requests.entries()) {
        for (const hundreds of [2, 3, 4, 5]) {
          const labels = { operation, status: `${hundreds}xx` }
          requestCounter.inc(labels, classCounts[hundreds] ?? 0)
        }
      }
    },
  })
  new CountedHistogram(
    {
      name: 'kontor_http_request_duration_seconds',
      help: 'Time from arrival to reply; above 1,000 requests per second, one in 16 is sampled.',
      label: 'operation',
      boundsMs: REQUEST_BOUNDS_MS,
      times: () => Array.from(requests.entries(), ([name, { times }]) => [name, times] as const),
    },
    registry,
  )
  const byOperation = (name: string, help: string, field: OperationField): void =>
    add.counters(name, help, 'operation', () =>
      Array.from(requests.entries(), ([operation, totals]) => [operation, totals[field]]),
    )
  byOperation('kontor_http_response_bytes_total', 'Bytes of response bodies.', 'bodyBytes')
  byOperation(
    'kontor_http_unauthorized_total',
    'Replies with 401: the credential is missing, invalid, or lacks a scope.',
    'unauthorizedCount',
  )
  byOperation(
    'kontor_http_rate_limited_total',
    'Replies with 429: a credential or address exceeded its limit.',
    'rateLimitedCount',
  )
}

type OperationField = 'bodyBytes' | 'unauthorizedCount' | 'rateLimitedCount'

function addWorkspaces(registry: Registry, add: MetricList, metricSources: MetricSources): void {
  const { snapshots } = metricSources
  const { counts } = snapshots
  add.gauge('kontor_workspaces_resident', 'Workspaces in memory.', () => snapshots.residentCount)
  add.gauge(
    'kontor_workspaces_behind',
    'Workspaces in memory whose commits could not be read for two seconds or longer.',
    () => snapshots.behindCount,
  )
  add.gauge(
    'kontor_workspaces_resident_bytes',
    'Bytes of the workspaces in memory, with their indexes.',
    () => snapshots.residentBytes,
  )
  add.gauge(
    'kontor_workspaces_budget_bytes',
    'Memory budget for all workspaces in bytes (--memory-budget).',
    () => metricSources.memoryBudgetBytes,
  )
  new CountedHistogram(
    {
      name: 'kontor_workspace_load_duration_seconds',
      help: 'Time to load a workspace into memory, by source: its file or the cache.',
      label: 'source',
      boundsMs: LOAD_BOUNDS_MS,
      times: () => Object.entries(counts.loads),
    },
    registry,
  )
  new CountedHistogram(
    {
      name: 'kontor_workspace_follow_duration_seconds',
      help: 'Time to read changes of other programs to a workspace in memory.',
      boundsMs: FOLLOW_BOUNDS_MS,
      times: () => [['', counts.follows]],
    },
    registry,
  )
  add.counters(
    'kontor_workspace_reloads_total',
    'Full reloads of workspaces in memory, by reason.',
    'reason',
    () => Object.entries(counts.reloads),
  )
  add.counter(
    'kontor_workspace_load_failures_total',
    'Failed loads of workspaces; the log has the reason.',
    () => counts.failureCount,
  )
  add.counter(
    'kontor_workspace_evictions_total',
    'Workspaces removed from memory to stay within the budget.',
    () => counts.evictionCount,
  )
  add.counter(
    'kontor_workspace_drops_total',
    'Workspaces removed from memory because their file is gone, replaced or unreadable.',
    () => counts.dropCount,
  )
}

function addThreads(
  add: MetricList,
  { searches, matches, budgetMissCount, pools }: MetricSources,
): void {
  add.counter(
    'kontor_thread_searches_total',
    'Searches that ran on a worker thread.',
    () => searches.taskCount,
  )
  add.counter(
    'kontor_thread_matches_total',
    'Matches that ran on worker threads.',
    () => matches.taskCount,
  )
  add.counter(
    'kontor_match_budget_misses_total',
    'Matches that exceeded their time budget (--match-budget-ms).',
    budgetMissCount,
  )
  const byPool = (field: 'threadCount' | 'queueCount') => (): [string, number][] =>
    Object.entries(pools()).map(([pool, load]) => [pool, load[field]])
  add.gauges('kontor_threads', 'Number of threads.', 'pool', byPool('threadCount'))
  add.gauges(
    'kontor_thread_queue_tasks',
    'Tasks that wait for a thread.',
    'pool',
    byPool('queueCount'),
  )
}

function addCredentials(add: MetricList, { refusals, controlLog }: MetricSources): void {
  add.counters(
    'kontor_refusals_total',
    'Rejected sign-ins, tokens and keys, by action of the audit log.',
    'action',
    () => new Map([...REFUSED_ACTIONS.map((action) => [action, 0] as const), ...refusals]),
  )
  if (controlLog !== undefined) addControlLog(add, controlLog)
}

function addHeard(registry: Registry, add: MetricList, heard: HeardSource): void {
  new CountedHistogram(
    {
      name: 'kontor_store_pulse_duration_seconds',
      help: 'Duration of a poll of the database.',
      boundsMs: FOLLOW_BOUNDS_MS,
      times: () => [['', heard.took]],
    },
    registry,
  )
  add.gauge(
    'kontor_store_heard_age_seconds',
    'Maximum age of what this node knows of the database.',
    () => heard.ageMs() / 1000,
  )
  add.counter(
    'kontor_store_notifications_total',
    'Notifications from the database about changes.',
    heard.notificationCount,
  )
  add.counter(
    'kontor_store_connections_total',
    'Connections opened to poll the database.',
    heard.connectionCount,
  )
}

function addControlLog(add: MetricList, log: ControlLogSource): void {
  add.gauge(
    'kontor_control_log_pages',
    'Pages of the write-ahead log of control.db at the last check.',
    log.pageCount,
  )
  add.gauge(
    'kontor_control_log_left_pages',
    'Pages of the write-ahead log that are not yet checkpointed.',
    log.leftCount,
  )
  add.counter(
    'kontor_control_log_checkpoints_total',
    'Checkpoints of control.db by the service.',
    log.checkpointCount,
  )
}

/** Metrics that functions compute on each scrape. */
class MetricList {
  constructor(private readonly registry: Registry) {}

  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      ...this.#of(name, help),
      collect: () => gauge.set(read()),
    })
  }

  gauges(name: string, help: string, label: string, read: () => Labelled): void {
    const gauge: Gauge = new Gauge({
      ...this.#of(name, help),
      labelNames: [label],
      collect: () => {
        for (const [value, count] of read()) gauge.set({ [label]: value }, count)
      },
    })
  }

  counter(name: string, help: string, read: () => number): void {
    const counter: Counter = new Counter({
      ...this.#of(name, help),
      collect: () => {
        counter.reset()
        counter.inc(read())
      },
    })
  }

  counters(name: string, help: string, label: string, read: () => Labelled): void {
    const counter: Counter = new Counter({
      ...this.#of(name, help),
      labelNames: [label],
      collect: () => {
        counter.reset()
        for (const [value, count] of read()) counter.inc({ [label]: value }, count)
      },
    })
  }

  #of(name: string, help: string) {
    return { name, help, registers: [this.registry] }
  }
}

/** Value of the label and count. */
type Labelled = Iterable<readonly [value: string, count: number]>
