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
    const { bytes } = accountOfSegment(snapshot, access, segments[0] ?? '')
    return { bytes: customSchema === undefined ? bytes : objectJson(buffer, bytes, customSchema) }
  },
})
