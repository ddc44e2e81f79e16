import { parseNoQuery } from '../../wire/list-query.js'
import { operation } from '../operation.js'

export const getKeyScope = operation({
  id: 'getKeyScope',
  pattern: '/v1/:workspaceId/key/scope',
  scope: undefined,
  parse: parseNoQuery,
  run: ({ access }) => ({ bytes: Buffer.from(JSON.stringify(access.keyScope)) }),
})
