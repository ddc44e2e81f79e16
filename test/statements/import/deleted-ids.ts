import { test } from 'tap'
import { DeletedIds } from '../../../src/statements/import/deleted-ids.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { withWorkspace } from '../../fixtures/files.js'

test('an id of a deleted resource of the same kind is refused', async (t) => {
  await withWorkspace(async (file) => {
    const rows = [2, 4, 5].map((id) => ({ id, name: `${id}`, parentId: null }))
    for (const row of rows) file.insertCategory(row)
    const writer = new Database(file.path)
    writer.exec('DELETE FROM categories WHERE id IN (2, 4)')
    writer.close()
    const deleted = new DeletedIds(file, 'category')
    for (const id of [2, 4]) {
      t.throws(() => deleted.checkNewId('line 7', 'category.id', id), {
        name: 'StatementError',
        message:
          `line 7, category.id: category ${id} was deleted, and ids are never reused, ` +
          'because keys may refer to them; omit the id to have a new one assigned',
      })
    }
    for (const id of [1, 3, 6, null, undefined]) deleted.checkNewId('line 7', 'id', id)
    new DeletedIds(file, 'account').checkNewId('line 7', 'id', 2)
    t.pass('other ids and kinds are unaffected')
  })
})
