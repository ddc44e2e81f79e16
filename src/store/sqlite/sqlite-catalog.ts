import type { ControlStore } from '../control-store.js'
import {
  type DataDirectory,
  deleteWorkspaceFile,
  workspaceAddress,
  workspaceExists,
  workspaceIds,
} from '../data-directory.js'
import { done, type Work } from '../work.js'
import type { WorkspaceAddress, WorkspaceCatalog } from '../workspace.js'
import { WorkspaceFile } from './workspace-file.js'
import { WorkspacePresence, workspaceUid } from './workspace-presence.js'

/** The workspace files of a data directory. */
export class SqliteCatalog implements WorkspaceCatalog {
  readonly #presence: WorkspacePresence

  constructor(private readonly directory: DataDirectory) {
    this.#presence = new WorkspacePresence(directory, () => performance.now())
  }

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

  has(workspaceId: string, uid: string | null): Work<boolean> {
    return done(this.#presence.has(workspaceId, uid))
  }

  async make(workspaceId: string): Promise<WorkspaceAddress> {
    const address = workspaceAddress(this.directory, workspaceId)
    WorkspaceFile.open(address.path).close()
    return address
  }

  async delete(workspaceId: string): Promise<void> {
    deleteWorkspaceFile(this.directory, workspaceId)
  }

  async deleteAfter<T>(
    workspaceId: string,
    control: Pick<ControlStore, 'alone'>,
    work: () => Work<T>,
  ): Promise<T> {
    const result = await control.alone(work)
    await this.delete(workspaceId)
    return result
  }
}
