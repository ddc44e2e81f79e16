import { test } from 'tap'
import { changeIntegration, deactivateIntegration } from '../../src/admin/integrations.js'
import { createMcpKey, revokeMcpKey } from '../../src/admin/mcp-keys.js'
import { heldMcpKeys } from '../../src/auth/held-keys.js'
import { hashOfSecret } from '../../src/auth/secret.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ACTOR, NOW_MS, newControl, someIntegration } from '../fixtures/control.js'

test("an MCP key has the intersection of its own and its integration's permissions", async (t) => {
  const control = await newControl(t)
  const tools = ['get_accounts'] as const
  const input = { kind: 'mcp', accountIds: [3], tools, scopes: ['accounts:read'] } as const
  const integration = await someIntegration(control, input)
  const { id, key } = await createMcpKey(
    { control, nowMs: NOW_MS, actor: ACTOR },
    { integrationId: integration.id, name: 'agent', scopes: SCOPES, expiresAtMs: NOW_MS + 5 },
  )
  t.match(key, /^mcp-[-\w]{43}$/)
  t.match(await control.look(heldMcpKeys), [
    {
      hash: hashOfSecret(key),
      ipAllow: null,
      access: {
        workspaceId: 'w',
        scopes: new Set(['accounts:read']),
        accountIds: new Set([3]),
        expiresAtMs: NOW_MS + 5,
        keyScope: { type: 'apiKey', name: 'agent', integrationId: integration.id, accounts: [3] },
        key: { kind: 'mcp', id },
        integration: { id: integration.id, kind: 'mcp', tools: new Set(tools) },
      },
    },
  ])
  const tag = (await control.look(heldMcpKeys))[0]?.access.tag
  const other = { ...input, id: integration.id, name: 'books', accountIds: [3, 4] }
  await changeIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, other)
  t.not((await control.look(heldMcpKeys))[0]?.access.tag, tag, 'it may see other accounts')
  await deactivateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, integration.id)
  t.same(await control.look(heldMcpKeys), [], 'an inactive integration denies access')
})

test('an MCP key is revoked once, and creation and revocation are audited', async (t) => {
  const control = await newControl(t)
  const integrationId = (await someIntegration(control, { kind: 'mcp' })).id
  const input = { integrationId, name: 'agent', scopes: SCOPES, expiresAtMs: NOW_MS + 9 }
  const made = { ...input, ipAllow: ['::1'] }
  const { id } = await createMcpKey({ control, nowMs: NOW_MS, actor: ACTOR }, made)
  for (let i = 0; i < 2; i++)
    t.equal(await revokeMcpKey({ control, nowMs: NOW_MS + i, actor: CLI_ACTOR }, id), true)
  t.equal(await revokeMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, 99), false)
  t.same(await control.look(heldMcpKeys), [])
  const logged = { subject: String(id), workspaceId: 'w', integrationId }
  t.match(await control.look(() => listAuditRows({ limit: 9 })), [
    { action: 'mcp_key.revoke', actor: 'cli', ...logged },
    {
      ...{ action: 'mcp_key.create', actor: 'operator:anna', ...logged },
      detail: /"expiresAt":"2026-07-01T00:00:00.009Z","ipAllow":\["::1"\]/,
    },
    { action: 'integration.create' },
  ])
  t.equal((await control.look(() => listAuditRows({ limit: 9 }))).length, 3)
})
