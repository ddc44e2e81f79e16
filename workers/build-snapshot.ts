// Thread entry: loads, follows, merges, indexes and freezes snapshots in shared memory.
import { GARBAGE_BYTES_MAX, IDLE_THREAD_MS } from '../src/limits.js'
import type { FreezeTask } from '../src/snapshot/cache.js'
import { Garbage } from '../src/snapshot/garbage.js'
import type {
  FollowTask,
  Loaded,
  LoadTask,
  MergeTask,
  Step,
  ThinTask,
} from '../src/snapshot/makers.js'
import * as makers from '../src/snapshot/makers.js'
import type { SegmentIndexes } from '../src/snapshot/segment-indexes.js'
import type { LiveSegment, Segment } from '../src/snapshot/snapshot.js'
import { arrayBytes } from '../src/snapshot/snapshot-bytes.js'
import { giveWay } from '../src/snapshot/thread-priority.js'
import type { PartTask, VisiblePart } from '../src/snapshot/visible-rows.js'

export { discard, moveLog, stamp } from '../src/snapshot/makers.js'

// A thread that works for 20 ms is let finish what the scheduler has given it, some 3 ms, before
// one that has a request to answer has its turn on the same core.
giveWay('most')

// Whose handles this thread still has stays in memory, whoever else has let go of it. Following is
// not counted: it comes with all of a snapshot, which mostly stays, several times a second. That is
// let go of when no more of it comes.
const garbage = new Garbage(GARBAGE_BYTES_MAX)

export function load(task: LoadTask): Loaded {
  return counted(makers.load(task))
}

export function follow(task: FollowTask): Step {
  garbage.collectAfter(IDLE_THREAD_MS)
  return makers.follow(task)
}

export function thin(task: ThinTask): LiveSegment {
  garbage.collectAfter(IDLE_THREAD_MS)
  return makers.thin(task)
}

export function merge(task: MergeTask): LiveSegment {
  garbage.add(arrayBytes(task))
  return counted(makers.merge(task))
}

export function index(segment: Segment): SegmentIndexes {
  garbage.add(arrayBytes(segment))
  return counted(makers.index(segment))
}

export function part(task: PartTask): VisiblePart {
  garbage.add(arrayBytes(task))
  return counted(makers.part(task))
}

export function freeze(task: FreezeTask): void {
  garbage.add(arrayBytes(task))
  makers.freeze(task)
}

/** What is given away is collected with what comes after it. */
function counted<Made>(made: Made): Made {
  garbage.add(arrayBytes(made))
  return made
}
