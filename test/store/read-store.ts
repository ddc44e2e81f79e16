import { test } from 'tap'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { readStoreOf } from '../../src/store/read-store.js'

test('workspaces of a directory that were there are told from new ones', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  const { catalog, openWatch, wasThere } = readStoreOf(directory)
  t.notOk(wasThere('w'))
  const watch = await openWatch(await catalog.make('w'))
  t.teardown(() => watch.close())
  t.equal(watch.poll(), 'unchanged')
  t.ok(wasThere('w'))
})
