// What is committed by anybody is answered by each node, whatever way it came.
import { randomBytes } from 'node:crypto'
import { type Test, test } from 'tap'
import { balance, entry, message } from '../fixtures/camt-text.js'
import { Cluster, eventually } from '../fixtures/cluster.js'
import { connected, migratedDatabase } from '../fixtures/postgres.js'
import { PostgresProxy } from '../fixtures/postgres-proxy.js'
import { administer } from '../fixtures/postgres-server.js'
import { insertTransactions, printedSql } from '../fixtures/postgres-workspace.js'

/** Commits of each kind of writer. */
const COMMITS = 2

type Writer = (number: number) => Promise<unknown>

/** A writer with the rights and the policy that the schema's page prints. */
async function foreignWriter(t: Test, url: string, no: number): Promise<Writer> {
  const role = `erp_${randomBytes(6).toString('hex')}`
  const connection = await connected(t, url)
  await connection.query(`CREATE ROLE ${role}`)
  t.teardown(async () => {
    const remove = `RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`
    await administer(url, (admin) => admin.query(remove))
  })
  for (const heading of [
    'A foreign writer needs privileges on three tables',
    'A policy restricts a foreign writer to its workspaces',
  ]) {
    await connection.query(printedSql(heading).replaceAll('erp', role))
  }
  await connection.query(`SET ROLE ${role}`)
  return () => connection.query(insertTransactions(no))
}

function importer(cluster: Cluster): Writer {
  return (number) => {
    const text = message(balance('OPBD', '1.00') + entry({ amount: `${number + 1}.00` }))
    const words = ['import', '--workspace', 'acme', '-']
    return cluster.command(words, { stdin: [Buffer.from(text)] })
  }
}

/** Number of transactions that a node answers with. */
async function countAt(url: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  const reply = await fetch(`${url}/v1/acme/transactions`, { headers })
  await reply.text()
  return Number(reply.headers.get('x-total-count'))
}

/** Writes, and asks each node until it shows the commit. */
async function assertVisible(t: Test, url: string, nodesUrl = url): Promise<void> {
  const cluster = await Cluster.start(t, url, { nodesUrl })
  const no = await cluster.addWorkspace('acme')
  const { key } = await cluster.addKey('acme')
  const plain = await connected(t, url)
  const writers: readonly (readonly [string, Writer])[] = [
    ['plain SQL', () => plain.query(insertTransactions(no))],
    ['a foreign role', await foreignWriter(t, url, no)],
    ['an import', importer(cluster)],
  ]
  let count = 0
  for (const { url } of cluster.nodes) t.equal(await countAt(url, key), 0)
  for (const [name, write] of writers) {
    const tookMs: number[] = []
    for (let i = 0; i < COMMITS; i++) {
      await write(i)
      count += 1
      const shown = cluster.nodes.map(({ url }) =>
        eventually(async () => (await countAt(url, key)) === count),
      )
      tookMs.push(...(await Promise.all(shown)))
    }
    const sorted = tookMs.sort((a, b) => a - b).map((ms) => ms.toFixed())
    const [p50, max] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    t.pass(`${name}: all nodes show it`)
    t.comment(`${name}: p50 ${p50} ms, the longest ${max} ms`)
  }
}

test('a commit shows on each node, whoever made it', async (t) => {
  const url = await migratedDatabase(t)
  await assertVisible(t, url)
})

test('a commit shows also where the database notifies no node', async (t) => {
  const url = await migratedDatabase(t)
  const proxy = await PostgresProxy.start(t, url)
  // As long, and without an effect on this connection.
  proxy.asked = ['LISTEN ', 'NOTIFY ']
  await assertVisible(t, url, proxy.url)
})
