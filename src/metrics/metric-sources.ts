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
  /** Of the thread that checkpoints it. */
  readonly load: () => PoolLoad
}

/** What a node hears of its database; see Pulse. */
export interface HeardSource {
  /** How long ago the database was as it is known here; Infinity = it was never heard. */
  readonly ageMs: () => number
  /** What asking took. */
  readonly took: TimeHistogram
  readonly notificationCount: () => number
  readonly connectionCount: () => number
}

/** Measurements of a service, taken whether it is scraped or not; metrics are read from them. */
export interface MetricSources {
  readonly requests: RequestTotals
  readonly snapshots: Pick<WorkspaceCache, 'counts' | 'residentBytes' | 'residentCount'>
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
