import { parseSearchQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'
import { searchedTerms, transactionPage } from './transaction-page.js'
import { visibleBounds } from './visible-accounts.js'

export const searchTransactions = operation({
  id: 'searchTransactions',
  pattern: '/v1/:workspaceId/transactions/search',
  scope: 'transactions:read',
  parse: parseSearchQuery,
  searches: searchedTerms,
  run: (context, query) => transactionPage(context, query, visibleBounds(context)),
})
