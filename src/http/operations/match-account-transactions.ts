import { parseMatchQuery } from '../../wire/match-query.js'
import { operation } from '../operation.js'
import { matchPage } from './match-page.js'
import { accountBounds } from './visible-accounts.js'

export const matchAccountTransactions = operation({
  id: 'matchAccountTransactions',
  pattern: '/v1/:workspaceId/accounts/:identifier/transactions/match',
  scope: 'transactions:read',
  isMatch: true,
  parse: parseMatchQuery,
  run: (context, query) => matchPage(context, query, accountBounds(context)),
})
