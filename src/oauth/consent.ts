import { appendAudit } from '../auth/audit.js'
import { createSecret, hashOfSecret } from '../auth/secret.js'
import { accountIdsOf, scopesText } from '../auth/selection.js'
import { formToken, isFormToken } from '../browser/form-token.js'
import { replyPage, replySeeOther } from '../browser/page.js'
import type { Session } from '../browser/sessions.js'
import { actorOf } from '../http/actor.js'
import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { insertGrantWithCode } from '../store/grant-rows.js'
import type { Work } from '../store/work.js'
import type { Form } from '../wire/form.js'
import type { AuthorizationReading, AuthorizationRequest } from './authorization-request.js'
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

/** What a decision rests upon, as it is now. */
export interface ConsentState {
  readonly issuer: Issuer
  readonly reading: AuthorizationReading
  readonly session: Session | undefined
}

/** Shows the consent page. @param notice a sentence on a preceding error; absent = none */
export async function askConsent(context: ConsentContext, notice?: string): Promise<void> {
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
    selection: await shownSelection(parts, issuer),
    operatorName: session.operatorName,
    formToken: formToken(session.token, url),
    notice,
  })
  replyPage(exchange, { status: notice === undefined ? 200 : 403, page })
}

/** The accounts that the consent concerns, without the chosen ones that no longer exist. */
async function shownSelection(parts: OAuthParts, { integration }: Issuer): Promise<ShownSelection> {
  const ids = accountIdsOf(integration.accounts)
  const accounts = await parts.accountsOf(integration.workspaceId)
  if (ids === null) return { isAll: true, accounts: accounts ?? [] }
  const chosen = accounts?.filter(({ id }) => ids.includes(id)) ?? ids.map((id) => ({ id }))
  return { isAll: false, accounts: chosen }
}

/**
 * Takes a decision, or asks again when this browser was not shown the form for this request.
 * Decisions are not remembered: each request asks for consent.
 * @param stateNow asked again in the transaction of the decision
 * @returns whether it is answered; false: the session, the request or its client is over
 */
export async function takeConsent(
  context: ConsentContext,
  form: Form,
  stateNow: () => Work<ConsentState>,
): Promise<boolean> {
  const { parts, session, url } = context
  const action = form.value('action')
  const decide = isDecision(action) ? DECISIONS[action] : undefined
  if (!isFormToken(form.value('form_token'), session.token, url)) {
    await askConsent(context, 'The page has expired. Please decide again.')
    return true
  }
  if (decide === undefined) {
    await askConsent(context, 'The form contained no decision. Please decide again.')
    return true
  }
  const redirection = await parts.control.alone(function* () {
    const { issuer, reading, session } = yield* stateNow()
    if (reading.kind !== 'valid' || session === undefined) return undefined
    return yield* decide({ ...context, issuer, request: reading.request, session })
  })
  if (redirection === undefined) return false
  replySeeOther(context.exchange, redirection.url, redirection.fields)
  return true
}

/** Where a decision leads. */
interface Redirection {
  readonly url: string
  readonly fields?: ResponseFields
}

const DECISIONS = { allow, deny, 'sign-out': signOut } as const satisfies Readonly<
  Record<string, (context: ConsentContext) => Work<Redirection>>
>

function isDecision(action: string | undefined): action is keyof typeof DECISIONS {
  return action !== undefined && Object.hasOwn(DECISIONS, action)
}

function* allow(context: ConsentContext): Work<Redirection> {
  const { parts, issuer, request, session } = context
  const { client, callback, scopes, challenge, resource } = request
  const nowMs = parts.clock()
  const code = createSecret('ac-')
  const scope = scopesText(scopes)
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
  return { url: callbackUrl(callback, { code }) }
}

function* deny(context: ConsentContext): Work<Redirection> {
  yield* record(context, { outcome: 'refused', detail: { error: 'access_denied' } })
  const description = 'The operator denied access.'
  const parameters = { error: 'access_denied', error_description: description }
  return { url: callbackUrl(context.request.callback, parameters) }
}

function* signOut({ parts, exchange, session, url }: ConsentContext): Work<Redirection> {
  const actor = actorOf(exchange, `operator:${session.operatorName}`)
  const event = { action: 'session.end', subject: session.operatorId } as const
  yield* appendAudit(actor, parts.clock(), event)
  return { url, fields: [['Set-Cookie', yield* parts.sessions.end(session)]] }
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
