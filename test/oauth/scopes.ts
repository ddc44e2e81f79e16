import { test } from 'tap'
import { SCOPES } from '../../src/domain/key-scope.js'
import { requestedScopes } from '../../src/oauth/scopes.js'

test('either all requested scopes are permitted, or none is granted', async (t) => {
  t.same(requestedScopes('accounts:read transactions:read', SCOPES), SCOPES)
  t.same(requestedScopes('accounts:read accounts:read', SCOPES), ['accounts:read'])
  t.same(requestedScopes('accounts:read', ['accounts:read']), ['accounts:read'])
  const refused = [
    'transactions:read',
    'accounts:read transactions:read',
    'accounts:read offline_access',
    'accounts:write',
    'ACCOUNTS:READ',
    'accounts:read ',
    ' ',
    'accounts:read\ttransactions:read',
    'accounts:read,transactions:read',
    '__proto__',
  ]
  for (const text of refused) t.equal(requestedScopes(text, ['accounts:read']), undefined, text)
})
