import { setTimeout as wait } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { MIGRATIONS, migrate } from '../../src/store/postgres/migrations.js'
import { beginLoad, Cluster, eventually, type Load, statusOf } from '../fixtures/cluster.js'
import { connected, migratedDatabase } from '../fixtures/postgres.js'

/** Their nodes are the first, the second and the third. */
const WORKSPACES = ['b', 'd', 'a']

/** Calls of a series between two disturbances. */
const CALLS = 15

/** Pause between two refreshes: an issuer takes 600 requests a minute from one address. */
const REFRESH_PAUSE_MS = 120

/** A cluster with keys, whose reads go through the proxy. */
async function underLoad(t: Test, words: readonly string[]): Promise<[Cluster, Load]> {
  const cluster = await Cluster.start(t, await migratedDatabase(t), { words })
  for (const id of WORKSPACES) await cluster.addWorkspace(id)
  const calls = await Promise.all(
    WORKSPACES.map(async (id) => {
      const { key } = await cluster.addKey(id)
      return () => statusOf(`${cluster.proxy.url}/v1/${id}/transactions`, key)
    }),
  )
  const load = beginLoad(calls)
  t.teardown(() => load.end())
  await load.more(CALLS)
  return [cluster, load]
}

function tell(t: Test, { counts, longestMs }: Load): void {
  t.comment(`${JSON.stringify([...counts])}, the longest took ${longestMs().toFixed()} ms`)
}

test('no read fails when a node is killed, and it comes back', async (t) => {
  const [cluster, load] = await underLoad(t, [])
  for (const at of cluster.nodes.keys()) {
    t.equal(await cluster.endNode(at, 'SIGKILL'), 'SIGKILL')
    await load.more(CALLS)
    await cluster.startNode(at)
    await load.more(CALLS)
  }
  await load.end()
  tell(t, load)
  t.same(cluster.proxy.failures, [])
  t.same([...load.counts.keys()], [200])
})

test('no request fails when nodes are restarted one after the other', async (t) => {
  const [cluster, reads] = await underLoad(t, ['--drain', '1s'])
  // Each refresh needs the token of the last one: a lost or a repeated one would end them all.
  const party = await cluster.addParty('a')
  let { refresh } = await cluster.addTokens(party)
  const refreshes = beginLoad([
    async () => {
      await wait(REFRESH_PAUSE_MS)
      const reply = await cluster.refresh(cluster.proxy.url, party, refresh)
      const json = (await reply.json()) as { refresh_token?: string }
      refresh = json.refresh_token ?? ''
      return reply.status
    },
  ])
  t.teardown(() => refreshes.end())
  for (const at of cluster.nodes.keys()) {
    await refreshes.more(10)
    t.equal(await cluster.endNode(at, 'SIGTERM'), 0)
    await cluster.startNode(at)
    await reads.more(CALLS)
  }
  await Promise.all([reads.end(), refreshes.end()])
  t.same(cluster.proxy.failures, [])
  for (const load of [reads, refreshes]) {
    tell(t, load)
    t.same([...load.counts.keys()], [200])
  }
  t.equal(cluster.proxy.postCount, refreshes.counts.get(200), 'no POST was repeated')
})

test('nodes go on while a newer program migrates, as far as it lets them', async (t) => {
  const [cluster, load] = await underLoad(t, [])
  const added = 'ALTER TABLE kontor.transactions ADD COLUMN added TEXT'
  const steps = [...MIGRATIONS, { sql: added, leastProgram: '0.1.0' }]
  const removed = 'ALTER TABLE kontor.transactions DROP COLUMN added'
  const later = [...steps, { sql: removed, leastProgram: '99.0.0' }]
  const newer = await connected(t, cluster.url)
  await migrate(newer, '98.0.0', steps)
  await load.more(CALLS)
  t.equal(await cluster.endNode(0, 'SIGTERM'), 0)
  await cluster.startNode(0)
  await load.more(CALLS)
  await migrate(newer, '99.0.0', later)
  t.equal(await cluster.endNode(1, 'SIGTERM'), 0)
  await t.rejects(cluster.startNode(1), /schema version 3 .*; use kontor 99\.0\.0 or newer/)
  await load.more(CALLS)
  await load.end()
  tell(t, load)
  t.same([...load.counts.keys()], [200])
})

test('a POST to a node that is killed meanwhile is not repeated', async (t) => {
  const url = await migratedDatabase(t)
  const cluster = await Cluster.start(t, url)
  await cluster.addWorkspace('a')
  const party = await cluster.addParty('a')
  const { grantId, refresh } = await cluster.addTokens(party)
  const [holder, watcher] = [await connected(t, url), await connected(t, url)]
  await holder.query('BEGIN')
  await holder.query('SELECT FROM grants WHERE id = $1 FOR UPDATE', [grantId])
  const answer = cluster.refresh(cluster.proxy.url, party, refresh)
  await eventually(async () => {
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return (await watcher.query(waiting)).length > 0
  })
  const [asked = 0] = cluster.proxy.orderOf('/v1/a/')
  await cluster.endNode(asked, 'SIGKILL')
  t.equal((await answer).status, 502)
  t.equal(cluster.proxy.postCount, 1)
  await holder.query('ROLLBACK')
  t.equal((await cluster.refresh(cluster.proxy.url, party, refresh)).status, 200, 'it is not spent')
})
