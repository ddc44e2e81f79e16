import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import type { Access } from '../../src/auth/access.js'
import { heldApiKeys, heldMcpKeys } from '../../src/auth/held-keys.js'
import { LastUses } from '../../src/auth/last-uses.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { findApiKey, listApiKeys } from '../../src/store/api-key-rows.js'
import { findMcpKey } from '../../src/store/mcp-key-rows.js'
import { NOW_MS, newControl, someIntegration, WIDE_KEY } from '../fixtures/control.js'
import { execute } from '../fixtures/control-sql.js'

test('last uses of keys are written at intervals, and on request', async (t) => {
  const control = await newControl(t)
  const integrationId = (await someIntegration(control, { kind: 'mcp' })).id
  for (let i = 0; i < 3; i++)
    await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const mcpKey = { integrationId, name: 'k', scopes: [], expiresAtMs: null }
  await createMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, mcpKey)
  const held = [...(await control.look(heldApiKeys)), ...(await control.look(heldMcpKeys))]
  const [one, two, , mcp] = held.map(({ access }) => access) as [Access, Access, Access, Access]
  let nowMs = NOW_MS
  const uses = new LastUses(control, () => nowMs)
  uses.note(one, 'getAccounts')
  uses.note(two, 'getAccounts')
  uses.note(mcp, 'get_accounts')
  nowMs += 5
  uses.note(one, 'getCategories')
  uses.note({ ...one, key: null, tag: 't1' }, 'getTransactions')
  const before = control.ownWriteCount
  t.equal((await control.look(() => findApiKey(1)))?.lastUsedAt, null, 'a request does not write')
  await uses.write()
  t.ok(control.ownWriteCount > before)
  const used = (await control.look(listApiKeys)).map((row) => [
    row.lastUsedAt,
    row.lastUsedOperation,
  ])
  t.same(used, [
    [NOW_MS + 5, 'getCategories'],
    [NOW_MS, 'getAccounts'],
    [null, null],
  ])
  t.match(await control.look(() => findMcpKey(1)), {
    lastUsedAt: NOW_MS,
    lastUsedOperation: 'get_accounts',
  })
  const written = control.ownWriteCount
  await uses.write()
  t.equal(control.ownWriteCount, written, 'without new uses nothing is written')
})

test('a failed write is repeated the next time', async (t) => {
  const control = await newControl(t)
  await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const [held] = await control.look(heldApiKeys)
  const uses = new LastUses(control, () => NOW_MS)
  if (held !== undefined) uses.note(held.access, 'getAccounts')
  await execute(control, 'ALTER TABLE mcp_keys RENAME TO elsewhere')
  await execute(control, 'ALTER TABLE api_keys RENAME COLUMN last_used_at TO aside')
  await t.rejects(uses.write())
  await execute(control, 'ALTER TABLE api_keys RENAME COLUMN aside TO last_used_at')
  await execute(control, 'ALTER TABLE elsewhere RENAME TO mcp_keys')
  await uses.write()
  t.equal((await control.look(() => findApiKey(1)))?.lastUsedAt, NOW_MS)
})
