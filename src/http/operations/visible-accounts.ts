import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import { accountCodeOfId, accountCodesOfIban, type Snapshot } from '../../snapshot/snapshot.js'
import { parseIdentifier } from '../../wire/path-parameters.js'

/** Codes of the accounts a credential may see, ascending; undefined = all there are. */
export function visibleAccountCodes(snapshot: Snapshot, access: Access): number[] | undefined {
  if (access.accountIds === null) return undefined
  const codes = Array.from(access.accountIds, (id) => accountCodeOfId(snapshot, id))
  return codes.filter((code) => code !== -1).sort((a, b) => a - b)
}

/**
 * Code of the account that a path segment names, by id or by IBAN (the lowest id of several).
 * @throws ApiError 400 not_found, the same for one that does not exist and one out of sight
 */
export function accountCodeOfSegment(snapshot: Snapshot, access: Access, segment: string): number {
  const identifier = parseIdentifier(segment)
  const codes =
    'accountId' in identifier
      ? [accountCodeOfId(snapshot, identifier.accountId)]
      : accountCodesOfIban(snapshot, identifier.iban)
  const visible = codes.find((code) => {
    const account = snapshot.accounts[code]
    return account !== undefined && (access.accountIds?.has(account.id) ?? true)
  })
  if (visible !== undefined) return visible
  const name = 'accountId' in identifier ? `id ${identifier.accountId}` : `IBAN ${identifier.iban}`
  throw new ApiError(
    'not_found',
    `No account with ${name} can be seen with this credential; GET the accounts list for those ` +
      'that can.',
  )
}
