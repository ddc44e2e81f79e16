import { parseSearchQuery } from '../../wire/list-query.js'
import { parseCounterpartIban } from '../../wire/path-parameters.js'
import { operation } from '../operation.js'
import { searchedTerms, transactionPage } from './transaction-page.js'
import { visibleBounds } from './visible-accounts.js'

export const searchCounterpartTransactions = operation({
  id: 'searchCounterpartTransactions',
  pattern: '/v1/:workspaceId/counterpart/:iban/transactions/search',
  scope: 'transactions:read',
  parse: parseSearchQuery,
  searches: searchedTerms,
  run: (context, query) => {
    const counterpartIban = parseCounterpartIban(context.segments[0] ?? '')
    return transactionPage(context, query, { ...visibleBounds(context), counterpartIban })
  },
})
