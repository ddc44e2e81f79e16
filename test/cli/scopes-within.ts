import { test } from 'tap'
import { listIntegrations } from '../../src/admin/integrations.js'
import { readScopesWithin } from '../../src/cli/scopes-within.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { NOW_MS, newControl, someIntegration } from '../fixtures/control.js'

test("a scope outside the integration's is refused", async (t) => {
  const control = await newControl(t)
  await someIntegration(control)
  await someIntegration(control, { scopes: ['accounts:read'] })
  const [wide, narrow] = await listIntegrations({ control, nowMs: NOW_MS, actor: CLI_ACTOR })
  if (wide === undefined || narrow === undefined) throw new Error('two were created')
  t.same(readScopesWithin(wide, undefined), SCOPES)
  t.same(readScopesWithin(narrow, undefined), ['accounts:read'])
  t.same(readScopesWithin(wide, ['accounts:read']), ['accounts:read'])
  t.throws(() => readScopesWithin(narrow, SCOPES), {
    kind: 'failed',
    message: /does not have transactions:read, only accounts:read$/,
  })
})
