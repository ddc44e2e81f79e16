import { join } from 'node:path'
import { test } from 'tap'
import { makeDataDirectory } from '../../../src/store/data-directory.js'
import { SqliteCatalog } from '../../../src/store/sqlite/sqlite-catalog.js'
import { assertCatalog } from '../../fixtures/catalog-cases.js'
import { newControlFile } from '../../fixtures/control.js'

test('files of workspaces are created, listed, found and deleted', async (t) => {
  const control = newControlFile(t)
  const directory = makeDataDirectory(join(t.testdirName, 'data'))
  await assertCatalog(t, new SqliteCatalog(directory), control)
})
