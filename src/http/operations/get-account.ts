import { parseAccountQuery } from '../../wire/list-query.js'
import { objectJson } from '../../wire/page-json.js'
import { operation } from '../operation.js'
import { accountOfSegment } from './visible-accounts.js'

export const getAccount = operation({
  id: 'getAccount',
  pattern: '/v1/:workspaceId/accounts/:identifier',
  scope: 'accounts:read',
  parse: parseAccountQuery,
  run: ({ snapshot, access, segments, buffer }, { customSchema }) => {
    const account = accountOfSegment(snapshot, access, segments[0] ?? '')
    const { bytes } = account
    const body = customSchema === undefined ? bytes : objectJson(buffer, bytes, customSchema)
    return { bytes: body, accounts: [account] }
  },
})
