import { join } from 'node:path'
import { test } from 'tap'
import { insertApiKey, noteApiKeyUses } from '../../../src/store/api-key-rows.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { count, type Work } from '../../../src/store/work.js'
import { newControlFile } from '../../fixtures/control.js'
import { execute, rowOf, rowsOf } from '../../fixtures/control-sql.js'

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
    if (i % 2 === 0) await one.atomically(() => insertApiKey(keyOf('w', i)))
    else await other.atomically(() => insertApiKey(keyOf('w', i)))
  }
  for (const control of [one, other]) control.close()
})

test('the key version changes with the keys, not with their use', async (t) => {
  const control = ControlFile.open(join(t.testdir(), 'control.db'))
  t.teardown(() => control.close())
  const before = control.keyVersion()
  const id = await control.atomically(() => insertApiKey(keyOf('w', 1)))
  const made = control.keyVersion()
  t.ok(made > before)
  await control.atomically(() => noteApiKeyUses([{ id, at: 6, operation: 'getAccounts' }]))
  t.equal(control.keyVersion(), made)
  execute(control, 'UPDATE api_keys SET revoked_at = 7')
  t.ok(control.keyVersion() > made)
})

test('a transaction is committed in full or not at all', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const [one, other] = [ControlFile.open(path), ControlFile.open(path)]
  const keyCount = (control: ControlFile): number =>
    rowOf<{ n: number }>(control, 'SELECT count(*) AS n FROM api_keys')?.n ?? -1
  const result = await one.atomically(function* () {
    yield* insertApiKey(keyOf('w', 1))
    const second = yield* insertApiKey(keyOf('w', 2))
    t.equal(keyCount(other), 0, 'other connections do not see it yet')
    return second
  })
  t.equal(result, 2)
  t.equal(keyCount(other), 2)
  const fault = new Error('no')
  const failing = (): Promise<void> =>
    one.atomically(function* () {
      yield* insertApiKey(keyOf('w', 3))
      throw fault
    })
  await t.rejects(failing, fault)
  t.equal(keyCount(one), 2, 'nothing of it is stored')
  const add = (): Promise<number> => one.alone(() => insertApiKey(keyOf('w', 5)))
  t.equal(await add(), 3, 'and the connection stays usable')
  await t.rejects(add, { name: 'StoreError' }, 'a hash is unique')
  for (const control of [one, other]) control.close()
})

test('work that begins other work is refused and rolled back', async (t) => {
  const control = newControlFile(t)
  const begins = [
    () => rowOf(control, 'SELECT 1'),
    () => control.atomically(() => insertApiKey(keyOf('w', 2))),
  ]
  for (const begin of begins) {
    const nested = (): Promise<void> =>
      control.atomically(function* () {
        yield* insertApiKey(keyOf('w', 1))
        begin()
      })
    await t.rejects(nested, /begins none/)
  }
  t.same(rowsOf(control, 'SELECT id FROM api_keys'), [])
})

test('work counts when it is done, and not when it was rolled back', async (t) => {
  const control = newControlFile(t)
  const counting = (fault?: Error) =>
    function* (): Work<void> {
      yield* count('x')
      if (fault !== undefined) throw fault
    }
  await t.rejects(() => control.atomically(counting(new Error('no'))), /no/)
  t.throws(() => control.look(counting(new Error('no'))), /no/)
  t.same([...control.counts], [])
  await control.atomically(counting())
  control.look(counting())
  t.same([...control.counts], [['x', 2]])
})
