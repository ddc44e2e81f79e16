import { appendAudit } from '../auth/audit.js'
import { messageOf } from '../errors.js'
import { removeSnapshotFile } from '../snapshot/snapshot-file.js'
import { deleteApiKeys } from '../store/api-key-rows.js'
import { cachePath, isWorkspaceId } from '../store/data-directory.js'
import { deleteIntegrations } from '../store/integration-rows.js'
import { openReader } from '../store/open-workspace.js'
import { StoreError } from '../store/store-error.js'
import type { Work } from '../store/work.js'
import type { WorkspaceAddress } from '../store/workspace.js'
import type { AdminContext } from './admin-context.js'
import { audited, type ChangeContext } from './audited-change.js'

/** The part of the context that finds workspaces. */
type Workspaces = Pick<AdminContext, 'catalog'>

/** Ids of all workspaces, ascending. @throws StoreError */
export function listWorkspaces({ catalog }: Workspaces): Promise<string[]> {
  return catalog.list()
}

/** Whether there is such a workspace. @throws StoreError */
export async function hasWorkspace({ catalog }: Workspaces, workspaceId: string): Promise<boolean> {
  return (await catalog.find(workspaceId)) !== undefined
}

/** A workspace that rows may be imported into. */
export interface FoundWorkspace {
  readonly workspaceId: string
  readonly address: WorkspaceAddress
}

/** A workspace; undefined = there is none. @throws StoreError */
export async function findWorkspace(
  { catalog }: Workspaces,
  workspaceId: string,
): Promise<FoundWorkspace | undefined> {
  const address = await catalog.find(workspaceId)
  return address && { workspaceId, address }
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
export async function checkWorkspace(
  context: Workspaces,
  workspaceId: string,
): Promise<WorkspaceReport> {
  try {
    const found = await findWorkspace(context, workspaceId)
    if (found === undefined) throw new StoreError(`there is no workspace ${workspaceId}`)
    const reader = await openReader(found.address)
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
  if (await hasWorkspace(context, workspaceId)) return 'taken'
  await context.catalog.make(workspaceId)
  const event = { action: 'workspace.create', subject: workspaceId, workspaceId } as const
  await audited(context, (record) => record(event))
  return undefined
}

/** The number of credentials that went with a workspace. */
interface DeletedCounts {
  readonly keys: number
  readonly integrations: number
}

/** Deletes a workspace with its credentials and its rows; the audit log stays. */
export async function deleteWorkspace(
  context: AdminContext,
  workspaceId: string,
): Promise<DeletedCounts> {
  const { catalog, control, directory } = context
  const counts = await catalog.deleteAfter(workspaceId, control, () =>
    deleteWorkspaceCredentials(context, workspaceId),
  )
  // After the rows: a thread that writes the cache checks the workspace when it has finished.
  removeSnapshotFile(cachePath(directory, workspaceId))
  return counts
}

/** Deletes every credential and integration of a workspace to be removed; the audit log stays. */
export function* deleteWorkspaceCredentials(
  { actor, nowMs }: ChangeContext,
  workspaceId: string,
): Work<DeletedCounts> {
  const keys = yield* deleteApiKeys(workspaceId)
  const integrations = yield* deleteIntegrations(workspaceId)
  const detail = { keys, integrations }
  const event = { action: 'workspace.delete', subject: workspaceId, workspaceId, detail } as const
  yield* appendAudit(actor, nowMs, event)
  return detail
}
