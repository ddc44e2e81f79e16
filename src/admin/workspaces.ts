import { messageOf } from '../errors.js'
import { removeSnapshotFile } from '../snapshot/snapshot-file.js'
import { deleteApiKeys } from '../store/api-key-rows.js'
import {
  cachePath,
  deleteWorkspaceFile,
  isWorkspaceId,
  workspaceAddress,
  workspaceExists,
  workspaceIds,
} from '../store/data-directory.js'
import { deleteIntegrations } from '../store/integration-rows.js'
import { openReader } from '../store/open-workspace.js'
import { WorkspaceFile } from '../store/sqlite/workspace-file.js'
import type { WorkspaceAddress } from '../store/workspace.js'
import type { AdminContext } from './admin-context.js'
import { type AuditContext, audited } from './audited-change.js'

/** The part of the context that names of workspaces are read from. */
type Files = Pick<AdminContext, 'directory'>

/** Ids of all workspaces that have a file, ascending. */
export function listWorkspaces({ directory }: Files): string[] {
  return workspaceIds(directory)
}

/** Whether the workspace has a file. */
export function hasWorkspace({ directory }: Files, workspaceId: string): boolean {
  return workspaceExists(directory, workspaceId)
}

/** Where a workspace is. */
export function addressOfWorkspace({ directory }: Files, workspaceId: string): WorkspaceAddress {
  return workspaceAddress(directory, workspaceId)
}

/** Whether a workspace can be read, and its counts. */
export interface WorkspaceReport {
  readonly workspaceId: string
  readonly state: 'ok' | 'unavailable'
  readonly accounts?: number
  readonly transactions?: number
  /** The reason why it is unavailable. */
  readonly reason?: string
}

/** Opens and checks a workspace. */
export async function checkWorkspace(files: Files, workspaceId: string): Promise<WorkspaceReport> {
  try {
    const reader = await openReader(addressOfWorkspace(files, workspaceId))
    try {
      const reason = await reader.fault()
      if (reason !== undefined) return { workspaceId, state: 'unavailable', reason }
      return await reader.read(async (state) => {
        const accounts = (await state.accounts()).length
        return { workspaceId, state: 'ok', accounts, transactions: await state.transactionCount() }
      })
    } finally {
      reader.close()
    }
  } catch (error) {
    return { workspaceId, state: 'unavailable', reason: messageOf(error) }
  }
}

/** Creates an empty workspace. @returns the fault of the id, or undefined when it was created */
export async function createWorkspace(
  context: AdminContext,
  workspaceId: string,
): Promise<'malformed' | 'taken' | undefined> {
  if (!isWorkspaceId(workspaceId)) return 'malformed'
  if (hasWorkspace(context, workspaceId)) return 'taken'
  WorkspaceFile.open(addressOfWorkspace(context, workspaceId).path).close()
  const event = { action: 'workspace.create', subject: workspaceId, workspaceId } as const
  await audited(context, (record) => record(event))
  return undefined
}

/** The number of credentials that went with a workspace. */
interface DeletedCounts {
  readonly keys: number
  readonly integrations: number
}

/** Deletes a workspace with its credentials and its file; the audit log stays. */
export async function deleteWorkspace(
  context: AdminContext,
  workspaceId: string,
): Promise<DeletedCounts> {
  const { directory } = context
  // Credentials first: whatever fails later, no caller can read a workspace that is being deleted.
  const counts = await deleteWorkspaceCredentials(context, workspaceId)
  deleteWorkspaceFile(directory, workspaceId)
  // After the file: a writer of its cache checks for the file when it has finished.
  removeSnapshotFile(cachePath(directory, workspaceId))
  return counts
}

/** Deletes every credential and integration of a workspace to be removed; the audit log stays. */
export function deleteWorkspaceCredentials(
  context: AuditContext,
  workspaceId: string,
): Promise<DeletedCounts> {
  return audited(context, function* (record) {
    const keys = yield* deleteApiKeys(workspaceId)
    const integrations = yield* deleteIntegrations(workspaceId)
    const detail = { keys, integrations }
    yield* record({ action: 'workspace.delete', subject: workspaceId, workspaceId, detail })
    return detail
  })
}
