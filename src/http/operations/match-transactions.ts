import { parseMatchQuery } from '../../wire/match-query.js'
import { operation } from '../operation.js'
import { matchPage } from './match-page.js'
import { visibleBounds } from './visible-accounts.js'

export const matchTransactions = operation({
  id: 'matchTransactions',
  pattern: '/v1/:workspaceId/transactions/match',
  scope: 'transactions:read',
  isMatch: true,
  parse: parseMatchQuery,
  run: (context, query) => matchPage(context, query, visibleBounds(context)),
})
