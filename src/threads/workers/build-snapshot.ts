// Thread entry: loads, follows, merges, indexes and writes the cache of snapshots in shared memory.
import type { CacheTask } from '../../snapshot/cache.js'
import type { SegmentIndexes } from '../../snapshot/segment-indexes.js'
import type { LiveSegment, Segment } from '../../snapshot/snapshot.js'
import { arrayBytes } from '../../snapshot/snapshot-bytes.js'
import type {
  ApplyDeletesTask,
  FollowResult,
  FollowTask,
  LoadedWorkspace,
  LoadTask,
  MergeTask,
  ReloadResult,
} from '../../snapshot/snapshot-tasks.js'
import * as tasks from '../../snapshot/snapshot-tasks.js'
import type { PartTask, VisiblePart } from '../../snapshot/visible-rows.js'
import { GcTrigger } from '../gc-trigger.js'
import { lowerPriority } from '../thread-priority.js'

export { discard, seal, settle } from '../../snapshot/snapshot-tasks.js'

// The scheduler lets a thread that works for 20 ms finish its slice, some 3 ms, before a thread
// with a request to answer runs on the same core.
lowerPriority('most')

/** Time without a change after which handles are collected. */
const FOLLOW_PAUSE_MS = 1_000

// A handle in this thread keeps its memory allocated, even if every other thread has released it.
// Tasks of following are not counted: several times a second, they bring handles to a whole
// snapshot, most of which lives on. Those are collected when following pauses.
const gcTrigger = new GcTrigger()

export async function load(task: LoadTask): Promise<LoadedWorkspace> {
  return counted(await tasks.load(task))
}

export async function reload(task: LoadTask): Promise<ReloadResult> {
  return counted(await tasks.reload(task))
}

export function follow(task: FollowTask): Promise<FollowResult> {
  gcTrigger.collectAfter(FOLLOW_PAUSE_MS)
  return tasks.follow(task)
}

export function applyDeletes(task: ApplyDeletesTask): LiveSegment {
  gcTrigger.collectAfter(FOLLOW_PAUSE_MS)
  return tasks.applyDeletes(task)
}

export function merge(task: MergeTask): LiveSegment[] {
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

export function writeCache(task: CacheTask): Promise<void> {
  gcTrigger.add(arrayBytes(task))
  return tasks.writeCache(task)
}

/** Counts a result, whose handles are garbage here once it was sent. */
function counted<Made>(made: Made): Made {
  gcTrigger.add(arrayBytes(made))
  return made
}
