import { type DataDirectory, workspaceExists } from './data-directory.js'
import { catalogOf, openWatch } from './open-workspace.js'
import type { WorkspaceAddress, WorkspaceCatalog, WorkspaceWatch } from './workspace.js'

/** The source of all reads. */
export interface ReadStore {
  /** Holds the caches. */
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  /** Watches a workspace. Rejects with StoreError. */
  readonly openWatch: (address: WorkspaceAddress) => Promise<WorkspaceWatch>
  /** Whether a workspace existed at the start, where other caches are removed. */
  readonly wasThere: (workspaceId: string) => boolean
}

/** The read store of a data directory. */
export function readStoreOf(directory: DataDirectory): ReadStore {
  const wasThere = (workspaceId: string): boolean => workspaceExists(directory, workspaceId)
  return { directory, catalog: catalogOf(directory), openWatch, wasThere }
}
