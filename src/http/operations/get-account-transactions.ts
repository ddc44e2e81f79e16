import { parseListQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'
import { transactionPage } from './transaction-page.js'
import { accountOfSegment } from './visible-accounts.js'

export const getAccountTransactions = operation({
  id: 'getAccountTransactions',
  pattern: '/v1/:workspaceId/accounts/:identifier/transactions',
  scope: 'transactions:read',
  parse: parseListQuery,
  run: (scene, query) => {
    const { code } = accountOfSegment(scene.snapshot, scene.access, scene.segments[0] ?? '')
    return transactionPage(scene, query, { accountCodes: [code] })
  },
})
