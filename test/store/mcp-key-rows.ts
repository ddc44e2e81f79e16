import { test } from 'tap'
import {
  findMcpKey,
  insertMcpKey,
  listBoundMcpKeys,
  listMcpKeys,
  markMcpKeyRevoked,
  noteMcpKeyUses,
} from '../../src/store/mcp-key-rows.js'
import { newControl, someIntegration } from '../fixtures/control.js'

test('keys are stored with their integration, revoked once, and deleted with it', async (t) => {
  const control = await newControl(t)
  const one = await someIntegration(control, { kind: 'mcp' })
  const other = await someIntegration(control, { kind: 'mcp', workspaceId: 'v' })
  const keyOf = (integrationId: string, byte: number) => ({
    integrationId,
    hash: Buffer.alloc(32, byte),
    name: 'n',
    scopes: 'accounts:read',
    ipAllow: '::1',
    createdAt: 5,
    expiresAt: 9,
  })
  t.equal(await control.atomically(() => insertMcpKey(keyOf(one.id, 1))), 1)
  t.equal(await control.atomically(() => insertMcpKey(keyOf(other.id, 2))), 2)
  const unused = { revokedAt: null, lastUsedAt: null, lastUsedOperation: null }
  t.strictSame(await control.look(() => listMcpKeys(other.id)), [
    { id: 2, ...keyOf(other.id, 2), ...unused },
  ])
  t.same(
    (await control.look(listBoundMcpKeys)).map(({ key, integration }) => [key.id, integration]),
    [
      [1, one],
      [2, other],
    ],
  )
  await control.atomically(() => noteMcpKeyUses([{ id: 1, at: 6, operation: 'get_accounts' }]))
  t.match(await control.look(() => findMcpKey(1)), {
    lastUsedAt: 6,
    lastUsedOperation: 'get_accounts',
  })
  t.equal(await control.atomically(() => markMcpKeyRevoked(1, 7)), true)
  t.equal(await control.atomically(() => markMcpKeyRevoked(1, 8)), true)
  t.equal((await control.look(() => findMcpKey(1)))?.revokedAt, 7)
  t.equal(await control.atomically(() => markMcpKeyRevoked(9, 7)), false)
  t.same(
    (await control.look(listBoundMcpKeys)).map(({ key }) => key.id),
    [2],
  )
  await t.rejects(() => control.atomically(() => insertMcpKey(keyOf('none', 3))), {
    name: 'StoreError',
  })
})
