import { test } from 'tap'
import { isFormToken } from '../../src/browser/form-token.js'
import { formTokenFor, isTokenHere, linkTo } from '../../src/dashboard/dashboard-context.js'
import { contextAt } from '../fixtures/dashboard-context.js'

test('links start with the path of the base URL', async (t) => {
  t.equal(linkTo(contextAt('/dashboard'), '/dashboard/a?b=1'), '/dashboard/a?b=1')
  const context = contextAt('/dashboard', 'https://example.org/bank')
  t.equal(linkTo(context, '/dashboard/a'), '/bank/dashboard/a')
})

test('a form token is valid for one path and one session', async (t) => {
  const token = formTokenFor(contextAt('/dashboard'), '/dashboard/a')
  t.ok(isFormToken(token, 'token', 'dashboard /dashboard/a'))
  t.ok(isTokenHere(contextAt('/dashboard/a'), token))
  t.notOk(isTokenHere(contextAt('/dashboard/b'), token))
  t.notOk(isTokenHere(contextAt('/dashboard/a'), undefined))
  t.notOk(isFormToken(token, 'token', 'dashboard /dashboard/b'))
  t.notOk(isFormToken(token, 'other', 'dashboard /dashboard/a'))
})
