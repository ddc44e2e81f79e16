import type { ControlFile } from '../store/control-file.js'
import { findIntegration, type IntegrationRow } from '../store/integration-rows.js'
import type { IntegrationPlace } from './issuer-url.js'

/** Where integrations are found. */
export interface IntegrationSource {
  readonly control: ControlFile
  /**
   * Whether the workspace has a file, and the one with that uid (null = any): what was taken away
   * is served by nothing, and another of its name is another.
   */
  readonly workspaceExists: (workspaceId: string, uid: string | null) => boolean
}

/**
 * The integration that an address names. undefined when there is no such active one: what is not
 * active and what does not exist are one and the same to everybody.
 */
export function findActiveIntegration(
  { control, workspaceExists }: IntegrationSource,
  { workspaceId, kind, integrationId }: IntegrationPlace,
): IntegrationRow | undefined {
  const integration = findIntegration(control, integrationId)
  if (integration === undefined || !integration.isActive) return undefined
  if (integration.kind !== kind || integration.workspaceId !== workspaceId) return undefined
  return workspaceExists(workspaceId, integration.workspaceUid) ? integration : undefined
}
