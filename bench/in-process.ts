import { snapshotOfState } from '../src/snapshot/build.js'
import type { Snapshot } from '../src/snapshot/snapshot.js'
import { readWorkspace } from '../src/store/open-workspace.js'
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
export async function measureInProcess(options: InProcessOptions): Promise<InProcessFigures> {
  const snapshot = await readSnapshot(options.workspacePath)
  const twin = new Twin(options.twinPath)
  const queries = measureQueries(snapshot, readFacts(options.twinPath), twin, options)
  twin.close()
  return { queries, snapshot: snapshotBytes(snapshot) }
}

/** Builds the snapshot of a workspace file, without its text index. */
export function readSnapshot(path: string): Promise<Snapshot> {
  return readWorkspace({ engine: 'sqlite', path }, (state) => snapshotOfState(WORKSPACE_ID, state))
}
