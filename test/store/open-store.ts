import { join } from 'node:path'
import { test } from 'tap'
import { openStore } from '../../src/store/open-store.js'

const OPTIONS = { program: '0.3.0', clock: () => 7 } as const

test('a URL selects PostgreSQL, its absence the data directory', async (t) => {
  const dataDir = join(t.testdir(), 'data')
  const store = await openStore({ ...OPTIONS, dataDir, url: undefined, makesDirectory: true })
  t.equal(store.place, dataDir)
  await store.close()
  const url = 'sqlite://u:secret@h/d'
  await t.rejects(openStore({ ...OPTIONS, dataDir, url }), {
    name: 'StoreError',
    message:
      'the URL of a PostgreSQL database has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  })
})
