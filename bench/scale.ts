// Workload: one workspace of the demo's company at 0.1, 1, 5 and 10 million rows, as far as --rows
// goes: made, loaded, indexed, requested, changed, and started again from the cache.
// Read: what grows with the rows (making, load, indexes, restart, memory) per row, and the p50 of
// what should not (pages, single transactions, matches, rare words), each against 1,000,000 rows.
// Run: npm run bench -- scale --rows 10000000 [--record]
import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '../src/admin/api-keys.js'
import { fillDemo } from '../src/demo/fill.js'
import { type Random, randomOf } from '../src/demo/random.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { formatInstant } from '../src/instant.js'
import type { TransactionRow } from '../src/store/columns.js'
import {
  cachePath,
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { type ServerProcess, startServer } from './child.js'
import { type Answered, Client, type Target as Request } from './client.js'
import { WORKSPACE_ID } from './corpus.js'
import { memoryFigures, untilAtRest } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'
import { measureSingleChanges } from './until-shown.js'

/** Figures of one size. */
export interface ScaleFigures {
  readonly rowCount: number
  readonly makeSeconds: number
  /** From the start of the process to the first page; from the cache below. */
  readonly loadSeconds: number
  /** From the first page to the first search. */
  readonly indexSeconds: number
  readonly restartSeconds: number
  /** At rest, with all indexes; NaN where the system does not report it. */
  readonly residentBytes: number
  /** Milliseconds of a request, by class. */
  readonly requestMs: Readonly<Record<RequestClass, Quantiles>>
  /** From a commit to the first answer that shows it. */
  readonly shownMs: Quantiles
}

/** The classes of requests, in the order of the report. */
const REQUEST_CLASSES = [
  'page, first',
  'page, middle',
  'page, last',
  'page of a month',
  'single transaction',
  'search: a reference',
  'search: four digits',
  'search: two terms',
  'search: a common word',
  'search: no hit',
  'match',
] as const

type RequestClass = (typeof REQUEST_CLASSES)[number]

/** Classes whose cost must not grow with the rows. */
const CONSTANT: readonly RequestClass[] = [
  'page, first',
  'page, middle',
  'page, last',
  'single transaction',
  'search: a reference',
  'match',
]

/** Options that differ between a full run and a smoke run. */
export interface ScaleOptions {
  /** Ascending. */
  readonly sizes: readonly number[]
  /** Requests of each class. */
  readonly requestCount: number
  readonly changeCount: number
}

/** Time limit of a load and of the cache written after it. */
const LOAD_MS_MAX = 1_200_000

/** Runs all sizes up to `--rows`, one after the other. */
export async function measureScale(
  settings: Settings,
  options: ScaleOptions,
): Promise<readonly ScaleFigures[]> {
  const scratch = join(settings.folder, 'scale')
  const figures: ScaleFigures[] = []
  for (const rowCount of options.sizes.filter((size) => size <= settings.rowCount)) {
    rmSync(scratch, { recursive: true, force: true })
    mkdirSync(scratch, { recursive: true })
    try {
      figures.push(await measureSize(makeDataDirectory(scratch), rowCount, settings, options))
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
  return figures
}

async function measureSize(
  directory: DataDirectory,
  rowCount: number,
  { seed, say }: Settings,
  { requestCount, changeCount }: ScaleOptions,
): Promise<ScaleFigures> {
  const path = workspacePath(directory, WORKSPACE_ID)
  const apiKey = await keyOf(directory)
  say(`${rowCount} rows: making`)
  const makeSeconds = await secondsOf(() => fill(path, rowCount, seed))
  const texts = requestTexts(path, { rowCount, requestCount, random: randomOf(seed) })
  say('  loading')
  const built = await start(directory, apiKey)
  const { server, client, loadSeconds, indexSeconds } = built
  try {
    assert.equal(built.rowCount, rowCount)
    await untilCached(cachePath(directory, WORKSPACE_ID))
    await untilAtRest(server.pid)
    const residentBytes = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
    say('  requests')
    const requestMs: Partial<Record<RequestClass, Quantiles>> = {}
    for (const name of REQUEST_CLASSES) {
      requestMs[name] = await timesOf(client, apiKey, texts[name])
    }
    say('  changes')
    const served = { pid: server.pid, path, client, apiKey, base: BASE }
    const shownMs = await measureSingleChanges(served, changeCount, seed)
    await built.stop()
    say('  starting from the cache')
    const cached = await start(directory, apiKey)
    await cached.stop()
    const restartSeconds = cached.loadSeconds + cached.indexSeconds
    return {
      ...{ rowCount, makeSeconds, loadSeconds, indexSeconds, restartSeconds, residentBytes },
      requestMs: requestMs as Record<RequestClass, Quantiles>, // of every class by now
      shownMs,
    }
  } finally {
    await built.stop()
  }
}

const BASE = `/v1/${WORKSPACE_ID}`

async function keyOf(directory: DataDirectory): Promise<string> {
  const control = ControlFile.open(directory.controlPath)
  const key = { workspaceId: WORKSPACE_ID, name: 'scale', scopes: SCOPES }
  const options = { ...key, accountIds: null, expiresAtMs: null }
  const made = await createApiKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, options)
  control.close()
  return made.key
}

async function fill(path: string, rowCount: number, seed: number): Promise<void> {
  const file = WorkspaceFile.open(path)
  await fillDemo(file, { transactions: rowCount, seed })
  file.close()
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1_000
}

/** A started service, from the start of its process. */
interface Started {
  readonly server: ServerProcess
  readonly client: Client
  readonly rowCount: number
  readonly loadSeconds: number
  readonly indexSeconds: number
  /** May be called again. */
  stop(): Promise<void>
}

async function start(directory: DataDirectory, apiKey: string): Promise<Started> {
  const startedMs = performance.now()
  const words = ['serve', '--data-dir', directory.path, '--port', '0', '--json']
  const server = await startServer('program/main.js', words)
  const client = new Client(server.port)
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    client.close()
    await server.stop()
  }
  try {
    const list = await untilAnswered(client, apiKey, '/transactions')
    const listedMs = performance.now()
    await untilAnswered(client, apiKey, '/transactions/search?query=rechnung')
    const searchedMs = performance.now()
    return {
      ...{ server, client, stop, rowCount: Number(list.fields['x-total-count']) },
      loadSeconds: (listedMs - startedMs) / 1_000,
      indexSeconds: (searchedMs - listedMs) / 1_000,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The first answer that is not "still loading". */
async function untilAnswered(client: Client, apiKey: string, text: string): Promise<Answered> {
  const deadlineMs = performance.now() + LOAD_MS_MAX
  for (;;) {
    const answer = await client.ask(targetOf(apiKey, text))
    if (answer.status === 200) return answer
    assert.equal(answer.status, 503, answer.body.toString())
    assert(performance.now() < deadlineMs, answer.body.toString())
    await wait(100)
  }
}

async function untilCached(path: string): Promise<void> {
  const deadlineMs = performance.now() + LOAD_MS_MAX
  while (!existsSync(path)) {
    assert(performance.now() < deadlineMs, 'no cache was written')
    await wait(100)
  }
}

function targetOf(apiKey: string, text: string): Request {
  return { path: `${BASE}${text}`, fields: { Authorization: `Bearer ${apiKey}` } }
}

/** Requests by class, each with values of rows all over the workspace. */
function requestTexts(
  path: string,
  options: { readonly rowCount: number; readonly requestCount: number; readonly random: Random },
): Record<RequestClass, string[]> {
  const { rowCount, requestCount, random } = options
  const file = WorkspaceFile.open(path)
  const rowWith = (isWanted: (row: TransactionRow) => boolean): TransactionRow => {
    for (;;) {
      const row = file.transaction(1 + random.below(rowCount))
      if (row !== undefined && isWanted(row)) return row
    }
  }
  const reference = (): string =>
    rowWith(({ endToEndReference }) => /\d{7}/.test(endToEndReference ?? '')).endToEndReference ??
    ''
  const digits = (): string => /\d{7}/.exec(reference())?.[0].slice(1, 5) ?? ''
  const name = (): string =>
    rowWith(({ counterpartName }) => counterpartName !== null).counterpartName?.split(' ')[0] ?? ''
  const search = (query: string): string =>
    `/transactions/search?query=${encodeURIComponent(query)}`
  const page = (share: number): string =>
    `/transactions?offset=${Math.floor((rowCount - 200) * share) + random.below(100)}`
  const ofMonth = (): string => {
    const { bookedAt } = rowWith((row) => row.bookedAt !== null)
    const month = formatInstant(bookedAt ?? 0).slice(0, 7)
    const [after, before] = ['01', '28'].map((day) => `${month}-${day}T00:00:00.000Z`)
    return `/transactions?bookedAfter=${after}&bookedBefore=${before}&sortBy=amount`
  }
  const makers: Record<RequestClass, () => string> = {
    'page, first': () => page(0),
    'page, middle': () => page(0.5),
    'page, last': () => page(1),
    'page of a month': ofMonth,
    'single transaction': () => `/transactions/${1 + random.below(rowCount)}`,
    'search: a reference': () => search(reference()),
    'search: four digits': () => search(digits()),
    'search: two terms': () => search(`rechnung ${name()}`),
    'search: a common word': () =>
      search(random.pick(['rechnung', 'lastschrift', 'kartenzahlung'])),
    'search: no hit': () => search(`qxqzj${random.digits(3)}`),
    match: () => `/transactions/match?query=${encodeURIComponent(reference())}`,
  }
  try {
    const entries = REQUEST_CLASSES.map((each) => [
      each,
      Array.from({ length: requestCount }, makers[each]),
    ])
    return Object.fromEntries(entries) as Record<RequestClass, string[]>
  } finally {
    file.close()
  }
}

async function timesOf(
  client: Client,
  apiKey: string,
  texts: readonly string[],
): Promise<Quantiles> {
  const times: number[] = []
  for (const text of texts) {
    const startedMs = performance.now()
    const { status, body } = await client.ask(targetOf(apiKey, text))
    times.push(performance.now() - startedMs)
    assert.equal(status, 200, `${text}: ${body}`)
  }
  return quantilesOf(times)
}

/** The size that larger ones are compared with. */
const REFERENCE_ROWS = 1_000_000

/** How much a figure per row may grow: what is linear grows by no more than the noise. */
const PER_ROW_MAX = 1.2

/** How much a request may grow that should not depend on the rows. */
const CONSTANT_MAX = 1.5

/** Why a class of requests grows although it should not, where that is known. */
const OBSTACLES: Partial<Record<RequestClass, string>> = {
  'search: a reference':
    'a term is found inside longer words, too: the lists of words by groups of four characters, ' +
    'which a search intersects, grow with the rows.',
}

/** Targets of the sizes above {@link REFERENCE_ROWS}. */
export function scaleTargets(figures: readonly ScaleFigures[]): Target[] {
  const reference = figures.find(({ rowCount }) => rowCount === REFERENCE_ROWS)
  if (reference === undefined) return []
  return figures
    .filter(({ rowCount }) => rowCount > REFERENCE_ROWS)
    .flatMap((size) => {
      const at = `at ${shown(size.rowCount)} rows`
      const perRow = (what: string, pick: (figures: ScaleFigures) => number): Target => ({
        what: `${what} a row ${at}, against 1,000,000`,
        measured: pick(size) / size.rowCount / (pick(reference) / REFERENCE_ROWS),
        ...{ unit: '×', bound: PER_ROW_MAX, direction: 'at most' },
      })
      const constant = CONSTANT.map(
        (name): Target => ({
          what: `${name} ${at}, against 1,000,000`,
          measured: size.requestMs[name].p50 / reference.requestMs[name].p50,
          ...{ unit: '×', bound: CONSTANT_MAX, direction: 'at most' },
          ...(OBSTACLES[name] === undefined ? {} : { obstacle: OBSTACLES[name] }),
        }),
      )
      return [
        perRow('load', ({ loadSeconds }) => loadSeconds),
        perRow('indexes', ({ indexSeconds }) => indexSeconds),
        perRow('restart', ({ restartSeconds }) => restartSeconds),
        perRow('memory', ({ residentBytes }) => residentBytes),
        ...constant,
      ]
    })
}

/** The figures as Markdown. */
export function reportScale(figures: readonly ScaleFigures[]): string {
  const head = ['rows', ...figures.map(({ rowCount }) => shown(rowCount))]
  const row = (what: string, pick: (figures: ScaleFigures) => number): string[] => [
    what,
    ...figures.map((each) => shown(pick(each))),
  ]
  const rows = [
    row('make, s', ({ makeSeconds }) => makeSeconds),
    row('load to the first page, s', ({ loadSeconds }) => loadSeconds),
    row('indexes, s', ({ indexSeconds }) => indexSeconds),
    row('restart to the first search, s', ({ restartSeconds }) => restartSeconds),
    row('resident bytes a row', ({ residentBytes, rowCount }) => residentBytes / rowCount),
    ...REQUEST_CLASSES.flatMap((name) => [
      row(`${name}, p50 ms`, ({ requestMs }) => requestMs[name].p50),
      row(`${name}, p99 ms`, ({ requestMs }) => requestMs[name].p99),
    ]),
    row('a change shown, p50 ms', ({ shownMs }) => shownMs.p50),
    row('a change shown, p99 ms', ({ shownMs }) => shownMs.p99),
  ]
  const targets = scaleTargets(figures)
  const verdicts = targets.length === 0 ? '' : `${targetTable(targets)}\n\n`
  return `${verdicts}${table(head, rows)}`
}
