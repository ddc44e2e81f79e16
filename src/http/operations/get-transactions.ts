import { parseListQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'
import { transactionPage } from './transaction-page.js'
import { visibleBounds } from './visible-accounts.js'

export const getTransactions = operation({
  id: 'getTransactions',
  pattern: '/v1/:workspaceId/transactions',
  scope: 'transactions:read',
  parse: parseListQuery,
  run: (context, query) => transactionPage(context, query, visibleBounds(context)),
})
