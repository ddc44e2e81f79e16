import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { listApiKeys } from '../../../src/store/api-key-rows.js'
import { makeDataDirectory } from '../../../src/store/data-directory.js'
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js'

test('control.db is opened on demand', async (t) => {
  const dataDir = join(t.testdir(), 'data')
  const clock = (): number => 7
  t.throws(() => new SqliteStore({ dataDir, clock }), { message: /there is no data directory/ })
  const store = new SqliteStore({ dataDir, clock, makesDirectory: true })
  t.equal(store.place, dataDir)
  t.equal(store.clock(), 7)
  t.same(await store.catalog.list(), [])
  await store.close()
  t.notOk(existsSync(store.directory.controlPath))
  const second = new SqliteStore({ dataDir, clock })
  const { control } = second
  t.equal(second.control, control)
  t.same(await control.look(listApiKeys), [])
  await second.close()
  t.throws(() => control.look(listApiKeys), 'closed')
  t.same(second.directory, makeDataDirectory(dataDir))
})
