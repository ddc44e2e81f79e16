import { test } from 'tap'
import { readScopesWithin } from '../../src/cli/scopes-within.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { newControl, someIntegration } from '../fixtures/control.js'

test("a scope outside the integration's is refused", async (t) => {
  const control = newControl(t)
  const wide = someIntegration(control)
  const narrow = someIntegration(control, { scopes: ['accounts:read'] })
  t.same(readScopesWithin(wide, undefined), SCOPES)
  t.same(readScopesWithin(narrow, undefined), ['accounts:read'])
  t.same(readScopesWithin(wide, ['accounts:read']), ['accounts:read'])
  t.throws(() => readScopesWithin(narrow, SCOPES), {
    kind: 'failed',
    message: /does not have transactions:read, only accounts:read$/,
  })
})
