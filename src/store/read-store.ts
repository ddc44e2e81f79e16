import { type DataDirectory, workspaceExists } from './data-directory.js'
import { catalogOf, openWatch } from './open-workspace.js'
import type { WorkspaceAddress, WorkspaceCatalog, WorkspaceWatch } from './workspace.js'

/** What reads are answered from. */
export interface ReadStore {
  /** Has the caches. */
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  /** Watches a workspace. Rejects with StoreError. */
  readonly openWatch: (address: WorkspaceAddress) => Promise<WorkspaceWatch>
  /** Whether a workspace was there at the start: the cache of another one is removed then. */
  readonly wasThere: (workspaceId: string) => boolean
}

/** Reads of a data directory. */
export function readStoreOf(directory: DataDirectory): ReadStore {
  const wasThere = (workspaceId: string): boolean => workspaceExists(directory, workspaceId)
  return { directory, catalog: catalogOf(directory), openWatch, wasThere }
}
