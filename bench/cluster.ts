// Workload: reads with a key, in turn over nodes that serve one PostgreSQL database, by callers
// that wait for each answer; and a period without any request, in which the nodes only ask the
// database what is new. With one node and with three. Also the start of one node without a cache,
// up to the loaded workspace, next to the same from a data directory. The data are the demo's
// company.
// Read: the time of that start over PostgreSQL against SQLite, at most 1.1. CPU time of all nodes
// per request with three against one: serving is not shared work, so the ratio should be near one.
// No bound: the machine has fewer cores than processes.
// Run: KONTOR_BENCH_POSTGRES=postgres://… npm run bench -- cluster   (an empty database)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../src/errors.js'
import { runToEnd, type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { cpuMicroseconds, untilAtRest } from './process-figures.js'
import { atMost, shown, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { pairedRatio, type Quantiles, quantilesOf } from './statistics.js'

const NODE_COUNTS = [1, 3] as const

const CALLERS = 4

/** Time of a start over PostgreSQL, against that over SQLite. */
const LOAD_RATIO_MAX = 1.1

/** Settings that the bench uses, and its database. */
export interface ClusterOptions
  extends Pick<Settings, 'rowCount' | 'seed' | 'seconds' | 'rounds' | 'restMs'> {
  /** An empty database. */
  readonly url: string
}

/** What nodes used in one round. */
export interface ClusterRound {
  readonly requestCount: number
  /** CPU time of all nodes per request, microseconds; undefined = the system does not tell. */
  readonly requestUs: number | undefined
  /** CPU time of one node without requests, microseconds a second. */
  readonly restUs: number | undefined
  /** Time of a request, milliseconds. */
  readonly took: Quantiles
}

/** From the start of a process, without a cache, to a loaded workspace; milliseconds. */
export interface LoadRound {
  readonly sqliteMs: number
  readonly postgresMs: number
}

/** What nodes use, and how long a start takes. */
export interface ClusterFigures {
  /** Rounds by number of nodes. */
  readonly reads: ReadonlyMap<number, readonly ClusterRound[]>
  readonly loads: readonly LoadRound[]
}

/** The database of a run. @throws CommandError usage */
export function benchDatabase(): string {
  const url = process.env['KONTOR_BENCH_POSTGRES']
  if (url !== undefined) return url
  throw new CommandError('usage', 'KONTOR_BENCH_POSTGRES is the URL of an empty database')
}

/** Fills the database, which keeps its data, and measures nodes over it. */
export async function measureCluster(options: ClusterOptions): Promise<ClusterFigures> {
  const { url, rowCount, seed, rounds } = options
  const store = ['--store', url]
  const filling = ['demo', '--transactions', `${rowCount}`, '--seed', `${seed}`]
  await runToEnd('src/main.js', [...filling, ...store])
  const words = ['keys', 'create', '--workspace', 'demo', '--json', ...store]
  const { key } = JSON.parse((await runToEnd('src/main.js', words)).stdout) as { key: string }
  const reads = new Map<number, ClusterRound[]>(NODE_COUNTS.map((count) => [count, []]))
  const loads: LoadRound[] = []
  const folder = mkdtempSync(join(tmpdir(), 'kontor-cluster-'))
  try {
    const directory = ['--data-dir', join(folder, 'sqlite')]
    await runToEnd('src/main.js', [...filling, ...directory])
    for (let round = 0; round < rounds; round++) loads.push(await measureLoads(folder, url))
    for (let round = 0; round < rounds; round++) {
      for (const count of NODE_COUNTS) {
        const nodes = await startNodes(url, folder, count)
        reads.get(count)?.push(await measureRound(nodes, key, options))
        await Promise.all(nodes.map((node) => node.stop()))
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { reads, loads }
}

async function measureLoads(folder: string, url: string): Promise<LoadRound> {
  const startMs = async (name: string, words: readonly string[]): Promise<number> => {
    const path = join(folder, name)
    rmSync(join(path, 'cache'), { recursive: true, force: true })
    const node = await startNode(['--data-dir', path, ...words])
    await node.stop()
    return node.startMs
  }
  const sqliteMs = await startMs('sqlite', [])
  return { sqliteMs, postgresMs: await startMs('node', ['--store', url]) }
}

function startNode(words: readonly string[]): Promise<ServerProcess> {
  return startServer('src/main.js', ['serve', '--port', '0', '--json', '--preload', ...words])
}

function startNodes(url: string, folder: string, count: number): Promise<ServerProcess[]> {
  const names = Array.from({ length: count }, (_, i) => join(folder, `node-${i}`))
  return Promise.all(names.map((path) => startNode(['--store', url, '--data-dir', path])))
}

async function measureRound(
  nodes: readonly ServerProcess[],
  key: string,
  { seconds, restMs }: ClusterOptions,
): Promise<ClusterRound> {
  const clients = nodes.map(({ port }) => new Client(port))
  const fields = { authorization: `Bearer ${key}` }
  const tookMs: number[] = []
  const read = async (): Promise<void> => {
    const begunMs = performance.now()
    const path = `/v1/demo/transactions?limit=50&offset=${(tookMs.length * 50) % 1_000}`
    const answer = await clients[tookMs.length % clients.length]?.ask({ path, fields })
    if (answer?.status !== 200) throw new Error(`a read was answered with ${answer?.status}`)
    tookMs.push(performance.now() - begunMs)
  }
  const call = async (): Promise<void> => {
    const endMs = performance.now() + seconds * 1000
    while (performance.now() < endMs) await read()
  }
  const load = (): Promise<unknown> => Promise.all(Array.from({ length: CALLERS }, call))
  // V8 compiles the code, and caches are written.
  await load()
  for (const { pid } of nodes) await untilAtRest(pid, restMs)
  const before = cpuOf(nodes)
  await wait(seconds * 1000)
  const rested = cpuOf(nodes)
  tookMs.length = 0
  await load()
  const requestCount = tookMs.length
  return {
    requestCount,
    requestUs: per(cpuOf(nodes), rested, requestCount),
    restUs: per(rested, before, seconds * nodes.length),
    took: quantilesOf(tookMs),
  }
}

/** CPU time of all nodes; undefined = the system does not tell. */
function cpuOf(nodes: readonly ServerProcess[]): number | undefined {
  const all = nodes.map(({ pid }) => cpuMicroseconds(pid))
  return all.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one))
}

function per(after?: number, before?: number, count = 1): number | undefined {
  return after === undefined || before === undefined ? undefined : (after - before) / count
}

/** The figures as Markdown. */
export function reportCluster({ reads, loads }: ClusterFigures): string {
  const rows = [...reads].flatMap(([count, rounds]) =>
    rounds.map(({ requestCount, requestUs, restUs, took }, round) => [
      ...[`${count}`, `${round + 1}`, `${requestCount}`, shown(requestUs)],
      ...[shown(took.p50), shown(took.p99), shown(restUs === undefined ? restUs : restUs / 1e4)],
    ]),
  )
  const costs = NODE_COUNTS.map((count) =>
    (reads.get(count) ?? []).flatMap(({ requestUs }) => requestUs ?? []),
  )
  const [one = [], three = []] = costs
  const ratio = one.length === 0 ? undefined : pairedRatio(three, one)
  const head = ['nodes', 'round', 'requests', 'CPU a request, µs', 'p50, ms', 'p99, ms']
  const sqliteMs = loads.map((load) => load.sqliteMs)
  const postgresMs = loads.map((load) => load.postgresMs)
  const starts = [sqliteMs, postgresMs].map((ms) => shown(quantilesOf(ms).p50 / 1_000))
  const name = 'start without a cache, PostgreSQL against SQLite'
  const target = atMost(name, pairedRatio(postgresMs, sqliteMs), '×', LOAD_RATIO_MAX)
  return [
    targetTable([target]),
    `The starts: ${starts[0]} s from SQLite, ${starts[1]} s from PostgreSQL.`,
    table([...head, 'a node at rest, % of a core'], rows),
    `CPU of all nodes per request, three against one: ${shown(ratio)} ×\n`,
  ].join('\n\n')
}
