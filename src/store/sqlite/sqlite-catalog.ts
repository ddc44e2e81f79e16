import {
  type DataDirectory,
  deleteWorkspaceFile,
  workspaceAddress,
  workspaceExists,
  workspaceIds,
} from '../data-directory.js'
import type { WorkspaceAddress, WorkspaceCatalog } from '../workspace.js'
import { WorkspaceFile } from './workspace-file.js'
import { workspaceUid } from './workspace-presence.js'

/** The workspace files of a data directory. */
export class SqliteCatalog implements WorkspaceCatalog {
  constructor(private readonly directory: DataDirectory) {}

  async list(): Promise<string[]> {
    return workspaceIds(this.directory)
  }

  async find(workspaceId: string): Promise<WorkspaceAddress | undefined> {
    const isThere = workspaceExists(this.directory, workspaceId)
    return isThere ? workspaceAddress(this.directory, workspaceId) : undefined
  }

  async uidOf(workspaceId: string): Promise<string | null | undefined> {
    return workspaceUid(this.directory, workspaceId)
  }

  async make(workspaceId: string): Promise<WorkspaceAddress> {
    const address = workspaceAddress(this.directory, workspaceId)
    WorkspaceFile.open(address.path).close()
    return address
  }

  async delete(workspaceId: string): Promise<void> {
    deleteWorkspaceFile(this.directory, workspaceId)
  }
}
