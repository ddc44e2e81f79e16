import { join } from 'node:path'
import { test } from 'tap'
import { ControlFile } from '../../src/store/control-file.js'

function keyOf(workspaceId: string, byte: number) {
  return {
    workspaceId,
    hash: Buffer.alloc(32, byte),
    name: 'n',
    scopes: 'accounts:read',
    accounts: '1,2',
    createdAt: 5,
    expiresAt: null,
  }
}

test('keys are kept, listed, revoked once, and deleted with their workspace', async (t) => {
  const control = ControlFile.open(join(t.testdir(), 'control.db'))
  t.equal(control.insertApiKey(keyOf('w', 1)), 1)
  t.equal(control.insertApiKey({ ...keyOf('v', 2), expiresAt: 9 }), 2)
  t.strictSame(control.apiKeys(), [
    { id: 1, ...keyOf('w', 1), revokedAt: null },
    { id: 2, ...keyOf('v', 2), expiresAt: 9, revokedAt: null },
  ])
  t.same(
    control.apiKeys('v').map(({ id }) => id),
    [2],
  )
  t.same(control.apiKeys('none'), [])
  t.equal(control.revokeApiKey(1, 7), true)
  t.equal(control.revokeApiKey(1, 8), true)
  t.equal(control.apiKeys('w')[0]?.revokedAt, 7)
  t.equal(control.revokeApiKey(3, 7), false)
  t.throws(() => control.insertApiKey(keyOf('w', 1)), { name: 'StoreError' }, 'a hash is one key')
  t.equal(control.deleteWorkspaceCredentials('w'), 1)
  t.equal(control.deleteWorkspaceCredentials('w'), 0)
  t.same(
    control.apiKeys().map(({ id }) => id),
    [2],
  )
  t.equal(control.insertApiKey(keyOf('w', 1)), 3, 'an id is never used again')
  control.close()
})

test('the data version changes with every commit, whoever makes it, and only then', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const [one, other] = [ControlFile.open(path), ControlFile.open(path)]
  const seen = new Set<string>()
  for (let i = 0; i < 10; i++) {
    const version = one.dataVersion()
    t.notOk(seen.has(version))
    t.equal(one.dataVersion(), version)
    seen.add(version)
    if (i % 2 === 0) one.insertApiKey(keyOf('w', i))
    else other.insertApiKey(keyOf('w', i))
  }
  for (const control of [one, other]) control.close()
})
