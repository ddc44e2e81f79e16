import { parseMatchQuery } from '../../wire/match-query.js'
import { operation } from '../operation.js'
import { matchPage } from './match-page.js'
import { visibleAccountCodes } from './visible-accounts.js'

export const matchTransactions = operation({
  id: 'matchTransactions',
  pattern: '/v1/:workspaceId/transactions/match',
  scope: 'transactions:read',
  isMatch: true,
  parse: parseMatchQuery,
  run: (scene, query) => {
    const accountCodes = visibleAccountCodes(scene.snapshot, scene.access)
    return matchPage(scene, query, { accountCodes })
  },
})
