// Workload: reads during a writer's 500 changes a second, by the way in which kontor is started:
//   npm start           a clone
//   npx kontor serve    a clone or an installed package, through bin/kontor.mjs
//   node dist/program/main.js   without V8's flags, to show their effect
// Each serves the same copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7, in turn over
// several rounds; ten seconds of the same load precede each measurement.
// Read: p99 by `npx kontor serve` at most a tenth above that by `npm start`; the third has no
// bound.
// Run: npm run bench -- launch [--rows N] [--seconds S] [--rounds R] [--record]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerProcess, startCommand, startServer } from './child.js'
import { copyCorpus, openCorpus } from './corpus.js'
import { mixedTargets } from './live.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf, pairedRatio, type Quantiles } from './statistics.js'

/** One way to start kontor, and its readers' waiting times in each round. */
export interface Launch {
  readonly name: string
  /** Milliseconds. */
  readonly rounds: readonly Quantiles[]
}

/** Options that differ between a full run and a smoke run. */
export interface LaunchOptions {
  /** Names of the {@link LAUNCHES} to measure. */
  readonly names: readonly string[]
  readonly settleSeconds: number
  readonly readSeconds: number
}

const ROOT = resolve(import.meta.dirname, '../..')
const SERVE = ['--port', '0', '--preload', '--json', '--data-dir']
/** Ways to start kontor; the data directory follows these words. */
export const LAUNCHES: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  { name: 'npm start', words: ['npm', '--prefix', ROOT, '--silent', 'start', '--', ...SERVE] },
  {
    name: 'npx kontor serve',
    words: ['npm', '--prefix', ROOT, '--silent', 'exec', '--', 'kontor', 'serve', ...SERVE],
  },
  {
    name: 'node dist/program/main.js serve, no flags',
    words: [process.execPath, join(ROOT, 'dist/program/main.js'), 'serve', ...SERVE],
  },
]

/** Starts each in turn over a copy of the corpus, which is deleted at the end. */
export async function measureLaunches(
  settings: Settings,
  options: LaunchOptions,
): Promise<readonly Launch[]> {
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'launch')
  const path = copyCorpus(corpus, scratch)
  const folder = mkdtempSync(join(tmpdir(), 'kontor-launch-'))
  const commands = LAUNCHES.filter(({ name }) => options.names.includes(name))
  const launches = commands.map(({ name }) => ({ name, rounds: [] as Quantiles[] }))
  const targetsPath = join(folder, 'targets.json')
  try {
    for (let round = 0; round < settings.rounds; round++) {
      for (const [i, { name, words }] of commands.entries()) {
        const server = await startCommand([...words, scratch])
        try {
          writeFileSync(targetsPath, JSON.stringify(await mixedTargets(corpus, server.port)))
          const read = await readWithWriter({ server, path, targetsPath }, options)
          launches[i]?.rounds.push(read)
          settings.say(`  ${name}: p99 ${shown(read.p99)} ms`)
        } finally {
          await server.stop()
        }
      }
    }
    return launches
  } finally {
    rmSync(folder, { recursive: true })
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Served {
  readonly server: ServerProcess
  /** The workspace file. */
  readonly path: string
  readonly targetsPath: string
}

async function readWithWriter(
  { server, path, targetsPath }: Served,
  { settleSeconds, readSeconds }: LaunchOptions,
): Promise<Quantiles> {
  const writer = await startServer('bench/live-writer.js', [path, '10', '50', '7'])
  const callers = await startServer('bench/read-callers.js', [targetsPath, String(server.port)])
  try {
    await readFor(callers, settleSeconds)
    return await readFor(callers, readSeconds)
  } finally {
    await callers.stop()
    await writer.stop()
  }
}

async function readFor(callers: ServerProcess, seconds: number): Promise<Quantiles> {
  process.kill(callers.pid, 'SIGUSR2')
  await wait(seconds * 1_000)
  const line = callers.nextLine()
  process.kill(callers.pid, 'SIGUSR2')
  return JSON.parse(await line) as Quantiles
}

/** Bounds that bin/kontor.mjs has to keep. */
export function launchTargets(launches: readonly Launch[]): Target[] {
  const p99 = (name: string): number[] =>
    launches.find((one) => one.name === name)?.rounds.map((round) => round.p99) ?? []
  return [
    {
      what: 'p99 of reads with a writer, npx kontor serve against npm start',
      measured: pairedRatio(p99('npx kontor serve'), p99('npm start')),
      unit: '×',
      bound: 1.1,
      direction: 'at most',
    },
  ]
}

/** The figures as Markdown. */
export function reportLaunches(launches: readonly Launch[]): string {
  const middle = (rounds: readonly Quantiles[], pick: (one: Quantiles) => number): string =>
    shown(medianOf(rounds.map(pick)))
  const rows = launches.map(({ name, rounds }) => [
    name,
    middle(rounds, ({ p50 }) => p50),
    middle(rounds, ({ p99 }) => p99),
    rounds.map(({ p99 }) => shown(p99)).join(', '),
  ])
  const head = ['started by', 'p50 ms', 'p99 ms, median', 'p99 ms of each round']
  return `${targetTable(launchTargets(launches))}\n\n${table(head, rows)}`
}
