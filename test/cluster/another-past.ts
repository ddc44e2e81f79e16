import { test } from 'tap'
import type { PostgresConnection } from '../../src/store/postgres/connect.js'
import { Cluster, eventually } from '../fixtures/cluster.js'
import { migratedDatabase, urlFor } from '../fixtures/postgres.js'
import { administer } from '../fixtures/postgres-server.js'

/** The purposes that a node answers with; none while the database does not answer. */
async function purposesAt(url: string, key: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}` }
  const reply = await fetch(`${url}/v1/acme/transactions`, { headers })
  if (reply.status === 503) return []
  const rows = (await reply.json()) as { purpose?: string }[]
  return rows.map(({ purpose }) => purpose ?? '').sort()
}

async function add(connection: PostgresConnection, no: number, purpose: string): Promise<void> {
  const columns = 'workspace, account_id, amount_unscaled, amount_scale, currency, purpose'
  const sql = `INSERT INTO kontor.transactions (${columns}, created_at, updated_at, import_date)
    VALUES ($1, 1, -100, 2, 'EUR', $2, 0, 0, 0)`
  await connection.query(sql, [no, purpose])
}

test('each node, and each frozen copy, notices that the past is another', async (t) => {
  const url = await migratedDatabase(t)
  const name = new URL(url.replace('@/', '@h/')).pathname.slice(1)
  const server = urlFor(url, 'postgres')
  const [past, lost] = [`${name}_past`, `${name}_lost`]
  t.teardown(() => administer(server, (admin) => admin.query(`DROP DATABASE ${lost} (FORCE)`)))
  const cluster = await Cluster.start(t, url)
  const no = await cluster.addWorkspace('acme')
  const { key } = await cluster.addKey('acme')
  const write = (purpose: string) => administer(url, (one) => add(one, no, purpose))
  await write('kept')
  const [first, ...others] = cluster.nodes
  for (const { url } of others) t.same(await purposesAt(url, key), ['kept'])
  /** Nobody may be connected to a database that is copied or renamed. */
  const alone = (...statements: string[]) =>
    administer(server, async (admin) => {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
      const end = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1`
      await admin.query(end, [name])
      for (const statement of statements) await admin.query(statement)
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    })
  await alone(`CREATE DATABASE ${past} TEMPLATE ${name} STRATEGY file_copy`)
  await write('lost')
  for (const { url } of cluster.nodes) {
    await eventually(async () => (await purposesAt(url, key)).includes('lost'))
  }
  // The first node has loaded the lost row, too; it is stopped once its cache is on its disk.
  await eventually(() => first?.kontor.output.stderr.includes(' workspace cached ') ?? false)
  t.equal(await cluster.endNode(0, 'SIGTERM'), 0)
  await alone(
    `ALTER DATABASE ${name} RENAME TO ${lost}`,
    `ALTER DATABASE ${past} RENAME TO ${name}`,
  )
  await write('written after')
  await cluster.startNode(0)
  for (const { url } of cluster.nodes) {
    let purposes: string[] = []
    await eventually(async () => {
      purposes = await purposesAt(url, key)
      return purposes.length > 0 && !purposes.includes('lost')
    })
    t.same(purposes, ['kept', 'written after'])
  }
})
