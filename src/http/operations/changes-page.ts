import {
  type AccountView,
  type ChangesPage,
  copyPage,
  followingPage,
} from '../../query/changed-rows.js'
import { type CursorScope, cursorExpired, cursorOf, positionOf } from '../../wire/change-cursor.js'
import { changesJson } from '../../wire/changes-json.js'
import type { ChangesQuery } from '../../wire/changes-query.js'
import type { OperationContext, OperationResult } from '../operation.js'
import { accountsNamed } from './visible-accounts.js'

const MS_PER_SECOND = 1_000

/**
 * The page of changes behind the cursor; with `wait`, once there is a change, or the time is over.
 * Throws, or rejects with, ApiError.
 */
export function changesPage(
  context: OperationContext,
  query: ChangesQuery,
): OperationResult | Promise<OperationResult> {
  const { page, result } = answerOf(context, query)
  if (query.wait === 0 || page.sent.length > 0) return result
  return awaitedPage(context, query)
}

/** Checks everything again after each wait: the credential may see other accounts by then. */
async function awaitedPage(
  context: OperationContext,
  query: ChangesQuery,
): Promise<OperationResult> {
  let leftMs = query.wait * MS_PER_SECOND
  for (;;) {
    leftMs = await context.nextChange(viewOf(context, query), leftMs)
    const { page, result } = answerOf(context, query)
    // Copied, because another request may be answered before this one is sent.
    if (page.sent.length > 0 || leftMs === 0) return { bytes: Uint8Array.from(result.bytes) }
  }
}

interface Answer {
  readonly page: ChangesPage
  readonly result: OperationResult
}

/** @throws ApiError 400 */
function answerOf(context: OperationContext, query: ChangesQuery): Answer {
  const { snapshot, buffer } = context
  const view = viewOf(context, query)
  const scope = { timeline: snapshot.log.timeline, view }
  const page = pageOf(context, query, scope)
  const end = { cursor: cursorOf(scope, page.position), hasMore: page.hasMore }
  return {
    page,
    result: { bytes: changesJson(buffer, page.sent, snapshot.staleFragments, end) },
  }
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
