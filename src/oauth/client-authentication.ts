import { isSecretOf } from '../auth/secret.js'
import type { Exchange } from '../http/engine/exchange.js'
import { type ClientRow, findClient } from '../store/client-rows.js'
import type { Work } from '../store/work.js'
import type { Form } from '../wire/form.js'
import type { Issuer } from './issuer.js'
import { OAuthError } from './oauth-error.js'

/**
 * The client that sends a form: a public one by its id alone, a confidential one with its secret
 * (docs/contract/credentials.md, "OAuth 2.1", rule 4).
 * @throws OAuthError `invalid_client`; its reasons are not distinguished where that would disclose
 *   which clients exist
 */
export function* authenticateClient(issuer: Issuer, form: Form): Work<ClientRow> {
  const clientId = form.value('client_id')
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', 'client_id is missing from the form.')
  }
  const client = yield* findClient(clientId)
  if (client === undefined || !client.isActive || client.integrationId !== issuer.integration.id) {
    throw new OAuthError(
      'invalid_client',
      'The client is unknown here, inactive, deleted or registered on another integration.',
    )
  }
  const secret = form.value('client_secret')
  if (client.secretHash === null) {
    if (secret === undefined) return client
    throw new OAuthError('invalid_client', 'A public client must not send client_secret.')
  }
  if (secret !== undefined && isSecretOf(secret, client.secretHash)) return client
  throw new OAuthError(
    'invalid_client',
    'The client_secret of a confidential client is missing from the form, or wrong.',
  )
}

/**
 * The client that a form or a query names, for the audit log; another program may have sent it.
 * @returns undefined when this integration has no such client, active or not
 */
export function* namedClientId(
  { integration }: Issuer,
  form: Form | undefined,
): Work<string | undefined> {
  const client = yield* findClient(form?.value('client_id') ?? '')
  return client?.integrationId === integration.id ? client.id : undefined
}

/**
 * Refuses a client that authenticates with the Authorization field.
 * @throws OAuthError `invalid_client` with a challenge, as RFC 6749, 5.2 requires for a client that
 * used the field
 */
export function refuseAuthorizationField(exchange: Exchange): void {
  const authorization = exchange.field('authorization')
  if (authorization === '') return
  const scheme = /^basic /i.test(authorization) ? 'Basic' : 'Bearer'
  throw new OAuthError(
    'invalid_client',
    'The Authorization field is not supported here: send client_id and client_secret in the form.',
    { fields: [['WWW-Authenticate', `${scheme} realm="kontor"`]] },
  )
}
