import { basePathOf } from '../auth/issuer-url.js'
import { formToken, isFormToken } from '../browser/form-token.js'
import type { Session } from '../browser/sessions.js'
import type { Actor } from '../domain/audit.js'
import type { Exchange } from '../http/exchange.js'
import type { EpochMs } from '../instant.js'
import type { Form } from '../wire/form.js'
import type { Assets } from './assets.js'
import type { OneTimeNotes } from './one-time-notes.js'
import type { DashboardParts } from './parts.js'

/** A page that an operator asks for, and everything it may be made of. */
export interface DashboardContext {
  readonly parts: DashboardParts
  readonly assets: Assets
  /** What is shown once: a new key, for one. */
  readonly notes: OneTimeNotes
  readonly exchange: Exchange
  readonly session: Session
  /** Who does what is done here, for the audit log. */
  readonly actor: Actor
  /** The page's path as the routes write it: `/dashboard/keys`. */
  readonly path: string
  /** What stands in the path in place of `:name`, decoded. */
  readonly named: Readonly<Record<string, string>>
  /** The parameters of the page's URL. */
  readonly query: Form
  /** When the request came. */
  readonly nowMs: EpochMs
}

/** A path of the routes as a link: with the path of the base URL in front. */
export function linkTo(
  { parts }: { readonly parts: Pick<DashboardParts, 'baseUrl'> },
  path: string,
): string {
  return basePathOf(parts.baseUrl)() + path
}

/** What a form that is sent to this path has to hold, see form-token.ts in browser/. */
export function formTokenFor({ session }: DashboardContext, path: string): string {
  return formToken(session.token, `dashboard ${path}`)
}

/** Whether a form holds the token that this page was shown with. */
export function isTokenHere(
  { session, path }: DashboardContext,
  token: string | undefined,
): boolean {
  return isFormToken(token, session.token, `dashboard ${path}`)
}
