import type { AdminContext } from '../admin/admin-context.js'
import { basePathOf } from '../auth/issuer-url.js'
import { formToken, isFormToken } from '../browser/form-token.js'
import type { Session } from '../browser/sessions.js'
import type { Exchange } from '../http/engine/exchange.js'
import type { Form } from '../wire/form.js'
import type { Assets } from './assets.js'
import type { OneTimeNotes } from './one-time-notes.js'
import type { DashboardParts } from './parts.js'

/**
 * A page request of an operator and everything the page may be made of. Its moment is the arrival
 * of the request, and its actor that of the audit events of the request.
 */
export interface DashboardContext extends AdminContext {
  readonly parts: DashboardParts
  readonly assets: Assets
  /** Content that is shown once, such as a new key. */
  readonly notes: OneTimeNotes
  readonly exchange: Exchange
  readonly session: Session
  /** The page's path as in routes.ts: `/dashboard/keys`. */
  readonly path: string
  /** The path segments in place of `:name`, decoded. */
  readonly named: Readonly<Record<string, string>>
  /** The parameters of the page's URL. */
  readonly query: Form
}

/** A path of the routes as a link: with the path of the base URL in front. */
export function linkTo(
  { parts }: { readonly parts: Pick<DashboardParts, 'baseUrl'> },
  path: string,
): string {
  return basePathOf(parts.baseUrl)() + path
}

/** The token that a form sent to this path has to hold, see form-token.ts in browser/. */
export function formTokenFor({ session }: DashboardContext, path: string): string {
  return formToken(session.token, `dashboard ${path}`)
}

/** Whether the token of a form is the one that this page was shown with. */
export function isTokenHere(
  { session, path }: DashboardContext,
  token: string | undefined,
): boolean {
  return isFormToken(token, session.token, `dashboard ${path}`)
}
