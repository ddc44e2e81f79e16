import { test } from 'tap'
import { Credentials } from '../../src/auth/credentials.js'
import { noteMcpKeyUses } from '../../src/store/mcp-key-rows.js'
import { NOW_MS, someIntegration } from '../fixtures/control.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'

const KEYS = ['integrations', 'keys']

test('an MCP key is printed once, listed and revoked', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const { id } = await someIntegration(control, { kind: 'mcp', scopes: ['accounts:read'] })
  const create = [...KEYS, 'create', '--integration', id]
  const made = (await json(...create, '--name', 'agent')) as { id: number; key: string }
  t.strictSame(Object.keys(made), ['id', 'key'])
  t.match(made, { id: 1, key: /^mcp-[-\w]{43}$/ })
  const text = await run([...create, '--expires', '2026-07-02', '--ip-allow', '::1'])
  t.match(text, { code: 0, stdout: /^key 2, shown only once: mcp-[-\w]{43}\n$/ })
  await control.atomically(() => noteMcpKeyUses([{ id: 1, at: NOW_MS, operation: 'get_accounts' }]))
  const at = '2026-07-01T00:00:00.000Z'
  const common = { integrationId: id, scopes: ['accounts:read'], state: 'active', createdAt: at }
  t.same(await json(...KEYS, 'list', '--integration', id), [
    { id: 1, name: 'agent', ...common, lastUsedAt: at, lastUsedOperation: 'get_accounts' },
    { id: 2, name: 'MCP key', ...common, expiresAt: '2026-07-02T00:00:00.000Z', ipAllow: ['::1'] },
  ])
  t.same(await json(...KEYS, 'list', '--integration', 'other'), [])
  const clocks = { clock: () => NOW_MS, ticks: () => performance.now() }
  const finds = async () =>
    (await new Credentials(control, clocks).forMcp(made.key, id, { remoteAddress: '::2' })) !==
    undefined
  t.equal(await finds(), true)
  t.same(await json(...KEYS, 'revoke', '1'), { id: 1 })
  t.equal(await finds(), false)
  const [headings, line] = (await run([...KEYS, 'list'])).stdout.split('\n')
  t.match(headings, /^ID +INTEGRATION +STATE +SCOPES +NETWORKS +EXPIRES +LAST USE +NAME$/)
  t.match(line, /^1 +\w+ +revoked +accounts:read +any +never +2026-\S+ get_accounts +agent$/)
})

test('a key that could never be valid is refused', async (t) => {
  const { run, control } = await controlCommands(t)
  const mcp = (await someIntegration(control, { kind: 'mcp', scopes: ['accounts:read'] })).id
  const oauth2 = (await someIntegration(control)).id
  const create = (id: string, ...words: string[]): string[] => {
    return [...KEYS, 'create', '--integration', id, ...words]
  }
  await assertRefused(t, run, [
    [[...KEYS, 'create'], 2, /--integration is missing/],
    [create('none'), 1, /--integration "none" is no integration; kontor integrations list/],
    [create(oauth2), 1, /is an oauth2 integration, not an MCP one/],
    [create(mcp, '--scopes', 'transactions:read'), 1, /does not have transactions:read, only/],
    [create(mcp, '--scopes', 'x'), 2, /unknown scope "x"/],
    [create(mcp, '--expires', '2026-07-01'), 2, /is in the past/],
    [create(mcp, '--ip-allow', 'home'), 2, /--ip-allow contains "home"/],
    [[...KEYS, 'revoke', '1'], 1, /there is no MCP key 1/],
    [[...KEYS, 'revoke', 'mcp-x'], 2, /mcp-x is not a valid key id/],
  ])
  t.equal((await run([...KEYS, 'list'])).stdout.split('\n').length, 2, 'headings only')
})
