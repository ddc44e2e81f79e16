import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { readRowId, requireFound, requireWorkspace, withAdmin } from '../../src/cli/control.js'
import { CommandError } from '../../src/errors.js'
import { listApiKeys } from '../../src/store/api-key-rows.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js'
import { controlCommands } from '../fixtures/control-commands.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

test('control.db is closed after success and after errors', async (t) => {
  const path = t.testdir()
  makeDataDirectory(path)
  const stderr = { write: async () => void t.fail('nothing is to be said') }
  const call = { flags: { 'data-dir': path, store: undefined }, clock: () => 0, stderr }
  const used = await withAdmin(call, async ({ control }) => {
    t.same(await control.look(listApiKeys), [])
    return control
  })
  await t.rejects(async () => used.look(listApiKeys), 'closed')
  const fault = new CommandError('failed', 'no')
  await t.rejects(
    withAdmin(call, () => {
      throw fault
    }),
    fault,
  )
})

test('a missing workspace is named, with the places searched', async (t) => {
  const { store } = await controlCommands(t)
  t.type(await requireWorkspace(store, 'w', null), 'string')
  for (const id of ['x', '../w', '']) {
    const message = /there is no workspace .*; kontor workspaces list shows all/
    await t.rejects(requireWorkspace(store, id, null), { kind: 'failed', message }, id)
  }
  t.equal(readRowId('12', 'key', 'kontor keys list'), 12)
  for (const text of ['', '0', '-1', '1.5', '1e3', '99999999999999999', 'sk-x']) {
    const message = /is not a valid key id; kontor keys list shows/
    const expected = { kind: 'usage', message }
    t.throws(() => readRowId(text, 'key', 'kontor keys list'), expected, `${text}`)
  }
  requireFound(true, 'key', '1', 'l')
  t.throws(() => requireFound(false, 'key', '1', 'kontor keys list'), {
    kind: 'failed',
    message: 'there is no key 1; kontor keys list shows all',
  })
})

test('an unknown account is named, with the existing ones', async (t) => {
  const path = t.testdir()
  const directory = makeDataDirectory(path)
  const accounts = SAMPLE.accounts.map((account) =>
    account.id === 2 ? { ...account, name: 'Main account' } : account,
  )
  await writeWorkspace(workspacePath(directory, 'w'), { ...SAMPLE, accounts })
  writeFileSync(workspacePath(directory, 'damaged'), 'x'.repeat(5_000))
  const store = new SqliteStore({ dataDir: path, clock: () => 0 })
  const ids = SAMPLE.accounts.map(({ id }) => id)
  t.type(await requireWorkspace(store, 'w', ids), 'string')
  t.type(await requireWorkspace(store, 'w', []), 'string')
  await t.rejects(requireWorkspace(store, 'w', [...ids, 99]), {
    kind: 'failed',
    message:
      /^--accounts: workspace w has no account 99; its accounts are 1, 2 \(Main account\), 3$/,
  })
  t.equal(await requireWorkspace(store, 'damaged', [99]), null, 'the accounts cannot be read')
})
