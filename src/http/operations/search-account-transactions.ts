import { parseSearchQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'
import { searchedTerms, transactionPage } from './transaction-page.js'
import { accountBounds } from './visible-accounts.js'

export const searchAccountTransactions = operation({
  id: 'searchAccountTransactions',
  pattern: '/v1/:workspaceId/accounts/:identifier/transactions/search',
  scope: 'transactions:read',
  parse: parseSearchQuery,
  searches: searchedTerms,
  run: (context, query) => transactionPage(context, query, accountBounds(context)),
})
