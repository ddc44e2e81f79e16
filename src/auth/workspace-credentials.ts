import type { Actor } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import { deleteApiKeys } from '../store/api-key-rows.js'
import type { ControlFile } from '../store/control-file.js'
import { deleteIntegrations } from '../store/integration-rows.js'
import { appendAudit } from './audit.js'

/** Deletes every credential and integration of a workspace to be removed; the audit log stays. */
export function deleteWorkspaceCredentials(
  control: ControlFile,
  workspaceId: string,
  nowMs: EpochMs,
  actor: Actor,
): { readonly keys: number; readonly integrations: number } {
  return control.atomically(() => {
    const keys = deleteApiKeys(control, workspaceId)
    const integrations = deleteIntegrations(control, workspaceId)
    const detail = { keys, integrations }
    const told = { subject: workspaceId, workspaceId, detail }
    appendAudit(control, actor, nowMs, { action: 'workspace.delete', ...told })
    return { keys, integrations }
  })
}
