import { test } from 'tap'
import {
  accountIdsOf,
  accountsText,
  scopesOf,
  scopesOfAll,
  scopesText,
  toolsOf,
  toolsText,
} from '../../src/auth/selection.js'
import { TOOL_NAMES } from '../../src/domain/integration.js'
import { SCOPES } from '../../src/domain/key-scope.js'

test('stored selections and scopes are read back unchanged', async (t) => {
  t.equal(accountIdsOf('all'), null)
  t.same(accountIdsOf(''), [], 'an empty list does not mean all')
  t.same(accountIdsOf('1,22'), [1, 22])
  for (const accountIds of [null, [], [7], [1, 22]]) {
    t.same(accountIdsOf(accountsText(accountIds)), accountIds)
  }
  t.equal(toolsOf('all'), null)
  t.same(toolsOf(''), [], 'nor does an empty list of tools')
  t.same(toolsOf('get_accounts,get_secrets'), ['get_accounts'])
  for (const tools of [null, [], TOOL_NAMES]) t.same(toolsOf(toolsText(tools)), tools)
  t.same(scopesOf('accounts:read transactions:read'), SCOPES)
  t.same(scopesOf('accounts:read everything:write'), ['accounts:read'])
  t.same(scopesOf(''), [])
  t.same(scopesOf(scopesText(SCOPES)), SCOPES)
})

test('the intersection of several lists is what all of them contain', async (t) => {
  const both = 'transactions:read accounts:read'
  t.same(scopesOfAll(both, both), SCOPES)
  t.same(scopesOfAll(both, 'accounts:read', both), ['accounts:read'])
  t.same(scopesOfAll(both, 'accounts:read', 'transactions:read'), [])
  t.same(scopesOfAll(both, ''), [])
})
