// Workload: reads with a key from one node and from three that serve one PostgreSQL database. Each
// node gets reads at the same fixed rate, one after the other. Also the start of one node without a
// cache, up to the loaded workspace, against the same from a data directory. The data are the
// demo's company.
// Read: the time of that start over PostgreSQL against SQLite, at most 1.1. CPU time of the nodes
// per request with three against one: serving is not shared work, so the ratio should be near one.
// No bound, because the machine may have fewer cores than there are processes.
// Run: KONTOR_BENCH_POSTGRES=postgres://… npm run bench -- cluster   (an empty database)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../src/errors.js'
import { runToEnd, type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { type ServerClock, serverClock } from './database-server.js'
import { cpuMicroseconds, untilAtRest } from './process-figures.js'
import { atMost, shown, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf, pairedRatio, type Quantiles, quantilesOf } from './statistics.js'

const NODE_COUNTS = [1, 3] as const

/** Reads a second from each node: low enough for two cores to run three nodes and the client. */
const NODE_RATE = 400

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
  /** CPU time of all nodes per request, microseconds; NaN = the system does not tell. */
  readonly requestUs: number
  /** Time of a request, milliseconds. */
  readonly took: Quantiles
}

/** From the start of a process, without a cache, to a loaded workspace; milliseconds. */
export interface LoadRound {
  readonly sqliteMs: number
  readonly postgresMs: number
  /** CPU time of the database server for the start; NaN = it runs on another machine. */
  readonly serverMs: number
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
  await runToEnd('program/main.js', [...filling, ...store])
  const words = ['keys', 'create', '--workspace', 'demo', '--json', ...store]
  const { key } = JSON.parse((await runToEnd('program/main.js', words)).stdout) as { key: string }
  const reads = new Map<number, ClusterRound[]>(NODE_COUNTS.map((count) => [count, []]))
  const loads: LoadRound[] = []
  const folder = mkdtempSync(join(tmpdir(), 'kontor-cluster-'))
  try {
    const directory = ['--data-dir', join(folder, 'sqlite')]
    await runToEnd('program/main.js', [...filling, ...directory])
    const clock = await serverClock(url)
    for (let round = 0; round < rounds; round++) loads.push(await measureLoads(folder, url, clock))
    for (let round = 0; round < rounds; round++) {
      for (const count of NODE_COUNTS) {
        const nodes = await startNodes(url, folder, count)
        const stop = (): Promise<unknown> => Promise.all(nodes.map((node) => node.stop()))
        reads.get(count)?.push(await measureRound(nodes, key, options).finally(stop))
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { reads, loads }
}

async function measureLoads(folder: string, url: string, clock: ServerClock): Promise<LoadRound> {
  const startMs = async (name: string, words: readonly string[]): Promise<number> => {
    const path = join(folder, name)
    rmSync(join(path, 'cache'), { recursive: true, force: true })
    const node = await startNode(['--data-dir', path, ...words])
    await node.stop()
    return node.startMs
  }
  const sqliteMs = await startMs('sqlite', [])
  const before = clock()
  const postgresMs = await startMs('node', ['--store', url])
  return { sqliteMs, postgresMs, serverMs: (clock() - before) / 1_000 }
}

function startNode(words: readonly string[]): Promise<ServerProcess> {
  return startServer('program/main.js', ['serve', '--port', '0', '--json', '--preload', ...words])
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
  const readAll = async (): Promise<number[]> => {
    const counts = await Promise.all(clients.map((client) => readsOf(client, fields, seconds)))
    return counts.flat()
  }
  // V8 compiles the code, and caches are written.
  await readAll()
  for (const { pid } of nodes) await untilAtRest(pid, restMs)
  const before = cpuOf(nodes)
  const tookMs = await readAll()
  const requestUs = (cpuOf(nodes) - before) / tookMs.length
  return { requestCount: tookMs.length, requestUs, took: quantilesOf(tookMs) }
}

/** Reads pages at {@link NODE_RATE}, or slower if an answer takes longer. @returns milliseconds */
async function readsOf(
  client: Client,
  fields: Readonly<Record<string, string>>,
  seconds: number,
): Promise<number[]> {
  const tookMs: number[] = []
  const endMs = performance.now() + seconds * 1_000
  let nextMs = performance.now()
  while (nextMs < endMs) {
    await wait(Math.max(0, nextMs - performance.now()))
    const sentMs = performance.now()
    const path = `/v1/demo/transactions?limit=50&offset=${(tookMs.length * 50) % 1_000}`
    const answer = await client.ask({ path, fields })
    if (answer.status !== 200) throw new Error(`a read was answered with ${answer.status}`)
    tookMs.push(performance.now() - sentMs)
    nextMs = Math.max(nextMs + 1_000 / NODE_RATE, sentMs)
  }
  return tookMs
}

/** CPU time of all nodes, microseconds; NaN = the system does not tell. */
function cpuOf(nodes: readonly ServerProcess[]): number {
  return nodes.reduce((sum, { pid }) => sum + (cpuMicroseconds(pid) ?? Number.NaN), 0)
}

/** The figures as Markdown. */
export function reportCluster({ reads, loads }: ClusterFigures): string {
  const rows = [...reads].flatMap(([count, rounds]) =>
    rounds.map(({ requestCount, requestUs, took }, round) => [
      ...[`${count}`, `${round + 1}`, `${requestCount}`, shown(requestUs)],
      ...[shown(took.p50), shown(took.p99)],
    ]),
  )
  const costs = NODE_COUNTS.map((count) =>
    (reads.get(count) ?? []).map(({ requestUs }) => requestUs),
  )
  const [one = [], three = []] = costs
  const head = ['nodes', 'round', 'requests', 'CPU a request, µs', 'p50, ms', 'p99, ms']
  const sqliteMs = loads.map((load) => load.sqliteMs)
  const postgresMs = loads.map((load) => load.postgresMs)
  const serverSeconds = shown(medianOf(loads.map((load) => load.serverMs)) / 1_000)
  const starts = [sqliteMs, postgresMs].map((ms) => shown(quantilesOf(ms).p50 / 1_000))
  const name = 'start without a cache, PostgreSQL against SQLite'
  const target = atMost(name, pairedRatio(postgresMs, sqliteMs), '×', LOAD_RATIO_MAX)
  return [
    targetTable([target]),
    `The starts: ${starts[0]} s from SQLite, ${starts[1]} s from PostgreSQL.`,
    `The server used ${serverSeconds} s of CPU time for a start.`,
    table(head, rows),
    `CPU of the nodes per request, three against one: ${shown(pairedRatio(three, one))} ×\n`,
  ].join('\n\n')
}
