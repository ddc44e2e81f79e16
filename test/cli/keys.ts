import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { NOW_MS } from '../fixtures/control.js'
import { controlCommands } from '../fixtures/control-commands.js'
import type { Ended } from '../fixtures/terminal.js'

/** Runs `kontor keys …` on a store with the workspaces `w` and `v`. */
async function keysOf(
  t: Test,
): Promise<(words: readonly string[], nowMs?: number) => Promise<Ended>> {
  const { run } = await controlCommands(t)
  return (words, nowMs = NOW_MS) => run(['keys', ...words], { clock: () => nowMs })
}

test('a key is printed once, and never listed', async (t) => {
  const keys = await keysOf(t)
  const text = await keys(['create', '--workspace', 'w', '--name', 'book keeping'])
  t.match(text, { code: 0, stderr: '', stdout: /^key 1, shown only once: sk-[-\w]{43}\n$/ })
  const bounds = ['--ip-allow', '::1,10.0.0.0/8', '--expires', '2027-01-01']
  const json = await keys([
    'create',
    '--workspace',
    'v',
    '--json',
    '--accounts',
    '2,1,2',
    ...bounds,
  ])
  const created = JSON.parse(json.stdout) as { id: number; key: string }
  t.strictSame(Object.keys(created), ['id', 'key'])
  t.match(created, { id: 2, key: /^sk-[-\w]{43}$/ })
  const listed = await keys(['list'])
  t.equal(
    listed.stdout,
    'ID  WORKSPACE  STATE   SCOPES                           ACCOUNTS  NETWORKS        ' +
      'EXPIRES                   LAST USE  NAME\n' +
      '1   w          active  transactions:read,accounts:read  all       any             ' +
      'never                     never     book keeping\n' +
      '2   v          active  transactions:read,accounts:read  1,2       ::1,10.0.0.0/8  ' +
      '2027-01-01T00:00:00.000Z  never     API key\n',
  )
  const directory = t.testdirName
  const stored = ['control.db', 'control.db-wal'].map((name) => {
    try {
      return readFileSync(join(directory, name), 'latin1')
    } catch (error) {
      // The WAL is deleted with the last connection.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
      throw error
    }
  })
  t.notOk(stored.join('').includes(created.key.slice(3)), 'only its hash is stored')
})

test('the permissions of a key are listed as JSON, with its state', async (t) => {
  const keys = await keysOf(t)
  const input = ['--scopes', 'accounts:read', '--expires', '2026-07-02', '--name', 'n']
  await keys(['create', '--workspace', 'w', ...input])
  await keys(['create', '--workspace', 'w', '--expires', '2026-07-01T00:00:00.001Z'])
  await keys(['create', '--workspace', 'v'])
  t.match(await keys(['revoke', '3', '--json']), { code: 0, stdout: '{"id":3}\n' })
  const listed = await keys(['list', '--json'], NOW_MS + 1)
  const createdAt = '2026-07-01T00:00:00.000Z'
  const both = ['transactions:read', 'accounts:read']
  t.strictSame(JSON.parse(listed.stdout), [
    {
      id: 1,
      workspaceId: 'w',
      name: 'n',
      state: 'active',
      scopes: ['accounts:read'],
      accounts: null,
      createdAt,
      expiresAt: '2026-07-02T00:00:00.000Z',
    },
    {
      id: 2,
      workspaceId: 'w',
      name: 'API key',
      state: 'expired',
      scopes: both,
      accounts: null,
      createdAt,
      expiresAt: '2026-07-01T00:00:00.001Z',
    },
    {
      id: 3,
      workspaceId: 'v',
      name: 'API key',
      state: 'revoked',
      scopes: both,
      accounts: null,
      createdAt,
      revokedAt: createdAt,
    },
  ])
  const one = await keys(['list', '--workspace', 'v', '--json'])
  t.same(
    (JSON.parse(one.stdout) as { id: number }[]).map(({ id }) => id),
    [3],
  )
})

test('revoking twice keeps the first time, and an unknown id is refused', async (t) => {
  const keys = await keysOf(t)
  await keys(['create', '--workspace', 'w'])
  t.match(await keys(['revoke', '1']), { code: 0, stdout: 'key 1 is revoked\n' })
  t.match(await keys(['revoke', '1'], NOW_MS + 5_000), { code: 0 })
  const [key] = JSON.parse((await keys(['list', '--json'])).stdout) as { revokedAt: string }[]
  t.equal(key?.revokedAt, '2026-07-01T00:00:00.000Z')
  t.match(await keys(['revoke', '2']), { code: 1, stderr: /there is no key 2/ })
  t.match(await keys(['revoke', 'sk-x']), { code: 2, stderr: /sk-x is not a valid key id/ })
  t.match(await keys(['revoke']), { code: 2, stderr: /ID is missing/ })
  t.match(await keys(['revoke', '1', '2']), { code: 2, stderr: /unexpected argument "2"/ })
})

test('a key that could never be valid is refused and not created', async (t) => {
  const keys = await keysOf(t)
  const rows: readonly (readonly [words: string[], code: number, stderr: RegExp])[] = [
    [['--workspace', 'w', '--expires', '2026-07-01'], 2, /--expires 2026-07-01 is in the past/],
    [['--workspace', 'w', '--expires', '2026-02-30'], 2, /a day such as 2027-01-01/],
    [['--workspace', 'w', '--expires', 'tomorrow'], 2, /--expires "tomorrow"/],
    [['--workspace', 'w', '--scopes', 'accounts:write'], 2, /unknown scope "accounts:write"/],
    [['--workspace', 'w', '--scopes', 'accounts:read,'], 2, /unknown scope ""/],
    [['--workspace', 'w', '--accounts', '1,x'], 2, /--accounts "1,x": the word all, or account/],
    [['--workspace', 'w', '--accounts', '0'], 2, /--accounts "0"/],
    [
      ['--workspace', 'w', '--accounts', '1,99'],
      1,
      /workspace w has no account 99; its accounts are 1, 2, 3$/m,
    ],
    [['--workspace', 'w', '--accounts', '1,'], 2, /--accounts "1,"/],
    [['--workspace', 'w', '--ip-allow', '10.0.0.0/40'], 2, /--ip-allow contains "10\.0\.0\.0\/40"/],
    [['--workspace', 'w', '--name', ' '], 2, /--name must have at least one visible/],
    [['--workspace', 'unknown'], 1, /there is no workspace "unknown"; kontor workspaces list/],
    [['--workspace', '../w'], 1, /there is no workspace/],
    [[], 2, /--workspace is missing/],
  ]
  for (const [words, code, stderr] of rows) {
    const ended = await keys(['create', ...words])
    t.match(ended, { code, stderr, stdout: '' }, words.join(' '))
  }
  t.equal((await keys(['list', '--json'])).stdout, '[]\n')
})

test('a rotated key has a successor, and ends after the overlap', async (t) => {
  const keys = await keysOf(t)
  const input = ['--name', 'books', '--ip-allow', '::1,10.0.0.0/8', '--accounts', '1']
  const created = await keys(['create', '--workspace', 'w', ...input, '--json'])
  const old = JSON.parse(created.stdout) as { key: string }
  const rotated = await keys(['rotate', '1', '--json'])
  const output = JSON.parse(rotated.stdout) as Record<string, unknown>
  t.strictSame(Object.keys(output), ['id', 'key', 'replaces', 'oldExpiresAt'])
  const oldExpiresAt = '2026-07-02T00:00:00.000Z'
  t.match(output, { id: 2, key: /^sk-[-\w]{43}$/, replaces: 1, oldExpiresAt })
  t.not(output['key'], old.key)
  const common = { name: 'books', accounts: [1], ipAllow: ['::1', '10.0.0.0/8'], state: 'active' }
  t.match(JSON.parse((await keys(['list', '--json'])).stdout), [
    { ...common, id: 1, expiresAt: oldExpiresAt, replacedBy: 2 },
    { ...common, id: 2, expiresAt: undefined, replacedBy: undefined },
  ])
  t.match((await keys(['list'])).stdout, /^1 +w +active→2 +/m)
  const again = await keys(['rotate', '2', '--overlap', '0', '--expires', '2027-01-01'])
  t.match(again.stdout, /^key 3, shown only once: sk-\S+\nkey 2 ends 2026-07-01T00:00:00\.000Z\n$/)
  const rows: readonly (readonly [words: string[], code: number, stderr: RegExp])[] = [
    [['1'], 1, /key 1 has already been rotated; kontor keys list shows/],
    [['2'], 1, /key 2 has expired; kontor keys create creates another one/],
    [['9'], 1, /there is no key 9/],
    [['x'], 2, /x is not a valid key id/],
    [['3', '--overlap', '91d'], 2, /--overlap "91d": a time from 0 to 90d/],
    [['3', '--expires', '2026-07-01'], 2, /is in the past/],
  ]
  for (const [words, code, stderr] of rows) {
    t.match(await keys(['rotate', ...words]), { code, stderr, stdout: '' }, words.join(' '))
  }
  await keys(['revoke', '3'])
  t.match(await keys(['rotate', '3']), { code: 1, stderr: /key 3 is revoked/ })
})
