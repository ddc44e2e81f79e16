// Thread entry: loads, follows, merges and indexes snapshots in shared memory.
import { THREAD_GARBAGE_BYTES_MAX } from '../src/limits.js'
import { Garbage } from '../src/snapshot/garbage.js'
import type { LoadTask } from '../src/snapshot/makers.js'
import * as makers from '../src/snapshot/makers.js'
import type { Snapshot } from '../src/snapshot/snapshot.js'
import { snapshotBytes } from '../src/snapshot/snapshot-bytes.js'

export { follow, index, merge, thin } from '../src/snapshot/makers.js'

const garbage = new Garbage(THREAD_GARBAGE_BYTES_MAX)

/** Many small workspaces may be loaded one after the other before this thread has a rest. */
export function load(task: LoadTask): Snapshot {
  const snapshot = makers.load(task)
  garbage.add(snapshotBytes(snapshot))
  return snapshot
}
