// Thread entry: loads, follows, merges, indexes and writes the cache of snapshots in shared memory.
import { GARBAGE_BYTES_MAX, IDLE_THREAD_MS } from '../src/limits.js'
import type { CacheTask } from '../src/snapshot/cache.js'
import { GcTrigger } from '../src/snapshot/gc-trigger.js'
import type { SegmentIndexes } from '../src/snapshot/segment-indexes.js'
import type { LiveSegment, Segment } from '../src/snapshot/snapshot.js'
import { arrayBytes } from '../src/snapshot/snapshot-bytes.js'
import type {
  ApplyDeletesTask,
  FollowResult,
  FollowTask,
  LoadedWorkspace,
  LoadTask,
  MergeTask,
} from '../src/snapshot/snapshot-tasks.js'
import * as tasks from '../src/snapshot/snapshot-tasks.js'
import { lowerPriority } from '../src/snapshot/thread-priority.js'
import type { PartTask, VisiblePart } from '../src/snapshot/visible-rows.js'

export { checkpoint, discard, stamp } from '../src/snapshot/snapshot-tasks.js'

// A thread that works for 20 ms is let finish what the scheduler has given it, some 3 ms, before
// one that has a request to answer has its turn on the same core.
lowerPriority('most')

// Whose handles this thread still has stays in memory, whoever else has let go of it. Following is
// not counted: it comes with all of a snapshot, which mostly stays, several times a second. That is
// let go of when no more of it comes.
const gcTrigger = new GcTrigger(GARBAGE_BYTES_MAX)

export function load(task: LoadTask): LoadedWorkspace {
  return counted(tasks.load(task))
}

export function follow(task: FollowTask): FollowResult {
  gcTrigger.collectAfter(IDLE_THREAD_MS)
  return tasks.follow(task)
}

export function applyDeletes(task: ApplyDeletesTask): LiveSegment {
  gcTrigger.collectAfter(IDLE_THREAD_MS)
  return tasks.applyDeletes(task)
}

export function merge(task: MergeTask): LiveSegment {
  gcTrigger.add(arrayBytes(task))
  return counted(tasks.merge(task))
}

export function index(segment: Segment): SegmentIndexes {
  gcTrigger.add(arrayBytes(segment))
  return counted(tasks.index(segment))
}

export function part(task: PartTask): VisiblePart {
  gcTrigger.add(arrayBytes(task))
  return counted(tasks.part(task))
}

export function writeCache(task: CacheTask): void {
  gcTrigger.add(arrayBytes(task))
  tasks.writeCache(task)
}

/** What is given away is collected with what comes after it. */
function counted<Made>(made: Made): Made {
  gcTrigger.add(arrayBytes(made))
  return made
}
