import { unconfirmedText } from '../admin/confirmation.js'
import { replySeeOther } from '../browser/page.js'
import { isFromOurPages } from '../browser/same-site.js'
import { credentialOf, type Session } from '../browser/sessions.js'
import type { SignInContext } from '../browser/sign-in.js'
import { withUnavailablePage } from '../browser/unavailable-page.js'
import type { Actor } from '../domain/audit.js'
import { ApiError } from '../errors.js'
import { actorOf } from '../http/actor.js'
import type { Exchange, Handler } from '../http/engine/exchange.js'
import { methodNotAllowed } from '../http/http-errors.js'
import { whenKnown } from '../when-known.js'
import { Form } from '../wire/form.js'
import { ASSETS_PATH, Assets } from './assets.js'
import { type DashboardContext, isTokenHere, linkTo } from './dashboard-context.js'
import { OneTimeNotes } from './one-time-notes.js'
import {
  noSuchActionView,
  noSuchPageView,
  staleFormView,
  unconfirmedView,
} from './pages/error-pages.js'
import type { DashboardParts } from './parts.js'
import { createReferenceAnswers } from './reference/reference.js'
import { replyAsset } from './reply-asset.js'
import { replyWith } from './reply-view.js'
import { findPage, type PageMatch } from './routes.js'
import { controlOfSession, SessionEndedError } from './session-control.js'
import { FORM_BYTES_MAX } from './upload.js'

/** State shared by all requests. */
interface DashboardState {
  readonly parts: DashboardParts
  readonly assets: Assets
  readonly notes: OneTimeNotes
}

/**
 * Answers the paths of the dashboard. Without a session, every path replies with the sign-in page,
 * whether it exists or not.
 * @returns by path, the handler; undefined for every other path
 */
export function createDashboardAnswers(
  parts: DashboardParts,
): (path: string) => Handler | undefined {
  const state: DashboardState = {
    parts,
    assets: Assets.load(),
    notes: new OneTimeNotes(parts.clock),
  }
  const answer = withUnavailablePage((exchange) => answerVisit(state, exchange))
  const reference = createReferenceAnswers(parts)
  const root: Handler = (exchange) => answerRoot(state, exchange)
  return (path) => {
    if (path === '/') return root
    return isDashboardPath(path) ? answer : reference(path)
  }
}

/** The address of the service, as typed into a browser. */
function answerRoot(state: DashboardState, exchange: Exchange): void {
  exchange.operation = 'dashboard'
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
    throw methodNotAllowed('The method must be GET or HEAD.', 'GET, HEAD')
  }
  replySeeOther(exchange, linkTo(state, '/dashboard'))
}

/** No path of the contract has this prefix: its first segment is `v1`. */
function isDashboardPath(path: string): boolean {
  return path === '/dashboard' || path.startsWith('/dashboard/')
}

function answerVisit(state: DashboardState, exchange: Exchange): void | Promise<void> {
  const { parts } = state
  const { method } = exchange
  exchange.operation = 'dashboard'
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    throw methodNotAllowed('The method must be GET, HEAD or POST.', 'GET, HEAD, POST')
  }
  const session = parts.sessions.find(exchange.field('cookie'))
  if (session instanceof Promise) exchange.keepBody()
  return whenKnown(session, (found) =>
    found === undefined ? answerSignedOut(state, exchange) : answerSession(state, exchange, found),
  )
}

function answerSession(
  state: DashboardState,
  exchange: Exchange,
  session: Session,
): void | Promise<void> {
  exchange.credential = credentialOf(session)
  // The one-time link may still be in the address bar after its form was sent.
  if (exchange.path === '/dashboard/') return replySeeOther(exchange, linkTo(state, '/dashboard'))
  if (exchange.path.startsWith(ASSETS_PATH)) {
    const asset = state.assets.find(exchange.path)
    if (asset !== undefined) return replyAsset(exchange, asset, 'private')
  }
  const actor = actorOf(exchange, `operator:${session.operatorName}`)
  const found = findPage(exchange.path)
  const context = contextOf(state, exchange, { session, actor, named: found?.named ?? {} })
  if (found === undefined) return replyWith(context, noSuchPageView())
  if (exchange.method === 'POST') return answerForm(context, found)
  return replyShown(context, found)
}

function contextOf(
  { parts, assets, notes }: DashboardState,
  exchange: Exchange,
  of: { session: Session; actor: Actor; named: PageMatch['named'] },
): DashboardContext {
  const { path } = exchange
  const { catalog, directory } = parts
  const control = controlOfSession(parts, exchange.field('cookie'))
  const admin = { catalog, control, directory, nowMs: parts.clock() }
  return { parts, assets, notes, exchange, path, query: new Form(exchange.query), ...admin, ...of }
}

function replyShown(context: DashboardContext, { page }: PageMatch): void | Promise<void> {
  const reply = page.show(context)
  if (!(reply instanceof Promise)) return replyWith(context, reply)
  return reply.then((shown) => replyWith(context, shown))
}

async function answerForm(context: DashboardContext, match: PageMatch): Promise<void> {
  try {
    await takeForm(context, match)
  } catch (error) {
    if (!(error instanceof SessionEndedError)) throw error
    replySeeOther(context.exchange, linkTo(context, context.path))
  }
}

async function takeForm(context: DashboardContext, { page }: PageMatch): Promise<void> {
  const { exchange, parts } = context
  const isOurs = isFromOurPages(exchange, parts.baseUrl())
  if (isOurs && page.receive !== undefined && mediaTypeOf(exchange) === 'multipart/form-data') {
    // The page looks up its workspace before it reads the body.
    exchange.keepBody()
    return replyWith(context, await page.receive(context))
  }
  const form = isOurs ? await readForm(exchange) : undefined
  if (form === undefined || !isTokenHere(context, form.value('form_token'))) {
    return replyWith(context, staleFormView(context.path))
  }
  // The session may have ended while the form was arriving.
  if ((await parts.sessions.find(exchange.field('cookie'))) === undefined) {
    return replySeeOther(exchange, linkTo(context, context.path))
  }
  const action = page.actions?.[form.value('action') ?? '']
  if (action === undefined) return replyWith(context, noSuchActionView(context.path))
  const reply = await action(context, form)
  const warning = await unconfirmed(parts)
  // A page that is shown only once, such as that of a new key, never reports the end of access.
  const mustWarn = warning !== undefined && 'goTo' in reply
  replyWith(context, mustWarn ? unconfirmedView(warning, reply.goTo) : reply)
}

/** Waits until all nodes have confirmed the change. @returns the warning, if some have not */
async function unconfirmed({ nodes }: DashboardParts): Promise<string | undefined> {
  return nodes === undefined ? undefined : unconfirmedText(await nodes.confirmed())
}

function mediaTypeOf(exchange: Exchange): string {
  return (exchange.field('content-type').split(';')[0] ?? '').trim().toLowerCase()
}

/** A form of a type that browsers send without files; undefined when the body is none. */
async function readForm(exchange: Exchange): Promise<Form | undefined> {
  if (mediaTypeOf(exchange) !== 'application/x-www-form-urlencoded') return undefined
  try {
    const bytes = await exchange.body(FORM_BYTES_MAX)
    return new Form(Buffer.from(bytes).toString('latin1'))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'body_too_large') return undefined
    throw error
  }
}

async function answerSignedOut(state: DashboardState, exchange: Exchange): Promise<void> {
  const { parts } = state
  const { firstRun, signIn } = parts
  const cookies = exchange.field('cookie')
  const url = linkTo(state, exchange.path) + (exchange.query === '' ? '' : `?${exchange.query}`)
  // The page of an operator who has changed their own password, which ended the session.
  const purpose = exchange.query.endsWith('done=password')
    ? 'After a change of your password, sign in with the new one.'
    : 'Sign in to see accounts and transactions and to manage keys.'
  const context: SignInContext = {
    exchange,
    cookies,
    address: exchange.remoteAddress,
    url,
    purpose,
  }
  if (exchange.method !== 'POST') {
    if (await firstRun.isLink(exchange.path)) return firstRun.ask(exchange)
    return signIn.ask(context)
  }
  const actor = actorOf(exchange)
  const form = isFromOurPages(exchange, parts.baseUrl()) ? await readForm(exchange) : undefined
  if (form !== undefined && (await firstRun.isLink(exchange.path))) {
    const fields = await firstRun.take(exchange, actor, form)
    if (fields !== undefined) replySeeOther(exchange, linkTo(state, '/dashboard'), fields)
    return
  }
  if (form?.value('action') === 'sign-in') return signIn.take(context, form)
  const notice = 'Your session has ended. Sign in and try again.'
  return signIn.ask(context, { status: 403, notice })
}
