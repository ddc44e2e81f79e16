import { snapshotOfFile } from '../src/snapshot/build.js'
import type { Snapshot } from '../src/snapshot/snapshot.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { WORKSPACE_ID } from './corpus.js'
import { readFacts } from './facts.js'
import { type SnapshotBytes, snapshotBytes } from './loading.js'
import { measureQueries, type QueryFigures, type QueryOptions } from './queries.js'
import { Twin } from './twin.js'

/** Figures measured without a socket. */
export interface InProcessFigures {
  readonly queries: QueryFigures
  readonly snapshot: SnapshotBytes
}

/** Files and amount of queries. */
export interface InProcessOptions extends QueryOptions {
  readonly workspacePath: string
  readonly twinPath: string
}

/** Builds the snapshot in this process and measures queries over it. */
export function measureInProcess(options: InProcessOptions): InProcessFigures {
  const snapshot = readSnapshot(options.workspacePath)
  const twin = new Twin(options.twinPath)
  const queries = measureQueries(snapshot, readFacts(options.twinPath), twin, options)
  twin.close()
  return { queries, snapshot: snapshotBytes(snapshot) }
}

/** Builds the snapshot of a workspace file, without its text index. */
export function readSnapshot(path: string): Snapshot {
  const file = WorkspaceFile.openForReading(path)
  try {
    return snapshotOfFile(WORKSPACE_ID, file)
  } finally {
    file.close()
  }
}
