import { test } from 'tap'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { readStoreOf } from '../../src/store/read-store.js'

test('workspaces that existed at the start are distinguished from new ones', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  const { catalog, openWatch, wasThere } = readStoreOf(directory)
  t.notOk(wasThere('w'))
  const watch = await openWatch(await catalog.make('w'))
  t.teardown(() => watch.close())
  t.equal(watch.poll(), 'unchanged')
  t.ok(wasThere('w'))
})
