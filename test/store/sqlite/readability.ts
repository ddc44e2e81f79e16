import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { makeDataDirectory } from '../../../src/store/data-directory.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { unreadableParts } from '../../../src/store/sqlite/readability.js'
import { execute } from '../../fixtures/control-sql.js'

test('missing parts are named, and those that are back are not', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  const control = ControlFile.open(directory.controlPath)
  t.teardown(() => control.close())
  const unreadable = (): string[] => unreadableParts(directory, control)
  t.same(unreadable(), [])
  const workspaces = join(directory.path, 'workspaces')
  renameSync(workspaces, `${workspaces}-away`)
  t.same(unreadable(), ['data_directory_unreadable'])
  renameSync(`${workspaces}-away`, workspaces)
  t.same(unreadable(), [])
  rmSync(directory.controlPath)
  t.same(unreadable(), ['control_db_unreadable'])
})

test('an unreadable control.db is named', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  const control = ControlFile.open(directory.controlPath)
  t.teardown(() => control.close())
  execute(control, 'DROP TABLE key_version')
  t.same(unreadableParts(directory, control), ['control_db_unreadable'])
})
