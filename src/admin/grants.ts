import { scopesOf } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import {
  endGrant,
  findGrant,
  type GrantFilter,
  type ListedGrant,
  listGrants as listGrantRows,
} from '../store/grant-rows.js'
import { type AuditContext, auditedChange } from './audited-change.js'
import { partFields } from './integrations.js'
import { isRevoked, type KeyState, keyStateOf } from './key-terms.js'

/** A consent of an operator, as operators see it. */
export interface ClientGrant extends Omit<ListedGrant, 'scope'> {
  readonly scopes: readonly Scope[]
  readonly state: KeyState
}

/** Grants, newest first; revoked ones too, until they would have expired. */
export async function listGrants(
  { control, nowMs }: AuditContext,
  filter: GrantFilter,
): Promise<ClientGrant[]> {
  return (await control.look(() => listGrantRows(filter))).map(({ scope, ...row }) => {
    return { ...row, scopes: scopesOf(scope), state: keyStateOf(row, nowMs) }
  })
}

/**
 * Revokes a consent: every token of its grant fails from its next request on, and no new one is
 * issued.
 * @returns whether there is such a grant; revoking twice keeps the first time
 */
export const revokeGrant = auditedChange({
  action: 'grant.revoke',
  find: findGrant,
  isDone: isRevoked,
  write: endGrant,
  *fieldsOf(grant) {
    const detail = { client: grant.clientId, scope: grant.scope }
    return { ...(yield* partFields(grant)), detail }
  },
})
