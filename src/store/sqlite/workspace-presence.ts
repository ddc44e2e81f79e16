import { type DataDirectory, workspaceExists, workspacePath } from '../data-directory.js'
import { StoreError } from '../store-error.js'
import { WorkspaceFile } from './workspace-file.js'

/**
 * How long a workspace file is assumed unchanged where no data are read: opening one takes a third
 * of a millisecond, and every read of data detects a file that replaced another.
 */
export const WORKSPACE_UID_TRUST_MS = 1_000

/** The uid of a workspace's file; undefined = there is none, null = it cannot be read now. */
export function workspaceUid(
  directory: DataDirectory,
  workspaceId: string,
): string | null | undefined {
  if (!workspaceExists(directory, workspaceId)) return undefined
  let file: WorkspaceFile | undefined
  try {
    file = WorkspaceFile.openForReading(workspacePath(directory, workspaceId), 0)
    return file.version().uid
  } catch (error) {
    if (error instanceof StoreError) return null
    throw error
  } finally {
    file?.close()
  }
}

/**
 * Whether workspaces still have the file that a credential is bound to. To be used for paths that
 * lead to data but show none: a file that has just replaced another may count as that one for a
 * moment.
 */
export class WorkspacePresence {
  readonly #known = new Map<string, { readonly uid: string | null; readonly atMs: number }>()

  /** @param ticks monotonic ms with fractions */
  constructor(
    private readonly directory: DataDirectory,
    private readonly ticks: () => number,
  ) {}

  /**
   * Whether the workspace has a file with that uid. An unreadable file counts as the right one: its
   * readers check again.
   * @param uid null = any file
   */
  has(workspaceId: string, uid: string | null): boolean {
    if (!workspaceExists(this.directory, workspaceId)) return false
    if (uid === null) return true
    const known = this.#uidOf(workspaceId)
    return known === null || known === uid
  }

  #uidOf(workspaceId: string): string | null {
    const nowMs = this.ticks()
    const known = this.#known.get(workspaceId)
    if (known !== undefined && nowMs - known.atMs < WORKSPACE_UID_TRUST_MS) return known.uid
    const uid = workspaceUid(this.directory, workspaceId) ?? null
    this.#known.set(workspaceId, { uid, atMs: nowMs })
    return uid
  }
}
