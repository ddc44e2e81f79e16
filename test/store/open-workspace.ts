import { test } from 'tap'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { emptyAccountRow } from '../../src/store/empty-rows.js'
import {
  catalogOf,
  isThere,
  openWatch,
  openWriter,
  readWorkspace,
} from '../../src/store/open-workspace.js'
import { addressText, unsealed } from '../../src/store/workspace.js'
import { NOW_MS } from '../fixtures/control.js'

test('a catalog makes, lists, finds and deletes workspaces', async (t) => {
  const catalog = catalogOf(makeDataDirectory(t.testdir()))
  t.same(await catalog.list(), [])
  t.equal(await catalog.find('b'), undefined)
  t.equal(await catalog.uidOf('b'), undefined)
  const address = await catalog.make('b')
  await catalog.make('a')
  t.same(await catalog.list(), ['a', 'b'])
  t.same(await catalog.find('b'), address)
  t.match(addressText(address), /\bb\.db$/)
  const uid = await catalog.uidOf('b')
  t.equal(await readWorkspace(address, async (state) => (await state.version()).uid), uid)
  t.same(await catalog.make('b'), address)
  t.equal(await catalog.uidOf('b'), uid, 'an existing one is left as it is')
  await catalog.delete('b')
  await catalog.delete('b')
  t.same(await catalog.list(), ['a'])
  t.notOk(await isThere(address))
})

test('what is written at an address is read there, and noticed', async (t) => {
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
