import type { Access } from '../auth/access.js'
import { bearerTokenOf } from '../auth/bearer.js'
import { whenKnown } from '../when-known.js'
import { bearerChallenge } from '../wire/bearer-challenge.js'
import { workspaceIdOf } from '../wire/path-parameters.js'
import type { Exchange } from './engine/exchange.js'
import { insufficientScope, unauthorized, unknownCredential } from './http-errors.js'
import type { AnyOperation } from './operation.js'
import type { Route } from './routes.js'
import type { ServerParts } from './service-state.js'

/**
 * The caller's access to this workspace; a promise when control data have to be read by an engine
 * that waits. Throws, or rejects with, ApiError 401.
 */
export function accessOf(
  exchange: Exchange,
  route: Route,
  { credentials }: Pick<ServerParts, 'credentials'>,
): Access | Promise<Access> {
  const authorization = exchange.field('authorization')
  const token = bearerTokenOf(authorization)
  if (token === undefined) {
    const reason = authorization === '' ? 'no_credential' : 'invalid_token'
    throw unauthorized(
      'This operation requires a credential: send the header "Authorization: Bearer <API_KEY>".',
      bearerChallenge({ reason }),
    )
  }
  return whenKnown(credentials.forRest(token, exchange), (access) =>
    admitted(exchange, route, credentials, access),
  )
}

function admitted(
  exchange: Exchange,
  route: Route,
  credentials: ServerParts['credentials'],
  access: Access | undefined,
): Access {
  if (access === undefined || access.workspaceId !== workspaceIdOf(route.workspaceSegment)) {
    throw unknownCredential()
  }
  exchange.credential = access
  credentials.noteUse(access, route.operation.id)
  return access
}

/** Requires that the access has the scope of the operation. @throws ApiError 401 */
export function requireScope({ scope }: AnyOperation, access: Access): void {
  if (scope === undefined || access.scopes.has(scope)) return
  throw insufficientScope(scope)
}
