import type { AccountsQuery, SingleQuery } from '../../wire/list-query.js'
import { arrayJson, objectJson } from '../../wire/page-json.js'
import type { OperationContext, OperationResult } from '../operation.js'
import { accountOfSegment } from './visible-accounts.js'

/** The page of accounts that pass the filters of the query. */
export function accountsPage(
  { snapshot, access, buffer }: OperationContext,
  { blz, bic, offset, limit, customSchema }: AccountsQuery,
): OperationResult {
  const found = snapshot.accounts.filter(
    (account) =>
      (access.accountIds?.has(account.id) ?? true) &&
      (blz === undefined || account.blz === blz) &&
      (bic === undefined || account.bic === bic),
  )
  const page = found.slice(offset, offset + limit).map(({ bytes }) => bytes)
  const bytes = arrayJson(buffer, page, customSchema)
  return { bytes, page: { offset, limit, total: found.length }, accounts: found }
}

/** The account that the path names. @throws ApiError 400 */
export function oneAccount(
  { snapshot, access, segments, buffer }: OperationContext,
  { customSchema }: SingleQuery,
): OperationResult {
  const account = accountOfSegment(snapshot, access, segments[0] ?? '')
  const { bytes } = account
  const body = customSchema === undefined ? bytes : objectJson(buffer, bytes, customSchema)
  return { bytes: body, accounts: [account] }
}
