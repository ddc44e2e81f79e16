// A node whose polls are answered, but which may open no further connection.
import { test } from 'tap'
import { Cluster, eventually } from '../fixtures/cluster.js'
import { connected, databaseOf, migratedDatabase, urlFor } from '../fixtures/postgres.js'
import { administer } from '../fixtures/postgres-server.js'
import { insertTransactions } from '../fixtures/postgres-workspace.js'

test('a workspace that has to be reloaded is served while readers are refused', async (t) => {
  const url = await migratedDatabase(t)
  const writer = await connected(t, url)
  const cluster = await Cluster.start(t, url, { nodeCount: 1 })
  const no = await cluster.addWorkspace('acme')
  const { key } = await cluster.addKey('acme')
  await writer.query(insertTransactions(no, [1, 2, 3]))
  const [node] = cluster.nodes
  const countAt = async (): Promise<string | null> => {
    const headers = { Authorization: `Bearer ${key}` }
    const reply = await fetch(`${node?.url}/v1/acme/transactions?limit=1`, { headers })
    return reply.status === 200 ? reply.headers.get('x-total-count') : String(reply.status)
  }
  const logged = (text: string): boolean => node?.kontor.output.stderr.includes(text) ?? false
  const allow = (isAllowed: boolean): Promise<unknown> =>
    administer(urlFor(url, 'postgres'), (admin) =>
      admin.query(`ALTER DATABASE ${databaseOf(url)} ALLOW_CONNECTIONS ${isAllowed}`),
    )
  await eventually(async () => (await countAt()) === '3')

  await allow(false)
  await writer.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE application_name = 'kontor reader' AND datname = current_database()`)
  // Another past, which no change leads to.
  await writer.query('DELETE FROM kontor.changes WHERE workspace = $1', [no])
  const counts = new Set<string | null>()
  await eventually(async () => {
    counts.add(await countAt())
    return logged('commits to a workspace cannot be read')
  })
  t.strictSame([...counts], ['3'], 'the rows as they were')

  await writer.query(insertTransactions(no, [4]))
  await allow(true)
  await eventually(async () => (await countAt()) === '4')
  await eventually(async () => logged('commits to a workspace are read again'))
  t.notOk(logged('removed from memory'))
  t.notOk(logged('ERROR'))
})
