import { ApiError } from '../../errors.js'
import {
  type AccountView,
  type ChangesPage,
  copyPage,
  followingPage,
} from '../../query/changed-rows.js'
import { accountOfId } from '../../snapshot/snapshot.js'
import { type CursorScope, cursorExpired, cursorOf, positionOf } from '../../wire/change-cursor.js'
import { changesJson } from '../../wire/changes-json.js'
import type { ChangesQuery } from '../../wire/changes-query.js'
import { ACCOUNT_IDS } from '../../wire/parameter-table.js'
import type { AccountIdentifier } from '../../wire/path-parameters.js'
import type { OperationContext, OperationResult } from '../operation.js'

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
function viewOf({ snapshot, access }: OperationContext, { accounts }: ChangesQuery): AccountView {
  if (accounts === undefined) return access.accountIds
  const isSeen = (id: number): boolean => access.accountIds?.has(id) ?? true
  const idOf = (account: AccountIdentifier): number | undefined =>
    'accountId' in account
      ? accountOfId(snapshot, account.accountId)?.id
      : snapshot.accounts.find(({ id, iban }) => iban === account.iban && isSeen(id))?.id
  return new Set(
    accounts.map((account) => {
      const id = idOf(account)
      if (id !== undefined && isSeen(id)) return id
      const { name, example } = ACCOUNT_IDS
      const named = 'accountId' in account ? `id ${account.accountId}` : `IBAN ${account.iban}`
      throw new ApiError(
        'not_found',
        `${name} names an account that this credential has no access to: ${named}; getAccounts ` +
          `lists the accessible ones, for example ${name}=${example}`,
      )
    }),
  )
}
