import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import { accountOfId, placeOfId, type Snapshot } from '../../snapshot/snapshot.js'
import { parseTransactionQuery } from '../../wire/list-query.js'
import { transactionJsonOf } from '../../wire/page-json.js'
import { parseTransactionId } from '../../wire/path-parameters.js'
import { operation } from '../operation.js'

export const getTransaction = operation({
  id: 'getTransaction',
  pattern: '/v1/:workspaceId/transactions/:transactionId',
  scope: 'transactions:read',
  parse: parseTransactionQuery,
  run: ({ snapshot, access, segments, buffer }, { customSchema }) => {
    const id = parseTransactionId(segments[0] ?? '')
    const place = placeOfId(snapshot, id)
    if (place !== undefined && isVisible(snapshot, access, place)) {
      const { segment, ordinal } = place
      const changes = { staleFragments: snapshot.staleFragments, customSchema }
      return { bytes: transactionJsonOf(buffer, segment, ordinal, changes) }
    }
    throw new ApiError('not_found', `This credential has access to no transaction with id ${id}.`)
  },
})

function isVisible(
  snapshot: Snapshot,
  access: Access,
  { segment, ordinal }: NonNullable<ReturnType<typeof placeOfId>>,
): boolean {
  if (access.accountIds === null) return true
  const accountId = snapshot.idDictionary.accountIds[segment.accountCodes[ordinal] ?? -1] ?? 0
  return access.accountIds.has(accountId) && accountOfId(snapshot, accountId) !== undefined
}
