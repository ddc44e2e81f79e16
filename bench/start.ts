// Workload: `kontor serve` of one workspace, 1,000,000 rows, seed 7, as a process of its own, from
// process start to the first answers: from the file alone, from the cached snapshot, and from the
// cached snapshot with 1,000 later changes. A snapshot from the cache must answer like a built one.
// Read: milliseconds from process start to the first list and search, and memory at rest, with all
// indexes; no floor and no peer.
// Run: npm run bench -- start [--corpus shop] [--rows N] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  cachePath,
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../src/store/data-directory.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { startServer } from './child.js'
import { Client } from './client.js'
import { type Corpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { memoryFigures, untilAtRest } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf } from './statistics.js'

/** Durations of a start, from process start. */
export interface StartFigures {
  readonly listeningMs: number
  /** To the answer of the first page of the default list. */
  readonly listMs: number
  /** To the answer of the first search; NaN when the service has no search. */
  readonly searchMs: number
  /** The peak until then; NaN where the system does not report it. */
  readonly peakResidentBytes: number
  /** Per transaction, at rest after that, with all indexes; NaN where it is not reported. */
  readonly residentBytesPerRow: number
}

/** The starts of one kind. */
export interface StartSeries {
  readonly name: 'file' | 'cache' | 'changed'
  readonly title: string
  readonly rounds: readonly StartFigures[]
}

/** Changes that a start has to catch up with. */
const CHANGE_COUNT = 1_000

/** Time limit for a server to write the cache of a loaded workspace. */
const CACHE_WRITE_MS_MAX = 120_000

const LIST = `/v1/${WORKSPACE_ID}/transactions`
const SEARCH = `${LIST}/search?query=rechnung`

/** Starts servers on a copy of the corpus, which is deleted at the end. */
export async function measureStarts(settings: Settings): Promise<readonly StartSeries[]> {
  const { rounds, say } = settings
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'starts')
  rmSync(scratch, { recursive: true, force: true })
  cpSync(corpus.directory.path, scratch, { recursive: true })
  const directory = makeDataDirectory(scratch)
  const run: Run = { corpus, directory, restMs: settings.restMs }
  try {
    const file: StartFigures[] = []
    const cache: StartFigures[] = []
    const changed: StartFigures[] = []
    for (let round = 0; round < rounds; round++) {
      rmSync(directory.cachePath, { recursive: true, force: true })
      const cold = await start(run, 'writes the cache')
      file.push(cold.figures)
      say(`  from the file ${shown(cold.figures.listMs)} ms`)
      const fromCache = await start(run, 'reads the cache')
      cache.push(fromCache.figures)
      assert.deepEqual(
        fromCache.answers,
        cold.answers,
        'the cached snapshot answers like the built one',
      )
      say(`  from the cache ${shown(fromCache.figures.listMs)} ms`)
      change(directory, round)
      const caughtUp = await start(run, 'reads the cache')
      changed.push(caughtUp.figures)
      rmSync(directory.cachePath, { recursive: true, force: true })
      const read = await start(run, 'writes the cache')
      assert.deepEqual(
        caughtUp.answers,
        read.answers,
        'the updated snapshot answers like a built one',
      )
    }
    return [
      { name: 'file', title: 'the file', rounds: file },
      { name: 'cache', title: 'the cache', rounds: cache },
      { name: 'changed', title: `the cache, and ${CHANGE_COUNT} changes`, rounds: changed },
    ]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Run {
  readonly corpus: Corpus
  readonly directory: DataDirectory
  readonly restMs: number
}

interface Started {
  readonly figures: StartFigures
  /** Bodies of the list and, if available, of the search. */
  readonly answers: readonly string[]
}

/**
 * Starts a server, requests the answers, and stops it. @param then expected handling of the cache
 */
async function start(
  { corpus, directory, restMs }: Run,
  then: 'writes the cache' | 'reads the cache',
): Promise<Started> {
  const cached = cachePath(directory, WORKSPACE_ID)
  assert.equal(existsSync(cached), then === 'reads the cache')
  const words = ['serve', '--data-dir', directory.path, '--port', '0', '--json']
  const startedMs = performance.now()
  const server = await startServer('program/main.js', words)
  const listeningMs = performance.now() - startedMs
  const client = new Client(server.port)
  try {
    const fields = { Authorization: `Bearer ${corpus.apiKey}` }
    const answers: string[] = []
    const msTo = async (path: string): Promise<number> => {
      const { status, body, fields: head } = await client.ask({ path, fields })
      assert.equal(status, 200, body.toString())
      answers.push(`${head['x-total-count']} ${body}`)
      return performance.now() - startedMs
    }
    const listMs = await msTo(LIST)
    const searchMs = (await hasSearch(client)) ? await msTo(SEARCH) : Number.NaN
    const peakResidentBytes = memoryFigures(server.pid)?.peakResidentBytes ?? Number.NaN
    if (then === 'writes the cache') await untilCached(cached)
    await untilAtRest(server.pid, restMs)
    const residentBytes = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
    const residentBytesPerRow = residentBytes / corpus.rowCount
    const memory = { peakResidentBytes, residentBytesPerRow }
    return { figures: { listeningMs, listMs, searchMs, ...memory }, answers }
  } finally {
    client.close()
    await server.stop()
  }
}

/** Whether the service's OpenAPI document contains the search. */
async function hasSearch(client: Client): Promise<boolean> {
  const { body } = await client.ask({ path: '/openapi.json', fields: {} })
  return body.includes('/transactions/search"')
}

async function untilCached(path: string): Promise<void> {
  const deadline = performance.now() + CACHE_WRITE_MS_MAX
  while (!existsSync(path)) {
    if (performance.now() > deadline) throw new Error('no cache was written')
    await wait(50)
  }
}

/** Makes the changes, spread over all rows. */
function change(directory: DataDirectory, round: number): void {
  const file = WorkspaceFile.open(workspacePath(directory, WORKSPACE_ID))
  try {
    const lastId = file.largestTransactionId()
    for (let i = 0; i < CHANGE_COUNT; i++) {
      const row = file.transaction(1 + Math.floor((i * lastId) / CHANGE_COUNT))
      if (row !== undefined) file.updateTransaction({ ...row, purpose: `Rechnung ${round} ${i}` })
    }
  } finally {
    file.close()
  }
}

/** Upper bound of a start from the cache, to the answers of list and search. */
const START_MS_MAX = 2_000

/** Upper bound of the memory of the process per transaction: of the workspace and the program. */
const RESIDENT_BYTES_MAX = 1_250

const RESIDENT_OBSTACLE =
  'the program itself takes some 90 MB, the match index 250 B a row and the rendered rows ' +
  '600 B and more (`npm run bench -- reads` has the shares).'

/** Targets of the figures. */
export function startTargets(series: readonly StartSeries[]): Target[] {
  return series.flatMap((one) => [
    ...(one.name === 'file' ? [] : timeTargets(one)),
    {
      what: `from ${one.title}: resident per transaction, at rest`,
      measured: medianFigure(one, ({ residentBytesPerRow }) => residentBytesPerRow),
      ...{ unit: 'B', bound: RESIDENT_BYTES_MAX, direction: 'at most' },
      obstacle: RESIDENT_OBSTACLE,
    },
  ])
}

function timeTargets(one: StartSeries): readonly Target[] {
  return [
    startTarget(`from ${one.title} to the first list`, one, ({ listMs }) => listMs),
    startTarget(`from ${one.title} to the first search`, one, ({ searchMs }) => searchMs),
  ]
}

function startTarget(
  what: string,
  series: StartSeries,
  pick: (figures: StartFigures) => number,
): Target {
  const measured = medianFigure(series, pick)
  return { what, measured, unit: 'ms', bound: START_MS_MAX, direction: 'at most' }
}

function medianFigure({ rounds }: StartSeries, pick: (figures: StartFigures) => number): number {
  return medianOf(rounds.map(pick))
}

/** The figures as Markdown; medians of the rounds. */
export function reportStarts(series: readonly StartSeries[]): string {
  const times = ['listening ms', 'first list ms', 'first search ms']
  const head = ['from', ...times, 'peak resident MB', 'B a row at rest']
  const rows = series.map((one) => [
    one.title,
    shown(medianFigure(one, ({ listeningMs }) => listeningMs)),
    shown(medianFigure(one, ({ listMs }) => listMs)),
    shown(medianFigure(one, ({ searchMs }) => searchMs)),
    shown(medianFigure(one, ({ peakResidentBytes }) => peakResidentBytes / 1e6)),
    shown(medianFigure(one, ({ residentBytesPerRow }) => residentBytesPerRow)),
  ])
  return `${targetTable(startTargets(series))}\n\n${table(head, rows)}`
}
