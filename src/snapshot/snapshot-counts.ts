import { TimeHistogram } from '../time-histogram.js'
import type { ReloadReason } from './follow.js'

/** What has happened to the snapshots of all workspaces since the service has started. */
export class SnapshotCounts {
  /** How long loads took, by what the snapshot was made of. */
  readonly loads: Readonly<Record<'file' | 'cache', TimeHistogram>> = {
    file: new TimeHistogram(),
    cache: new TimeHistogram(),
  }
  /** How long it took to read what was changed in a file. */
  readonly follows = new TimeHistogram()
  /** Files that were read again as a whole; see `RELOAD_REASONS`. */
  readonly reloads: Record<ReloadReason, number> = {
    unlogged: 0,
    other_file: 0,
    too_many_changes: 0,
    schema: 0,
  }
  /** Loads that failed. */
  failureCount = 0
  /** Snapshots that left memory to keep within the budget. */
  evictionCount = 0
  /** Snapshots that left memory because their file is gone, replaced or cannot be read. */
  dropCount = 0
}
