import { CommandError } from '../errors.js'
import { ControlFile } from '../store/control-file.js'
import { openDataDirectory } from '../store/data-directory.js'
import { WorkspacePresence, workspaceUid } from '../store/workspace-presence.js'

/** Lets a command use control.db, and closes it. @throws StoreError, and what `use` throws */
export async function withControl<T>(
  dataDir: string,
  use: (control: ControlFile) => T | Promise<T>,
): Promise<T> {
  const control = ControlFile.open(openDataDirectory(dataDir).controlPath)
  try {
    return await use(control)
  } finally {
    control.close()
  }
}

/**
 * The uid of a workspace's file; null when it cannot be read now.
 * @throws CommandError when the data directory has no such workspace
 */
export function requireWorkspace(dataDir: string, workspaceId: string): string | null {
  const uid = workspaceUid(openDataDirectory(dataDir), workspaceId)
  if (uid !== undefined) return uid
  throw new CommandError(
    'failed',
    `there is no workspace ${JSON.stringify(workspaceId)}; kontor workspaces list shows all`,
  )
}

/**
 * Tells of keys and integrations whether the file they were made for is no longer the workspace's.
 * Looks at each file once.
 */
export function orphansOf(
  dataDir: string,
): (row: { readonly workspaceId: string; readonly workspaceUid: string | null }) => boolean {
  // Nothing is looked at twice: a listing shows one moment.
  const presence = new WorkspacePresence(openDataDirectory(dataDir), () => 0)
  return ({ workspaceId, workspaceUid }) =>
    workspaceUid !== null && !presence.has(workspaceId, workspaceUid)
}

/** The number of a row, as it is listed. @throws CommandError usage */
export function readRowId(text: string | undefined, what: string, listing: string): number {
  const id = /^\d+$/.test(text ?? '') ? Number(text) : 0
  if (Number.isSafeInteger(id) && id >= 1) return id
  throw new CommandError('usage', `${text} is no ${what} id; ${listing} shows them`)
}

/** @throws CommandError when there was none to change */
export function requireFound(isFound: boolean, what: string, id: string, listing: string): void {
  if (isFound) return
  throw new CommandError('failed', `there is no ${what} ${id}; ${listing} shows all`)
}
