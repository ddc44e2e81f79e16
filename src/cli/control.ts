import { CommandError } from '../errors.js'
import { ControlFile } from '../store/control-file.js'
import { isWorkspaceId, openDataDirectory, workspaceExists } from '../store/data-directory.js'

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

/** @throws CommandError when the data directory has no such workspace */
export function requireWorkspace(dataDir: string, workspaceId: string): void {
  const directory = openDataDirectory(dataDir)
  if (isWorkspaceId(workspaceId) && workspaceExists(directory, workspaceId)) return
  throw new CommandError(
    'failed',
    `there is no workspace ${JSON.stringify(workspaceId)}; kontor workspaces list shows all`,
  )
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
