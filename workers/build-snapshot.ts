// Thread entry: reads a workspace file and builds its snapshot in shared memory.
import { snapshotOfFile } from '../src/snapshot/build.js'
import type { BuildTask } from '../src/snapshot/pool.js'
import type { Snapshot } from '../src/snapshot/snapshot.js'
import { WorkspaceFile } from '../src/store/workspace-file.js'

/** @throws StoreError when the file is missing, damaged, locked or too large */
export function buildSnapshotOf(task: BuildTask): Snapshot {
  const file = WorkspaceFile.openForReading(task.path)
  try {
    return snapshotOfFile(task.workspaceId, file)
  } finally {
    file.close()
  }
}
