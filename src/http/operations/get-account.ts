import { parseAccountQuery } from '../../wire/list-query.js'
import { objectJson } from '../../wire/page-json.js'
import { operation } from '../operation.js'
import { accountCodeOfSegment } from './visible-accounts.js'

export const getAccount = operation({
  id: 'getAccount',
  pattern: '/v1/:workspaceId/accounts/:identifier',
  scope: 'accounts:read',
  parse: parseAccountQuery,
  run: ({ snapshot, access, segments, buffer }, { customSchema }) => {
    const code = accountCodeOfSegment(snapshot, access, segments[0] ?? '')
    const bytes = snapshot.accounts[code]?.bytes ?? new Uint8Array(0)
    return { bytes: customSchema === undefined ? bytes : objectJson(buffer, bytes, customSchema) }
  },
})
