import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import type { AccountIdentifier, TransactionBounds } from '../../query/transaction-query.js'
import { type AccountEntry, accountOfId, type Snapshot } from '../../snapshot/snapshot.js'
import { parameterFault } from '../../wire/fault.js'
import { ACCOUNT_IDS } from '../../wire/filter-parameters.js'
import { parseCounterpartIban, parseIdentifier } from '../../wire/path-parameters.js'
import type { OperationContext } from '../operation.js'

/** Codes of the accounts a credential may see; undefined = all accounts. */
export function visibleAccountCodes(snapshot: Snapshot, access: Access): number[] | undefined {
  if (access.accountIds === null) return undefined
  return visibleAccounts({ snapshot, access }).map(({ code }) => code)
}

/** The rows that a credential may see. */
export function visibleBounds({ snapshot, access }: OperationContext): TransactionBounds {
  const codes = visibleAccountCodes(snapshot, access)
  return { accountCodes: codes, visibleCodes: codes }
}

/** The rows of the account that the first segment names. @throws ApiError 400 not_found */
export function accountBounds({ snapshot, access, segments }: OperationContext): TransactionBounds {
  const { code } = accountOfSegment(snapshot, access, segments[0] ?? '')
  return { accountCodes: [code], visibleCodes: visibleAccountCodes(snapshot, access) }
}

/** The visible rows whose counterpart has the IBAN of the first segment. @throws ApiError 400 */
export function counterpartBounds(context: OperationContext): TransactionBounds {
  const counterpartIban = parseCounterpartIban(context.segments[0] ?? '')
  return { ...visibleBounds(context), counterpartIban }
}

/**
 * The bounds, reduced to some accounts.
 * @param accountIds undefined = all of them
 * @throws ApiError 400 not_found, the same for one that does not exist and one out of sight
 */
export function boundsWithin(
  context: AccountsInView,
  bounds: TransactionBounds,
  accountIds: readonly AccountIdentifier[] | undefined,
): TransactionBounds {
  if (accountIds === undefined) return bounds
  const codes = accountsNamed(context, accountIds).map(({ code }) => code)
  return { ...bounds, accountCodes: [...new Set(codes)].sort((a, b) => a - b) }
}

/**
 * The accounts of a list, in its order.
 * @throws ApiError 400 not_found, the same for one that does not exist and one out of sight
 */
export function accountsNamed(
  context: AccountsInView,
  accountIds: readonly AccountIdentifier[],
): AccountEntry[] {
  const byIban = new Map<string, AccountEntry>()
  const byId = new Map<number, AccountEntry>()
  // The lowest id of several accounts with one IBAN is the last to be set.
  for (const account of visibleAccounts(context).toReversed()) {
    byId.set(account.id, account)
    if (account.iban !== undefined) byIban.set(account.iban, account)
  }
  return accountIds.map((identifier) => {
    const account =
      'iban' in identifier ? byIban.get(identifier.iban) : byId.get(identifier.accountId)
    if (account !== undefined) return account
    const what = `names an account that is not accessible: ${nameOf(identifier)}`
    throw parameterFault(ACCOUNT_IDS, what, 'not_found')
  })
}

/** The accounts of a workspace, and those that a credential may see. */
interface AccountsInView {
  readonly snapshot: Snapshot
  readonly access: Pick<Access, 'accountIds'>
}

function visibleAccounts({
  snapshot,
  access: { accountIds },
}: AccountsInView): readonly AccountEntry[] {
  return accountIds === null
    ? snapshot.accounts
    : snapshot.accounts.filter(({ id }) => accountIds.has(id))
}

function nameOf(identifier: AccountIdentifier): string {
  return 'accountId' in identifier ? `id ${identifier.accountId}` : `IBAN ${identifier.iban}`
}

/**
 * The account that a path segment names, by id or by IBAN (the lowest id of several).
 * @throws ApiError 400 not_found, the same for one that does not exist and one out of sight
 */
export function accountOfSegment(
  snapshot: Snapshot,
  access: Access,
  segment: string,
): AccountEntry {
  const identifier = parseIdentifier(segment)
  const isVisible = ({ id }: AccountEntry): boolean => access.accountIds?.has(id) ?? true
  const named =
    'accountId' in identifier
      ? [accountOfId(snapshot, identifier.accountId)]
      : snapshot.accounts.filter(({ iban }) => iban === identifier.iban)
  const visible = named.find((account) => account !== undefined && isVisible(account))
  if (visible !== undefined) return visible
  throw new ApiError(
    'not_found',
    `This credential has access to no account with ${nameOf(identifier)}; getAccounts lists the ` +
      'accessible ones.',
  )
}
