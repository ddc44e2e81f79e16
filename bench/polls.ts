// Workload: nodes without requests, which only poll their database: with no workspace in memory,
// and with many. Measured are the CPU time of a node and that of the database server, less the
// server's own without nodes.
// Read: the server's CPU time for each node, which bounds how many nodes one server supports; a
// model multiplies it. No bound. The server must run on this machine, or its figures are dashes.
// Run: KONTOR_BENCH_POSTGRES=postgres://… npm run bench -- polls   (an empty database)
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeDataDirectory, workspacePath } from '../src/store/data-directory.js'
import { runToEnd, type ServerProcess, startServer } from './child.js'
import { type ServerClock, serverClock } from './database-server.js'
import { cpuMicroseconds, untilAtRest } from './process-figures.js'
import { shown, table } from './report.js'
import type { Settings } from './settings.js'
import { medianOf } from './statistics.js'

const NODE_COUNTS = [1, 3] as const

/** Sizes of the model. */
const MODEL_NODE_COUNTS = [10, 100, 1_000] as const

/** Transactions of each workspace: few, because a poll reads only the workspace's version. */
const ROW_COUNT = 100

/** Settings that the bench uses, its database, and its size. */
export interface PollOptions extends Pick<Settings, 'seed' | 'seconds' | 'rounds' | 'restMs'> {
  /** An empty database. */
  readonly url: string
  readonly workspaceCount: number
}

/** What nodes at rest use, in microseconds of CPU time a second. */
export interface PollRound {
  readonly nodeCount: number
  /** Workspaces in the memory of each node. */
  readonly workspaceCount: number
  /** Of one node; NaN = the system does not tell. */
  readonly nodeUs: number
  /** Of the database server, for one node; NaN = it runs elsewhere. */
  readonly serverUs: number
}

/** Fills the database, which keeps its data, and measures nodes over it. */
export async function measurePolls(options: PollOptions): Promise<PollRound[]> {
  const { url, workspaceCount, rounds } = options
  const folder = mkdtempSync(join(tmpdir(), 'kontor-polls-'))
  const found: PollRound[] = []
  try {
    await fillDatabase(join(folder, 'sqlite'), options)
    const clock = await serverClock(url)
    for (let round = 0; round < rounds; round++) {
      const idleUs = await serverMicroseconds(clock, options.seconds)
      for (const nodeCount of NODE_COUNTS) {
        for (const loaded of [0, workspaceCount]) {
          const words = ['--store', url, ...(loaded > 0 ? ['--preload'] : [])]
          const nodes = await startNodes(folder, nodeCount, words)
          const stop = (): Promise<unknown> => Promise.all(nodes.map((node) => node.stop()))
          const figures = await measureNodes(nodes, clock, options).finally(stop)
          const serverUs = (figures.serverUs - idleUs) / nodeCount
          found.push({ nodeCount, workspaceCount: loaded, nodeUs: figures.nodeUs, serverUs })
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return found
}

/** Copies one workspace file many times, which is faster than filling each workspace. */
async function fillDatabase(
  path: string,
  { url, seed, workspaceCount }: PollOptions,
): Promise<void> {
  const directory = makeDataDirectory(path)
  const filling = ['demo', '--transactions', `${ROW_COUNT}`, '--seed', `${seed}`]
  await runToEnd('program/main.js', [...filling, '--data-dir', path])
  const demo = workspacePath(directory, 'demo')
  for (let i = 1; i < workspaceCount; i++) copyFileSync(demo, workspacePath(directory, `copy-${i}`))
  await runToEnd('program/main.js', ['store', 'copy', '--from', path, '--to', url])
}

function startNodes(
  folder: string,
  count: number,
  words: readonly string[],
): Promise<ServerProcess[]> {
  const start = (_: unknown, i: number): Promise<ServerProcess> => {
    const own = ['--data-dir', join(folder, `node-${i}`), ...words]
    return startServer('program/main.js', ['serve', '--port', '0', '--json', ...own])
  }
  return Promise.all(Array.from({ length: count }, start))
}

/** CPU time of one of the nodes, and of the server for all of them, microseconds a second. */
async function measureNodes(
  nodes: readonly ServerProcess[],
  clock: ServerClock,
  { seconds, restMs }: PollOptions,
): Promise<Pick<PollRound, 'nodeUs' | 'serverUs'>> {
  for (const { pid } of nodes) await untilAtRest(pid, restMs)
  const nodesUs = (): number =>
    nodes.reduce((sum, { pid }) => sum + (cpuMicroseconds(pid) ?? Number.NaN), 0)
  const before = nodesUs()
  const serverUs = await serverMicroseconds(clock, seconds)
  return { nodeUs: (nodesUs() - before) / seconds / nodes.length, serverUs }
}

/** CPU time of the server in the next `seconds`, microseconds a second. */
async function serverMicroseconds(clock: ServerClock, seconds: number): Promise<number> {
  const before = clock()
  await wait(seconds * 1_000)
  return (clock() - before) / seconds
}

/** The figures as Markdown, with a model of larger clusters. */
export function reportPolls(rounds: readonly PollRound[]): string {
  const rows = rounds.map(({ nodeCount, workspaceCount, nodeUs, serverUs }) => [
    ...[`${nodeCount}`, `${workspaceCount}`],
    ...[nodeUs, serverUs].map((us) => shown(us / 1e4)),
  ])
  const head = ['nodes', 'workspaces in memory', 'a node, % of a core', 'the server for it, %']
  const nodeCountMax = Math.max(...NODE_COUNTS)
  const models = [...new Set(rounds.map(({ workspaceCount }) => workspaceCount))].map((loaded) => {
    const most = rounds.filter(
      ({ nodeCount, workspaceCount }) => nodeCount === nodeCountMax && workspaceCount === loaded,
    )
    const coreCount = medianOf(most.map(({ serverUs }) => serverUs)) / 1e6
    const cells = MODEL_NODE_COUNTS.map((count) => shown(coreCount * count))
    return [`${loaded}`, ...cells]
  })
  const modelHead = MODEL_NODE_COUNTS.map((count) => `${shown(count)} nodes`)
  return [
    table(head, rows),
    `Cores of the server for polls, by the share that each of ${nodeCountMax} nodes had:`,
    `${table(['workspaces in memory', ...modelHead], models)}\n`,
  ].join('\n\n')
}
