// Everything at once, for as long as KONTOR_SOAK_MINUTES says (docs/internals/testing.md).
import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { memoryFigures } from '../../bench/process-figures.js'
import { createSecret } from '../../src/auth/secret.js'
import { migrate } from '../../src/store/postgres/migrations.js'
import { beginLoad, Cluster, eventually, type Load } from '../fixtures/cluster.js'
import { PROGRAM } from '../fixtures/postgres.js'
import { administer, PostgresServer } from '../fixtures/postgres-server.js'
import { Disturbances, SoakedWorkspace } from '../fixtures/soak.js'

const MINUTES = Number(process.env['KONTOR_SOAK_MINUTES'] ?? '0')

/** Fewest rounds: both nodes, and both signals, have their turn. */
const ROUNDS_MIN = 2

/** From so many minutes on memory is compared, which grows until caches are full. */
const LONG_MINUTES_MIN = 5

/** How much more memory a node may have at the end than in the middle: garbage comes and goes. */
const FLAT_FACTOR = 1.25

/** One of each node: the proxy hashes them to the first, the second and the third. */
const WORKSPACES = ['b', 'd', 'a']

/** Pause of each program between two calls; without it, nodes and the database start too slowly. */
const PAUSE_MS = 60

/** Calls of each program between two disturbances. */
const CALLS = 10

/** Connections of a node, as docs/operating/more-than-one-machine.md has them: most, and idle. */
const [CONNECTIONS_MAX, CONNECTIONS_IDLE_MAX] = [15, 3]

/** A node ends a connection that it has not used for half of this. */
const IDLE_MS_MAX = 60_000

interface Soak {
  readonly server: PostgresServer
  readonly cluster: Cluster
  readonly workspaces: readonly SoakedWorkspace[]
  readonly disturbances: Disturbances
  readonly load: Load
}

async function beginSoak(t: Test): Promise<Soak> {
  const server = await PostgresServer.start(['synchronous_commit=on'])
  t.teardown(() => server.end())
  await administer(server.url, (connection) => migrate(connection, PROGRAM))
  const cluster = await Cluster.start(t, server.url)
  const workspaces: SoakedWorkspace[] = []
  for (const id of WORKSPACES) workspaces.push(await SoakedWorkspace.make(cluster, id))
  const disturbances = new Disturbances()
  const load = beginLoad(
    workspaces.flatMap((workspace) => [
      () => workspace.call(disturbances),
      () => disturbances.check('committed', () => workspace.rows.commit()),
    ]),
    PAUSE_MS,
  )
  t.teardown(async () => {
    await Promise.allSettled([load.end()])
    for (const { rows } of workspaces) await rows.close()
  })
  return { server, cluster, workspaces, disturbances, load }
}

/** Whether each node answers for each workspace, and knows which credentials are unknown. */
async function isWhole({ cluster, workspaces }: Soak): Promise<boolean> {
  const found = workspaces.map(async ({ id, key }) => {
    const target = `/v1/${id}/transactions`
    const [known, unknown] = [key, createSecret('at-')]
    const statuses = [
      await cluster.statuses(target, known),
      await cluster.statuses(target, unknown),
    ]
    return `${statuses}` === '200,200,200,401,401,401'
  })
  return (await Promise.all(found)).every(Boolean)
}

async function endNode({ cluster, load }: Soak, at: number, signal: 'SIGKILL' | 'SIGTERM') {
  await cluster.endNode(at, signal)
  await load.more(CALLS)
  await cluster.startNode(at)
}

async function killDatabase(soak: Soak): Promise<void> {
  soak.server.kill()
  await soak.load.more(CALLS)
  await soak.server.restart()
  await eventually(() => isWhole(soak))
}

async function revokeKey(t: Test, { cluster, workspaces }: Soak, round: number): Promise<void> {
  const { id: workspace } = workspaces[round % workspaces.length] ?? { id: '' }
  const { id, key } = await cluster.addKey(workspace)
  const target = `/v1/${workspace}/accounts`
  t.same(await cluster.statuses(target, key), [200, 200, 200])
  await cluster.command(['keys', 'revoke', `${id}`])
  t.same(await cluster.statuses(target, key), [401, 401, 401])
}

/** Number of connections of all nodes. */
function connectionsOf({ server }: Soak): Promise<number> {
  return administer(server.url, async (admin) => {
    const sql = `SELECT FROM pg_stat_activity
      WHERE application_name LIKE 'kontor%' AND application_name <> 'kontor test'`
    return (await admin.query(sql)).length
  })
}

/** What is in the audit log, and what should be. */
interface Audited {
  readonly created: number
  readonly revoked: number
  readonly ended: number
  /** Grants that were ended without a row. */
  readonly untold: number
}

function auditOf({ server }: Soak): Promise<Audited | undefined> {
  const sql = `SELECT
    count(*) FILTER (WHERE action = 'api_key.create')::INTEGER AS created,
    count(*) FILTER (WHERE action = 'api_key.revoke')::INTEGER AS revoked,
    count(*) FILTER (WHERE action = 'token.revoke' AND outcome = 'ok')::INTEGER AS ended,
    (SELECT count(*)::INTEGER FROM kontor_control.grants WHERE revoked_at IS NOT NULL
      AND id NOT IN (SELECT (detail::json ->> 'grant')::BIGINT FROM kontor_control.audit
        WHERE action = 'token.revoke' AND outcome = 'ok')) AS untold
    FROM kontor_control.audit`
  return administer(server.url, async (admin) => (await admin.query<Audited>(sql))[0])
}

test('a cluster does what it should while everything is ended now and then', async (t) => {
  t.setTimeout((MINUTES + 10) * 60_000)
  const soak = await beginSoak(t)
  const { cluster, workspaces, disturbances, load } = soak
  const lasting = cluster.nodes[2]?.kontor.child
  const residentBytes: number[] = []
  const endMs = performance.now() + MINUTES * 60_000
  let round = 0
  do {
    await load.more(CALLS)
    // After a SIGKILL, commands wait five seconds for the node that is gone.
    const signal = round % 2 === 0 ? 'SIGTERM' : 'SIGKILL'
    await disturbances.during('node ended', () => endNode(soak, round % 2, signal))
    await eventually(() => isWhole(soak))
    await revokeKey(t, soak, round)
    await disturbances.during('database killed', () => killDatabase(soak))
    t.ok((await connectionsOf(soak)) <= CONNECTIONS_MAX * cluster.nodes.length)
    residentBytes.push(memoryFigures(lasting?.pid ?? 0)?.residentBytes ?? 0)
    round += 1
  } while (round < ROUNDS_MIN || performance.now() < endMs)
  await load.more(CALLS)
  await load.end()

  t.comment(`${round} rounds: ${JSON.stringify(Object.fromEntries(load.counts))}`)
  for (const { kontor } of cluster.nodes) t.equal(kontor.child.exitCode, null, 'no node ended')
  for (const workspace of workspaces) {
    const { rows, key } = workspace
    const isNewest = async (url: string): Promise<boolean> =>
      rows.stateOf((await workspace.read(url, key)).shown ?? []) === rows.begun
    for (const { url } of cluster.nodes) await eventually(() => isNewest(url))
  }
  const done = (outcome: string): number => load.counts.get(outcome) ?? 0
  const { created, revoked, ended, untold } = (await auditOf(soak)) ?? assert.fail()
  t.same([created, revoked], [workspaces.length + round, round], 'keys in the audit log')
  const unknown = done('revoke 502') + done('revoke 503')
  t.ok(ended >= done('revoke 200') && ended <= done('revoke 200') + unknown, 'ended grants')
  t.equal(untold, 0, 'none ended without a row')
  t.comment(`MB of a node: ${residentBytes.map((bytes) => (bytes / 2 ** 20).toFixed()).join(' ')}`)
  if (MINUTES < LONG_MINUTES_MIN) return
  const idle = CONNECTIONS_IDLE_MAX * cluster.nodes.length
  await eventually(async () => (await connectionsOf(soak)) <= idle, IDLE_MS_MAX)
  const third = Math.floor(round / 3)
  const meanOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
  const middle = meanOf(residentBytes.slice(third, 2 * third))
  t.ok(meanOf(residentBytes.slice(-third)) <= middle * FLAT_FACTOR, 'memory is flat')
})
