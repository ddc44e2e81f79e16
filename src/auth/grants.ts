import type { Actor } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import { endGrant, findGrant } from '../store/grant-rows.js'
import { findIntegration } from '../store/integration-rows.js'
import { appendAudit } from './audit.js'

/**
 * Revokes a consent: every token of its grant fails from its next request on, and no new one is
 * issued.
 * @returns whether there is such a grant; revoking twice keeps the first time
 */
export function revokeGrant(
  control: ControlFile,
  id: number,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const grant = findGrant(control, id)
    if (grant === undefined) return false
    if (grant.revokedAt !== null) return true
    endGrant(control, id, nowMs)
    const { integrationId, clientId, scope } = grant
    const workspaceId = findIntegration(control, integrationId)?.workspaceId
    const told = { subject: id, workspaceId, integrationId, detail: { client: clientId, scope } }
    appendAudit(control, actor, nowMs, { action: 'grant.revoke', ...told })
    return true
  })
}
