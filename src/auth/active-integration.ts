import type { ControlStore } from '../store/control-store.js'
import { findIntegration, type IntegrationRow } from '../store/integration-rows.js'
import type { Work } from '../store/work.js'
import type { IntegrationPlace } from './issuer-url.js'

/** The source of integrations. */
export interface IntegrationSource {
  readonly control: ControlStore
  /**
   * Whether the workspace with that uid (null = any) exists. A removed workspace is not served, and
   * a new one under the same name is a different workspace.
   */
  readonly workspaceExists: (workspaceId: string, uid: string | null) => Work<boolean>
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
  const isThere = yield* workspaceExists(workspaceId, integration.workspaceUid)
  return isThere ? integration : undefined
}
