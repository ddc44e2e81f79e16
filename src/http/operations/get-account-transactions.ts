import { parseListQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'
import { transactionPage } from './transaction-page.js'
import { accountBounds } from './visible-accounts.js'

export const getAccountTransactions = operation({
  id: 'getAccountTransactions',
  pattern: '/v1/:workspaceId/accounts/:identifier/transactions',
  scope: 'transactions:read',
  parse: parseListQuery,
  run: (context, query) => transactionPage(context, query, accountBounds(context)),
})
