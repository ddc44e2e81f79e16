import { parseMatchQuery } from '../../wire/match-query.js'
import { operation } from '../operation.js'
import { matchPage } from './match-page.js'
import { accountOfSegment } from './visible-accounts.js'

export const matchAccountTransactions = operation({
  id: 'matchAccountTransactions',
  pattern: '/v1/:workspaceId/accounts/:identifier/transactions/match',
  scope: 'transactions:read',
  isMatch: true,
  parse: parseMatchQuery,
  run: (scene, query) => {
    const { code } = accountOfSegment(scene.snapshot, scene.access, scene.segments[0] ?? '')
    return matchPage(scene, query, { accountCodes: [code] })
  },
})
