import { endGrant, findGrant } from '../store/grant-rows.js'
import { auditedChange, isRevoked } from './audit.js'
import { partFields } from './integrations.js'

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
  fieldsOf: (grant, control) => ({
    ...partFields(grant, control),
    detail: { client: grant.clientId, scope: grant.scope },
  }),
})
