import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import type { Ordinal } from '../../ordinals/ordinal.js'
import { ordinalOfId, type Segment, type Snapshot } from '../../snapshot/snapshot.js'
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
    for (const segment of snapshot.segments) {
      const ordinal = ordinalOfId(segment, id)
      if (ordinal === undefined || !isVisible(snapshot, access, segment, ordinal)) continue
      return { bytes: transactionJsonOf(buffer, segment, ordinal, customSchema) }
    }
    throw new ApiError(
      'not_found',
      `No transaction with id ${id} can be seen with this credential.`,
    )
  },
})

function isVisible(
  snapshot: Snapshot,
  access: Access,
  segment: Segment,
  ordinal: Ordinal,
): boolean {
  if (access.accountIds === null) return true
  const account = snapshot.accounts[segment.accountCodes[ordinal] ?? -1]
  return account !== undefined && access.accountIds.has(account.id)
}
