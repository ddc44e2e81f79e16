// Thread entry: loads, follows, merges, indexes and freezes snapshots in shared memory.
import { THREAD_GARBAGE_BYTES_MAX } from '../src/limits.js'
import { Garbage } from '../src/snapshot/garbage.js'
import type { Loaded, LoadTask } from '../src/snapshot/makers.js'
import * as makers from '../src/snapshot/makers.js'
import { snapshotBytes } from '../src/snapshot/snapshot-bytes.js'

export {
  discard,
  follow,
  freeze,
  index,
  merge,
  moveLog,
  stamp,
  thin,
} from '../src/snapshot/makers.js'

const garbage = new Garbage(THREAD_GARBAGE_BYTES_MAX)

/** Many small workspaces may be loaded one after the other before this thread has a rest. */
export function load(task: LoadTask): Loaded {
  const loaded = makers.load(task)
  garbage.add(snapshotBytes(loaded.snapshot))
  return loaded
}
