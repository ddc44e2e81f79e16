import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import { serveDatabase } from '../../src/cli/served-database.js'
import { dataDirectoryAt } from '../../src/store/data-directory.js'
import { migratedDatabase } from '../fixtures/postgres.js'
import { PostgresProxy } from '../fixtures/postgres-proxy.js'

test('a service learns when its database is heard again', async (t) => {
  const proxy = await PostgresProxy.start(t, await migratedDatabase(t))
  const messages: string[] = []
  let againCount = 0
  const store = await serveDatabase({
    url: proxy.url,
    directory: dataDirectoryAt(t.testdir()),
    log: (_level, _component, message) => messages.push(message),
    offlineMs: undefined,
    baseUrl: () => 'http://localhost',
  })
  t.teardown(() => store.close())
  store.begin({
    memory: () => ({ residents: 0, bytes: 0 }),
    readKeys: async () => undefined,
    onHeardAgain: () => {
      againCount += 1
    },
  })
  await proxy.cut()
  while (messages.length === 0) await wait(5)
  t.equal(againCount, 0)
  await proxy.begin()
  while (againCount === 0) await wait(5)
  // Several reasons may follow each other.
  t.same([...new Set(messages)], ['the database does not answer', 'the database answers again'])
})
