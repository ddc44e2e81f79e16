import { test } from 'tap'
import { isFormToken } from '../../src/browser/form-token.js'
import { formTokenFor, isTokenHere, linkTo } from '../../src/dashboard/scene.js'
import { sceneAt } from '../fixtures/dashboard-scene.js'

test('links have the path of the base URL in front', async (t) => {
  t.equal(linkTo(sceneAt('/dashboard'), '/dashboard/a?b=1'), '/dashboard/a?b=1')
  const scene = sceneAt('/dashboard', 'https://example.org/bank')
  t.equal(linkTo(scene, '/dashboard/a'), '/bank/dashboard/a')
})

test('a form’s token is good for one path and one session', async (t) => {
  const token = formTokenFor(sceneAt('/dashboard'), '/dashboard/a')
  t.ok(isFormToken(token, 'token', 'dashboard /dashboard/a'))
  t.ok(isTokenHere(sceneAt('/dashboard/a'), token))
  t.notOk(isTokenHere(sceneAt('/dashboard/b'), token))
  t.notOk(isTokenHere(sceneAt('/dashboard/a'), undefined))
  t.notOk(isFormToken(token, 'token', 'dashboard /dashboard/b'))
  t.notOk(isFormToken(token, 'other', 'dashboard /dashboard/a'))
})
