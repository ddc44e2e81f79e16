import { parseMatchQuery } from '../../wire/match-query.js'
import { parseCounterpartIban } from '../../wire/path-parameters.js'
import { operation } from '../operation.js'
import { matchPage } from './match-page.js'
import { visibleBounds } from './visible-accounts.js'

export const matchCounterpartTransactions = operation({
  id: 'matchCounterpartTransactions',
  pattern: '/v1/:workspaceId/counterpart/:iban/transactions/match',
  scope: 'transactions:read',
  isMatch: true,
  parse: parseMatchQuery,
  run: (context, query) => {
    const counterpartIban = parseCounterpartIban(context.segments[0] ?? '')
    return matchPage(context, query, { ...visibleBounds(context), counterpartIban })
  },
})
