import { test } from 'tap'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { emptyAccountRow } from '../../src/store/empty-rows.js'
import {
  catalogOf,
  openWatch,
  openWriter,
  readWorkspace,
  sealWorkspace,
  settleWorkspace,
} from '../../src/store/open-workspace.js'
import { addressText, unsealed } from '../../src/store/workspace.js'
import { NOW_MS } from '../fixtures/control.js'

test('an address shows no user and no password', async (t) => {
  const path = '/data/workspaces/b.db'
  t.equal(addressText({ engine: 'sqlite', path }), path)
  for (const [url, text] of [
    ['postgres://anna:secret@db:5432/kontor', 'postgres://db:5432/kontor'],
    [
      'postgresql://anna:s@cr@t@db/kontor?sslmode=require',
      'postgresql://db/kontor?sslmode=require',
    ],
    ['postgres://anna:secret@/kontor?host=/run/pg', 'postgres:///kontor?host=/run/pg'],
    ['postgres://db/kontor', 'postgres://db/kontor'],
  ] as const) {
    t.equal(addressText({ engine: 'postgres', url, no: 7 }), `workspace 7 of ${text}`)
  }
})

test('files are settled and sealed', async (t) => {
  const catalog = catalogOf(makeDataDirectory(t.testdir()))
  const address = await catalog.make('w')
  await settleWorkspace(address)
  t.match(await sealWorkspace(address), { version: { sequence: 0, mark: 0 } })
  const url = 'postgres://db/kontor'
  await settleWorkspace({ engine: 'postgres', url, no: 1 })
})

test('rows written at an address are read there, and noticed', async (t) => {
  const catalog = catalogOf(makeDataDirectory(t.testdir()))
  const address = await catalog.make('w')
  const watch = await openWatch(address)
  t.teardown(() => watch.close())
  const seal = await readWorkspace(address, (state) => state.seal())
  t.same(unsealed(seal), { ...seal, content: '' })
  t.equal(watch.poll(), 'unchanged')
  const writer = await openWriter(address)
  await writer.atomically(async (workspace) => {
    workspace.insertAccount(emptyAccountRow('EUR', NOW_MS))
  })
  writer.close()
  t.equal(watch.poll(), 'changed')
  const accounts = await readWorkspace(address, (state) => state.accounts())
  t.match(accounts, [{ id: 1, currency: 'EUR' }])
})
