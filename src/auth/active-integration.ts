import type { ControlStore } from '../store/control-store.js'
import { findIntegration, type IntegrationRow } from '../store/integration-rows.js'
import type { Work } from '../store/work.js'
import type { IntegrationPlace } from './issuer-url.js'

/** The source of integrations. */
export interface IntegrationSource {
  readonly control: ControlStore
  /**
   * Whether the workspace has a file, and the one with that uid (null = any): nothing serves a file
   * that was removed, and another of its name is another workspace.
   */
  readonly workspaceExists: (workspaceId: string, uid: string | null) => boolean
}

/**
 * The integration of an address. undefined when there is no such active one: callers cannot
 * distinguish an inactive integration from a missing one.
 */
export function* findActiveIntegration(
  { workspaceExists }: Pick<IntegrationSource, 'workspaceExists'>,
  { workspaceId, kind, integrationId }: IntegrationPlace,
): Work<IntegrationRow | undefined> {
  const integration = yield* findIntegration(integrationId)
  if (integration === undefined || !integration.isActive) return undefined
  if (integration.kind !== kind || integration.workspaceId !== workspaceId) return undefined
  return workspaceExists(workspaceId, integration.workspaceUid) ? integration : undefined
}
