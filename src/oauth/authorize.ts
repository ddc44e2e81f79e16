import { appendAudit } from '../auth/audit.js'
import { replyPage, replySeeOther } from '../browser/page.js'
import { isFromOurPages } from '../browser/same-site.js'
import { credentialOf } from '../browser/sessions.js'
import type { SignInContext } from '../browser/sign-in.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/engine/exchange.js'
import type { Work } from '../store/work.js'
import { Form } from '../wire/form.js'
import { type AuthorizationReading, readAuthorizationRequest } from './authorization-request.js'
import { callbackUrl } from './callback.js'
import { namedClientId } from './client-authentication.js'
import { askConsent, type ConsentState, takeConsent } from './consent.js'
import { readFormBody } from './form-body.js'
import { type Issuer, issuerNow } from './issuer.js'
import { OAuthError, type OAuthErrorCode } from './oauth-error.js'
import { destinationOf } from './pages/consent-page.js'
import { errorPage } from './pages/error-page.js'
import type { OAuthParts } from './parts.js'

/**
 * The authorization endpoint: a GET shows the sign-in page, or the consent page; the forms of both
 * pages are sent to the same URL, which contains the whole request, so that no state is kept
 * between them and every step validates all of it again.
 * @see docs/contract/credentials.md, "OAuth 2.1", rules 6, 7; RFC 6749, 4.1; RFC 9207
 */
export async function answerAuthorize(
  parts: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
): Promise<void> {
  const cookies = exchange.field('cookie')
  const context: SignInContext = {
    ...{ exchange, cookies, address: exchange.remoteAddress, url: urlOf(issuer, exchange) },
    purpose:
      `A program requests read access to the workspace ${issuer.integration.workspaceId}. ` +
      'Sign in to see the details and to decide.',
  }
  if (exchange.method === 'POST') return takeForm(parts, issuer, context)
  const query = new Form(exchange.query)
  const reading = await parts.control.look(() => readAuthorizationRequest(issuer, query))
  if (reading.kind !== 'valid') return refuse(parts, issuer, context, reading)
  const { request } = reading
  const session = await parts.sessions.find(cookies)
  if (request.isSilent) {
    // Consent is asked for each time, so no request succeeds without a person.
    const code = session === undefined ? 'login_required' : 'consent_required'
    const error = new OAuthError(
      code,
      'prompt=none is not supported: an operator must give consent.',
    )
    return refuse(parts, issuer, context, { kind: 'refused', ...request, error })
  }
  if (session === undefined) return parts.signIn.ask(context)
  exchange.credential = credentialOf(session)
  await askConsent({ parts, issuer, exchange, request, session, url: context.url })
}

async function takeForm(parts: OAuthParts, found: Issuer, context: SignInContext): Promise<void> {
  const { exchange } = context
  if (!isFromOurPages(exchange, parts.baseUrl())) return refuseForeignForm(parts, found, exchange)
  try {
    const form = await readFormBody(exchange)
    // What the decision rests upon may end between the look and the transaction.
    while (!(await decide(parts, found, context, form)));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    await record(parts, found, exchange, error.code)
    const page = errorPage(error.code, error.message)
    replyPage(exchange, { status: error.status, page })
  }
}

/** Answers a form. @returns whether it is answered; else what was found first is over */
async function decide(
  parts: OAuthParts,
  found: Issuer,
  context: SignInContext,
  form: Form,
): Promise<boolean> {
  const { exchange, url } = context
  const { control, signIn } = parts
  const stateNow = (): Work<ConsentState> => consentState(parts, found, context)
  const { issuer, reading, session } = await control.look(stateNow)
  if (reading.kind !== 'valid') {
    await refuse(parts, issuer, context, reading)
  } else if (form.value('action') === 'sign-in') {
    await signIn.take(context, form)
  } else if (session === undefined) {
    const notice = 'Your session has ended. Sign in to decide.'
    await signIn.ask(context, { status: 403, notice })
  } else {
    exchange.credential = credentialOf(session)
    const { request } = reading
    return takeConsent({ parts, issuer, exchange, request, session, url }, form, stateNow)
  }
  return true
}

/** @throws OAuthError when the integration is no longer active */
function* consentState(
  parts: OAuthParts,
  found: Issuer,
  { exchange, cookies }: SignInContext,
): Work<ConsentState> {
  const issuer = yield* issuerNow(parts, found)
  const reading = yield* readAuthorizationRequest(issuer, new Form(exchange.query))
  return { issuer, reading, session: yield* parts.sessions.current(cookies) }
}

/** Shows nothing of the request and redirects nowhere: another site made the browser send it. */
async function refuseForeignForm(
  parts: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
): Promise<void> {
  await record(parts, issuer, exchange, 'access_denied')
  const message =
    'The form was sent from another site. Go back to the program and start again. ' +
    'If this address is correct, start the service with it as --base-url; ' +
    `the current one is ${parts.baseUrl()}.`
  replyPage(exchange, { status: 403, page: errorPage('access_denied', message) })
}

type AuthorizationRejection = Exclude<AuthorizationReading, { kind: 'valid' }>

async function refuse(
  parts: OAuthParts,
  issuer: Issuer,
  context: SignInContext,
  rejection: AuthorizationRejection,
): Promise<void> {
  const { exchange, cookies } = context
  const { error } = rejection
  await record(parts, issuer, exchange, error.code)
  if (rejection.kind === 'unanswerable') {
    replyPage(exchange, { status: 400, page: errorPage(error.code, error.message) })
    return
  }
  const { client, callback } = rejection
  // Anyone can register an address and then have a link to this service lead there (RFC 9700,
  // 4.11.2).
  if (client.registered === 'dynamic' && (await parts.sessions.find(cookies)) === undefined) {
    const page = errorPage(error.code, error.message, destinationOf(callback.redirectUri))
    replyPage(exchange, { status: 400, page })
    return
  }
  const parameters = { error: error.code, error_description: error.message }
  replySeeOther(exchange, callbackUrl(callback, parameters))
}

async function record(
  { control, clock }: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
  error: OAuthErrorCode,
): Promise<void> {
  const { integration } = issuer
  await control.atomically(function* () {
    yield* appendAudit(actorOf(exchange), clock(), {
      action: 'authorization.request',
      subject: yield* namedClientId(issuer, new Form(exchange.query)),
      workspaceId: integration.workspaceId,
      integrationId: integration.id,
      outcome: 'refused',
      detail: { error },
    })
  })
}

/** The URL of this request, in visible ASCII whatever characters it was sent with. */
function urlOf(issuer: Issuer, { query }: Exchange): string {
  const url = new URL(`${issuer.url}/authorize`)
  url.search = query
  return url.href
}
