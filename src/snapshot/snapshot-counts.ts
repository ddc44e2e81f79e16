import type { ReloadReason } from '../store/workspace.js'
import { TimeHistogram } from '../time-histogram.js'

/** Counts of events of the snapshots of all workspaces since the service started. */
export class SnapshotCounts {
  /** Duration of loads, by source. */
  readonly loads: Readonly<Record<'file' | 'cache', TimeHistogram>> = {
    file: new TimeHistogram(),
    cache: new TimeHistogram(),
  }
  /** Duration of reading the changes of a file. */
  readonly follows = new TimeHistogram()
  /** Reloads of whole files; see `RELOAD_REASONS`. */
  readonly reloads: Record<ReloadReason, number> = {
    unlogged: 0,
    other_file: 0,
    too_many_changes: 0,
    schema: 0,
  }
  /** Loads that failed. */
  failureCount = 0
  /** Snapshots evicted to keep within the memory budget. */
  evictionCount = 0
  /** Snapshots dropped because their file is gone, replaced or unreadable. */
  dropCount = 0
}
