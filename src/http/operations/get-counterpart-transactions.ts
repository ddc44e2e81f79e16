import { parseListQuery } from '../../wire/list-query.js'
import { parseCounterpartIban } from '../../wire/path-parameters.js'
import { operation } from '../operation.js'
import { transactionPage } from './transaction-page.js'
import { visibleBounds } from './visible-accounts.js'

export const getCounterpartTransactions = operation({
  id: 'getCounterpartTransactions',
  pattern: '/v1/:workspaceId/counterpart/:iban/transactions',
  scope: 'transactions:read',
  parse: parseListQuery,
  run: (context, query) => {
    const counterpartIban = parseCounterpartIban(context.segments[0] ?? '')
    return transactionPage(context, query, { ...visibleBounds(context), counterpartIban })
  },
})
