import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import type { Access } from '../../src/auth/access.js'
import { BlockedKeyUses } from '../../src/auth/blocked-key-uses.js'
import { heldApiKeys, heldMcpKeys } from '../../src/auth/held-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { NOW_MS, newControl, someIntegration, WIDE_KEY } from '../fixtures/control.js'

test('a key used from a blocked address is audited once per interval', async (t) => {
  const control = await newControl(t)
  const integrationId = (await someIntegration(control, { kind: 'mcp' })).id
  await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const mcpKey = { integrationId, name: 'agent', scopes: [], expiresAtMs: null }
  await createMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, mcpKey)
  const held = [...(await control.look(heldApiKeys)), ...(await control.look(heldMcpKeys))]
  const [api, mcp] = held.map(({ access }) => access) as [Access, Access]
  let nowMs = NOW_MS
  const uses = new BlockedKeyUses(control, () => (nowMs += 1))
  const logged = async () =>
    (await control.look(() => listAuditRows({ limit: 9 }))).filter((row) => row.outcome !== 'ok')
  for (let i = 0; i < 100; i++) uses.note(api, { remoteAddress: `192.0.2.${i}` })
  uses.note(mcp, { remoteAddress: '::2' })
  t.same(await logged(), [], 'a request does not write')
  await uses.write()
  t.match(await logged(), [
    {
      action: 'mcp_key.refuse',
      actor: 'key:1',
      subject: '1',
      fromAddress: '::2',
      integrationId,
      detail: '{"name":"agent","times":1}',
    },
    {
      action: 'api_key.refuse',
      actor: 'key:1',
      at: NOW_MS + 100,
      fromAddress: '192.0.2.99',
      workspaceId: 'w',
      integrationId: null,
      detail: '{"name":"n","times":100}',
    },
  ])
  const before = control.ownWriteCount
  await uses.write()
  t.equal(control.ownWriteCount, before, 'without new uses nothing is written')
})
