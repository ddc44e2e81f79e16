import type { UnreadyReason } from '../domain/probes.js'
import type { RequestTotals } from '../http/request-totals.js'
import type { WorkspaceCache } from '../snapshot/workspace-cache.js'
import type { PoolLoad } from '../threads/thread-pool.js'
import type { TimeHistogram } from '../time-histogram.js'

/** The write-ahead log of control.db; see CheckpointScheduler. */
export interface ControlLogSource {
  readonly pageCount: () => number
  readonly leftCount: () => number
  readonly checkpointCount: () => number
  /** Load of the thread that checkpoints it. */
  readonly load: () => PoolLoad
}

/** Measurements of the polling of a database; see Pulse. */
export interface HeardSource {
  /** Maximum age of what the node knows of the database; Infinity = no poll yet. */
  readonly ageMs: () => number
  /** Durations of the polls. */
  readonly took: TimeHistogram
  readonly notificationCount: () => number
  readonly connectionCount: () => number
}

/** Measurements of a service, taken whether it is scraped or not; metrics are read from them. */
export interface MetricSources {
  readonly requests: RequestTotals
  readonly snapshots: Pick<
    WorkspaceCache,
    'behindCount' | 'counts' | 'residentBytes' | 'residentCount'
  >
  readonly memoryBudgetBytes: number
  /** Searches and matches that ran on other threads. */
  readonly searches: { readonly taskCount: number }
  readonly matches: { readonly taskCount: number }
  /** Matches that were refused because their time was used up. */
  readonly budgetMissCount: () => number
  /** By the name of the pool. */
  readonly pools: () => Readonly<Record<string, PoolLoad>>
  /** Refusals by action of the audit log. */
  readonly refusals: ReadonlyMap<string, number>
  /** undefined = control data are in a database. */
  readonly controlLog: ControlLogSource | undefined
  /** undefined = there is no database. */
  readonly heard: HeardSource | undefined
  /** As `/readyz` reports them. */
  readonly unready: () => readonly UnreadyReason[]
}

/** The running program and its engine. */
export interface Build {
  /** Of the program. */
  readonly version: string
  /** The engine that answers; `''` until it listens. */
  readonly engine: () => string
}
