import { join } from 'node:path'
import { test } from 'tap'
import { insertApiKey, noteApiKeyUses } from '../../../src/store/api-key-rows.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'

function keyOf(workspaceId: string, byte: number) {
  return {
    workspaceId,
    workspaceUid: null,
    hash: Buffer.alloc(32, byte),
    name: 'n',
    scopes: 'accounts:read',
    accounts: '1,2',
    ipAllow: null,
    createdAt: 5,
    expiresAt: null,
  }
}

test('the data version changes with every commit of any connection, and only then', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const [one, other] = [ControlFile.open(path), ControlFile.open(path)]
  const seen = new Set<string>()
  for (let i = 0; i < 10; i++) {
    const version = one.dataVersion()
    t.notOk(seen.has(version))
    t.equal(one.dataVersion(), version)
    seen.add(version)
    if (i % 2 === 0) insertApiKey(one, keyOf('w', i))
    else insertApiKey(other, keyOf('w', i))
  }
  for (const control of [one, other]) control.close()
})

test('the key version changes with the keys, not with their use', async (t) => {
  const control = ControlFile.open(join(t.testdir(), 'control.db'))
  t.teardown(() => control.close())
  const before = control.keyVersion()
  const id = insertApiKey(control, keyOf('w', 1))
  const made = control.keyVersion()
  t.ok(made > before)
  noteApiKeyUses(control, [{ id, at: 6, operation: 'getAccounts' }])
  t.equal(control.keyVersion(), made)
  control.run('UPDATE api_keys SET revoked_at = 7')
  t.ok(control.keyVersion() > made)
})

test('a transaction is committed in full or not at all, nested ones too', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const [one, other] = [ControlFile.open(path), ControlFile.open(path)]
  const count = (control: ControlFile): number =>
    control.first<{ n: number }>('SELECT count(*) AS n FROM api_keys')?.n ?? -1
  const result = one.atomically(() => {
    insertApiKey(one, keyOf('w', 1))
    const inner = one.atomically(() => insertApiKey(one, keyOf('w', 2)))
    t.equal(count(other), 0, 'other connections do not see it yet')
    return inner
  })
  t.equal(result, 2)
  t.equal(count(other), 2)
  const fault = new Error('no')
  const failing = (): void =>
    one.atomically(() => {
      insertApiKey(one, keyOf('w', 3))
      one.atomically(() => {
        insertApiKey(one, keyOf('w', 4))
        throw fault
      })
    })
  t.throws(failing, fault)
  t.equal(count(one), 2, 'nothing of it is stored')
  t.equal(insertApiKey(one, keyOf('w', 5)), 3, 'and the connection stays usable')
  t.throws(() => insertApiKey(one, keyOf('w', 5)), { name: 'StoreError' }, 'a hash is unique')
  for (const control of [one, other]) control.close()
})
