import { appendAudit } from '../auth/audit.js'
import { createSecret, hashOfSecret } from '../auth/secret.js'
import { accountIdsOf, scopesText } from '../auth/selection.js'
import { formToken, isFormToken } from '../browser/form-token.js'
import { replyPage, replySeeOther } from '../browser/page.js'
import type { Session } from '../browser/sessions.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/engine/exchange.js'
import { insertGrantWithCode } from '../store/grant-rows.js'
import type { Work } from '../store/work.js'
import type { Form } from '../wire/form.js'
import type { AuthorizationRequest } from './authorization-request.js'
import { callbackUrl } from './callback.js'
import type { Issuer } from './issuer.js'
import { consentPage, type ShownSelection } from './pages/consent-page.js'
import type { OAuthParts } from './parts.js'

/** A signed-in operator who is to decide. */
export interface ConsentContext {
  readonly parts: OAuthParts
  readonly issuer: Issuer
  readonly exchange: Exchange
  readonly request: AuthorizationRequest
  readonly session: Session
  /** The absolute URL of the page, which contains the whole request: its forms are tied to it. */
  readonly url: string
}

/** Shows the consent page. @param notice a sentence on a preceding error; absent = none */
export function askConsent(context: ConsentContext, notice?: string): void {
  const { parts, issuer, exchange, request, session, url } = context
  const { client, callback, scopes } = request
  const { integration } = issuer
  const page = consentPage({
    clientName: client.name,
    isSelfRegistered: client.registered === 'dynamic',
    redirectUri: callback.redirectUri,
    scopes,
    workspaceId: integration.workspaceId,
    integrationName: integration.name,
    selection: shownSelection(parts, issuer),
    operatorName: session.operatorName,
    formToken: formToken(session.token, url),
    notice,
  })
  replyPage(exchange, { status: notice === undefined ? 200 : 403, page })
}

/** The accounts that the consent concerns, without the chosen ones that no longer exist. */
function shownSelection(parts: OAuthParts, { integration }: Issuer): ShownSelection {
  const ids = accountIdsOf(integration.accounts)
  const accounts = parts.accountsOf(integration.workspaceId)
  if (ids === null) return { isAll: true, accounts: accounts ?? [] }
  const chosen = accounts?.filter(({ id }) => ids.includes(id)) ?? ids.map((id) => ({ id }))
  return { isAll: false, accounts: chosen }
}

/**
 * Takes a decision, or asks again when this browser was not shown the form for this request.
 * Decisions are not remembered: each request asks for consent.
 */
export function takeConsent(context: ConsentContext, form: Form): void {
  const { session, url } = context
  if (!isFormToken(form.value('form_token'), session.token, url)) {
    askConsent(context, 'The page has expired. Please decide again.')
    return
  }
  const action = form.value('action')
  if (action === 'allow') allow(context)
  else if (action === 'deny') deny(context)
  else if (action === 'sign-out') signOut(context)
  else askConsent(context, 'The form contained no decision. Please decide again.')
}

function allow(context: ConsentContext): void {
  const { parts, issuer, exchange, request, session } = context
  const { client, callback, scopes, challenge, resource } = request
  const { control } = parts
  const nowMs = parts.clock()
  const code = createSecret('ac-')
  const scope = scopesText(scopes)
  control.alone(function* () {
    const grant = yield* insertGrantWithCode({
      clientId: client.id,
      integrationId: issuer.integration.id,
      operatorId: session.operatorId,
      scope,
      resource: resource ?? null,
      createdAt: nowMs,
      codeHash: hashOfSecret(code),
      redirectUri: callback.redirectUri,
      challenge,
      codeExpiresAt: nowMs + issuer.integration.codeMs,
    })
    yield* record(context, { outcome: 'ok', detail: { grant, scope } })
  })
  replySeeOther(exchange, callbackUrl(callback, { code }))
}

function deny(context: ConsentContext): void {
  const event = { outcome: 'refused', detail: { error: 'access_denied' } } as const
  context.parts.control.alone(() => record(context, event))
  const description = 'The operator denied access.'
  const parameters = { error: 'access_denied', error_description: description }
  replySeeOther(context.exchange, callbackUrl(context.request.callback, parameters))
}

function signOut({ parts, exchange, session, url }: ConsentContext): void {
  const { control, sessions } = parts
  const cookie = control.alone(function* () {
    const actor = actorOf(exchange, `operator:${session.operatorName}`)
    const event = { action: 'session.end', subject: session.operatorId } as const
    yield* appendAudit(actor, parts.clock(), event)
    return yield* sessions.end(session)
  })
  replySeeOther(exchange, url, [['Set-Cookie', cookie]])
}

function record(
  { parts, issuer, exchange, request, session }: ConsentContext,
  event: {
    readonly outcome: 'ok' | 'refused'
    readonly detail: Readonly<Record<string, string | number>>
  },
): Work<void> {
  return appendAudit(actorOf(exchange, `operator:${session.operatorName}`), parts.clock(), {
    action: 'consent.decide',
    subject: request.client.id,
    workspaceId: issuer.integration.workspaceId,
    integrationId: issuer.integration.id,
    ...event,
  })
}
