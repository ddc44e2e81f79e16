import { deleteApiKeys } from '../store/api-key-rows.js'
import { deleteIntegrations } from '../store/integration-rows.js'
import { type AuditContext, audited } from './audit.js'

/** Deletes every credential and integration of a workspace to be removed; the audit log stays. */
export function deleteWorkspaceCredentials(
  context: AuditContext,
  workspaceId: string,
): { readonly keys: number; readonly integrations: number } {
  return audited(context, (record) => {
    const keys = deleteApiKeys(context.control, workspaceId)
    const integrations = deleteIntegrations(context.control, workspaceId)
    const detail = { keys, integrations }
    record({ action: 'workspace.delete', subject: workspaceId, workspaceId, detail })
    return detail
  })
}
