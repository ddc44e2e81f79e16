// The database is killed, and unreachable for long, while programs go on calling.
import { setTimeout as wait } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { createSecret } from '../../src/auth/secret.js'
import { migrate } from '../../src/store/postgres/migrations.js'
import { RUNS_FACTOR } from '../fixtures/assert-property.js'
import { beginLoad, Cluster, eventually, statusOf } from '../fixtures/cluster.js'
import { Consent } from '../fixtures/consent.js'
import { PROGRAM } from '../fixtures/postgres.js'
import { administer, PostgresServer } from '../fixtures/postgres-server.js'
import { insertTransactions } from '../fixtures/postgres-workspace.js'

/** Kills of the database under load. */
const KILL_COUNT = Math.ceil(4 * RUNS_FACTOR)

/** Pause between two requests: an issuer takes 600 a minute from one address. */
const REQUEST_PAUSE_MS = 30

const ACCOUNTS = '/v1/a/accounts'

/** A cluster with a server of its own, which keeps each commit when it is killed. */
async function ownDatabase(t: Test, words: readonly string[]) {
  const server = await PostgresServer.start(['synchronous_commit=on'])
  t.teardown(() => server.end())
  await administer(server.url, (connection) => migrate(connection, PROGRAM))
  const cluster = await Cluster.start(t, server.url, { words })
  const no = await cluster.addWorkspace('a')
  const party = await cluster.addParty('a')
  const { key } = await cluster.addKey('a')
  return { server, cluster, no, party, key }
}

test('a killed database ends nothing that is known, and refuses nothing', async (t) => {
  const { server, cluster, no, party, key } = await ownDatabase(t, [])
  const { access } = await cluster.addTokens(party)
  for (const secret of [key, access]) await cluster.statuses(ACCOUNTS, secret)
  const loadOf = (secret: string) =>
    beginLoad(
      cluster.nodes.map(
        ({ url }) =>
          () =>
            statusOf(`${url}${ACCOUNTS}`, secret),
      ),
    )
  const [reads, tokenReads] = [loadOf(key), loadOf(access)]
  t.teardown(() => Promise.all([reads.end(), tokenReads.end()]))
  for (let kill = 1; kill <= KILL_COUNT; kill++) {
    await reads.more(15)
    server.kill()
    await reads.more(10)
    const unknown = createSecret('at-')
    t.same(await cluster.statuses(ACCOUNTS, unknown), [503, 503, 503], 'an unknown token')
    const refreshes = cluster.nodes.map(({ url }) => cluster.refresh(url, party, 'rt-unknown'))
    const statuses = (await Promise.all(refreshes)).map(({ status }) => status)
    t.same(statuses, [503, 503, 503], 'the token endpoint')
    await server.restart()
    await administer(server.url, (connection) => connection.query(insertTransactions(no)))
    const tookMs = await Promise.all(
      cluster.nodes.map(({ url }) => eventually(async () => (await countAt(url, key)) === kill)),
    )
    t.comment(`visible after ${tookMs.map((ms) => ms.toFixed()).join(', ')} ms`)
    await eventually(async () => {
      const found = await cluster.statuses(ACCOUNTS, unknown)
      return found.every((status) => status === 401)
    })
  }
  await tokenReads.end()
  await reads.end()
  t.comment(`tokens: ${JSON.stringify([...tokenReads.counts])}`)
  t.same([...tokenReads.counts.keys()], [200])
  t.comment(`keys: ${JSON.stringify([...reads.counts])}, longest ${reads.longestMs().toFixed()} ms`)
  t.same([...reads.counts.keys()], [200])
  for (const { kontor } of cluster.nodes) t.equal(kontor.child.exitCode, null, 'no node ended')
})

async function countAt(url: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  const reply = await fetch(`${url}/v1/a/transactions`, { headers })
  await reply.text()
  return Number(reply.headers.get('x-total-count'))
}

test('what was known is believed for --offline, and again once it is heard', async (t) => {
  const { server, cluster, party, key } = await ownDatabase(t, ['--offline', '1s'])
  const { access, refresh } = await cluster.addTokens(party)
  const every = async (status: number): Promise<boolean> => {
    const found = [
      await cluster.statuses(ACCOUNTS, key),
      await cluster.statuses(ACCOUNTS, access),
      await cluster.statuses('/readyz', key),
    ]
    return found.flat().every((one) => one === status)
  }
  t.ok(await every(200))
  server.kill()
  await eventually(() => every(503))
  t.ok(await every(503), 'it stays so')
  t.equal((await cluster.refresh(cluster.proxy.url, party, refresh)).status, 503)
  await server.restart()
  const tookMs = await eventually(() => every(200))
  t.comment(`back ${tookMs.toFixed()} ms after the database`)
  t.equal(
    (await cluster.refresh(cluster.proxy.url, party, refresh)).status,
    200,
    'nothing was spent',
  )
})

/** Requests at a node that need the database, by what they are answered with while it is there. */
async function needy(
  consent: Consent,
  node: string,
  refresh: () => Promise<Response>,
): Promise<Readonly<Record<string, () => Promise<number>>>> {
  const [visitor, signIn] = [await consent.signIn(node), await consent.signInForm(node)]
  return {
    'sign-in 303': async () => (await signIn()).visit.status,
    'page 200': async () => (await visitor.get(`${node}/dashboard`)).status,
    'page of keys 200': async () => (await visitor.get(`${node}/dashboard/keys`)).status,
    'sign-in page 200': () => statusOf(`${node}/dashboard`, ''),
    'consent page 200': async () => (await consent.ask(visitor, node)).status,
    'code 400': async () => (await consent.redeem(node, createSecret('ac-'))).status,
    'refresh 400': async () => (await refresh()).status,
  }
}

test('sign-in, pages and the token endpoint answer 503 without the database', async (t) => {
  const { server, cluster, party } = await ownDatabase(t, [])
  const consent = await Consent.make(cluster, party)
  const all = await Promise.all(
    cluster.nodes.map(({ url }) =>
      needy(consent, url, () => cluster.refresh(url, party, createSecret('rt-'))),
    ),
  )
  const kinds = Object.keys(all[0] ?? {})
  const code = await consent.newCode(await consent.signIn(cluster.proxy.url), cluster.proxy.url)
  const load = beginLoad(
    all.map((requests) => {
      let sent = 0
      return async () => {
        await wait(REQUEST_PAUSE_MS)
        const kind = kinds[sent++ % kinds.length] ?? ''
        const status = await requests[kind]?.()
        return status === 503 ? `${kind}: 503` : kind.replace(/\d+$/, `${status}`)
      }
    }),
  )
  t.teardown(() => load.end())
  const round = kinds.length
  for (let kill = 0; kill < 2; kill++) {
    await load.more(round)
    server.kill()
    await load.more(2 * round)
    for (const { url } of cluster.nodes) t.equal((await consent.redeem(url, code)).status, 503)
    await server.restart()
    await eventually(async () => (await cluster.statuses('/readyz', '')).every((s) => s === 200))
  }
  await load.more(round)
  await load.end()
  t.comment(JSON.stringify([...load.counts].sort()))
  t.same([...load.counts.keys()].sort(), kinds.flatMap((kind) => [kind, `${kind}: 503`]).sort())
  t.equal((await consent.redeem(cluster.proxy.url, code)).status, 200, 'nothing was spent')
})
