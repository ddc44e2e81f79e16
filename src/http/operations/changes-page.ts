import {
  type AccountView,
  type ChangesPage,
  copyPage,
  followingPage,
} from '../../query/changed-rows.js'
import type { ChangesBody } from '../../query/query-cache.js'
import { transactionCount } from '../../snapshot/snapshot.js'
import {
  type CursorScope,
  cursorExpired,
  cursorOf,
  positionOf,
  viewText,
} from '../../wire/change-cursor.js'
import { changesJson } from '../../wire/changes-json.js'
import type { ChangesQuery } from '../../wire/changes-query.js'
import type { OperationContext, OperationResult } from '../operation.js'
import { accountsNamed } from './visible-accounts.js'

const MS_PER_SECOND = 1_000

/**
 * Pages past this length are rendered for each caller: they are those of a caller that has fallen
 * behind, which few others share.
 */
const SHARED_BYTES_MAX = 65_536

/**
 * The page of changes behind the cursor; with `wait`, once there is a change, or the time is over.
 * Throws, or rejects with, ApiError.
 */
export function changesPage(
  context: OperationContext,
  query: ChangesQuery,
): OperationResult | Promise<OperationResult> {
  const view = viewOf(context, query)
  if (query.wait === 0) return renderedBody(context, query, view)
  const body = sharedBody(context, query, view)
  return body.changeCount > 0 ? body : awaitedPage(context, query, view)
}

/** Checks everything again after each wait: the credential may see other accounts by then. */
async function awaitedPage(
  context: OperationContext,
  query: ChangesQuery,
  begun: AccountView,
): Promise<OperationResult> {
  let leftMs = query.wait * MS_PER_SECOND
  for (let view = begun; ; ) {
    leftMs = await context.nextChange(view, leftMs)
    view = viewOf(context, query)
    const body = sharedBody(context, query, view)
    if (body.changeCount > 0 || leftMs === 0) return body
  }
}

/**
 * The page, rendered once for all callers that wait at one position of one view: a change wakes a
 * thousand. Its bytes are its own, because other requests are answered before they are sent.
 * @throws ApiError 400
 */
function sharedBody(
  context: OperationContext,
  query: ChangesQuery,
  view: AccountView,
): ChangesBody {
  const { snapshot, queryCache } = context
  const { since, limit } = query
  // An absent cursor is not an empty one, which is refused.
  const position = since === undefined ? '' : `since=${since}`
  const key = `${limit} ${viewText(view)} ${position}`
  const known = queryCache.changes.find(snapshot, key)
  if (known !== undefined) return known
  const { changeCount, bytes } = renderedBody(context, query, view)
  const body = { changeCount, bytes: Uint8Array.from(bytes) }
  if (bytes.length <= SHARED_BYTES_MAX) {
    queryCache.changes.keep(snapshot, transactionCount(snapshot), key, body)
  }
  return body
}

/** The page in the buffer. @throws ApiError 400 */
function renderedBody(
  context: OperationContext,
  query: ChangesQuery,
  view: AccountView,
): ChangesBody {
  const { snapshot, buffer } = context
  const scope = { timeline: snapshot.log.timeline, view }
  const { sent, position, hasMore } = pageOf(context, query, scope)
  const end = { cursor: cursorOf(scope, position), hasMore }
  const bytes = changesJson(buffer, sent, snapshot.staleFragments, end)
  return { changeCount: sent.length, bytes }
}

/** @throws ApiError `cursor_expired` */
function pageOf(
  { snapshot, queryCache }: OperationContext,
  { since, limit }: ChangesQuery,
  scope: CursorScope,
): ChangesPage {
  const { view } = scope
  const from = since === undefined ? undefined : positionOf(scope, since)
  if (from !== undefined) {
    const { log, version } = snapshot
    const isKnown = from.sequence >= log.after && from.sequence <= version.sequence
    if (!isKnown) throw cursorExpired()
    if (from.copiedFrom === 0) return followingPage(snapshot, view, from.sequence, limit)
  }
  const { accounts } = snapshot
  const seen = view === null ? undefined : accounts.filter(({ id }) => view.has(id))
  const codes = seen?.map(({ code }) => code)
  const bounds = { accountCodes: codes, visibleCodes: codes }
  return copyPage({ snapshot, queryCache, view, bounds }, from, limit)
}

/** The visible accounts, as far as the query names them. @throws ApiError 400 */
function viewOf(context: OperationContext, { accounts }: ChangesQuery): AccountView {
  if (accounts === undefined) return context.access.accountIds
  return new Set(accountsNamed(context, accounts).map(({ id }) => id))
}
