// Workload: a program without concurrent calls: pages of 100 at random offsets, random single
// transactions, pages of searches, and matches of references of random rows. First in process, by
// openKontor, then the same calls over HTTP: node:http on one keep-alive connection of the loopback
// interface, the answers parsed. Each is a fresh process in each round.
// Data: a copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7.
// Check: the answers in process equal those over HTTP.
// Read: what HTTP costs a call: time and CPU time. The only bound: in process is not slower.
// Run: npm run bench -- embedded [--rows N] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, randomOf } from '../src/demo/random.js'
import { type KontorWorkspace, openKontor } from '../src/embedded/kontor.js'
import { MATCH_BUDGET_MS_MAX } from '../src/limits.js'
import { runToEnd, type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import {
  answerInProcess,
  answerOverHttp,
  CALL_KINDS,
  type CallKind,
  type ProgramCall,
} from './embedded-calls.js'
import { memoryFigures, untilAtRest } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf, pairedRatio, type Quantiles } from './statistics.js'

/** Words that are found in many rows. */
const WORDS = ['miete', 'rechnung', 'paypal', 'gmbh', 'gehalt']

/** A word that looks like a reference: it has at least four digits. */
const REFERENCE = /\b(?=(?:\S*\d){4})[\w/-]{6,}\b/

/** In process is not slower; a match takes so long that HTTP is within the noise of the machine. */
const RATIO_MAX = 1.05

/** Options that differ between a full run and a smoke run. */
export interface EmbeddedOptions {
  /** Calls of each kind whose answers are compared. */
  readonly checkedCount: number
  /** Calls of each kind; a tenth of them for matches. */
  readonly callCount: number
}

/** What a program is started with. */
export interface ProgramOptions {
  readonly dataDir: string
  readonly callsPath: string
  /** The service that the program calls; absent = it calls in process. */
  readonly served?: { readonly pid: number; readonly port: number; readonly apiKey: string }
}

/** Figures of the calls of a kind. */
export interface CallFigures {
  readonly callUs: Quantiles
  readonly callsPerSecond: number
  /** Of the program and of the service that answers it. */
  readonly cpuUsPerCall: number
}

/** Figures of one run of a program. */
export interface ProgramFigures {
  readonly byKind: Readonly<Record<CallKind, CallFigures>>
  readonly residentBytes: number
}

/** All figures of the bench; one entry per round. */
export interface EmbeddedFigures {
  readonly rowCount: number
  readonly inProcess: readonly ProgramFigures[]
  readonly overHttp: readonly ProgramFigures[]
  /** Of the service. */
  readonly serviceBytes: number
}

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measureEmbedded(
  settings: Settings,
  options: EmbeddedOptions,
): Promise<EmbeddedFigures> {
  const { say, rounds } = settings
  const corpus = await openCorpus(settings)
  const { rowCount, apiKey } = corpus
  const scratch = join(corpus.path, 'embedded')
  copyCorpus(corpus, scratch)
  say('loading')
  const budget = String(Number.MAX_SAFE_INTEGER)
  // Each answer is compared, also on a machine that is busy with something else.
  const words = [scratch, WORKSPACE_ID, budget, String(MATCH_BUDGET_MS_MAX)]
  const server = await startServer('bench/live-server.js', words)
  try {
    // The service writes the cache, from which each program then loads.
    await untilAtRest(server.pid)
    say('checking')
    const calls = await checkedCalls(settings, options, { server, apiKey, scratch })
    const callsPath = join(scratch, 'calls.json')
    writeFileSync(callsPath, JSON.stringify(calls))
    const program = { dataDir: scratch, callsPath }
    const served = { pid: server.pid, port: server.port, apiKey }
    const inProcess: ProgramFigures[] = []
    const overHttp: ProgramFigures[] = []
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`)
      inProcess.push(await runProgram(program))
      overHttp.push(await runProgram({ ...program, served }))
    }
    const serviceBytes = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
    return { rowCount, inProcess, overHttp, serviceBytes }
  } finally {
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runProgram(options: ProgramOptions): Promise<ProgramFigures> {
  const { stdout } = await runToEnd('bench/embedded-run.js', [JSON.stringify(options)])
  return JSON.parse(stdout) as ProgramFigures
}

interface Compared {
  readonly server: ServerProcess
  readonly apiKey: string
  readonly scratch: string
}

/** The calls, some of each kind compared. @throws AssertionError when two answers differ */
async function checkedCalls(
  { rowCount, seed }: Settings,
  { callCount, checkedCount }: EmbeddedOptions,
  { server, apiKey, scratch }: Compared,
): Promise<ProgramCall[]> {
  const memoryBudgetBytes = Number.MAX_SAFE_INTEGER
  const budgets = { memoryBudgetBytes, matchBudgetMs: MATCH_BUDGET_MS_MAX }
  const kontor = await openKontor({ dataDir: scratch, ...budgets })
  const client = new Client(server.port)
  try {
    const workspace = await kontor.workspace(WORKSPACE_ID)
    const calls = callsOf(workspace, { rowCount, callCount, random: randomOf(seed) })
    for (const kind of CALL_KINDS) {
      for (const call of calls.filter((one) => one.kind === kind).slice(0, checkedCount)) {
        const answer = await answerInProcess(workspace, call)
        assert.deepEqual(answer, await answerOverHttp(client, apiKey, call), JSON.stringify(call))
      }
    }
    return calls
  } finally {
    client.close()
    await kontor.close()
  }
}

interface CallSpread {
  readonly rowCount: number
  readonly callCount: number
  readonly random: Random
}

function callsOf(
  workspace: KontorWorkspace,
  { rowCount, callCount, random }: CallSpread,
): ProgramCall[] {
  const calls: ProgramCall[] = []
  for (let i = 0; i < callCount; i++) {
    calls.push({ kind: 'page of 100', offset: random.below(rowCount - 100) })
    // The corpus numbers its rows from 1 without gaps.
    calls.push({ kind: 'single transaction', id: 1 + random.below(rowCount) })
    const offset = random.below(i % 2 === 0 ? 10 : 1_000)
    calls.push({ kind: 'search page', query: random.pick(WORDS), offset })
  }
  for (let left = Math.ceil(callCount / 10); left > 0; ) {
    const { purpose = '' } = workspace.transaction(1 + random.below(rowCount))
    const [query] = REFERENCE.exec(purpose) ?? []
    if (query === undefined) continue
    calls.push({ kind: 'match', query })
    left -= 1
  }
  return calls
}

function median(
  rounds: readonly ProgramFigures[],
  kind: CallKind,
  pick: (figures: CallFigures) => number,
): number {
  return medianOf(rounds.map(({ byKind }) => pick(byKind[kind])))
}

/** In process is not slower than over HTTP. */
export function embeddedTargets({ inProcess, overHttp }: EmbeddedFigures): Target[] {
  return CALL_KINDS.map((kind): Target => {
    const p50s = (rounds: readonly ProgramFigures[]): number[] =>
      rounds.map(({ byKind }) => byKind[kind].callUs.p50)
    return {
      what: `p50 of a ${kind}, in process against over HTTP`,
      measured: pairedRatio(p50s(inProcess), p50s(overHttp)),
      unit: '×',
      bound: RATIO_MAX,
      direction: 'at most',
    }
  })
}

/** The figures as Markdown. */
export function reportEmbedded(figures: EmbeddedFigures): string {
  const { rowCount, inProcess, overHttp, serviceBytes } = figures
  const picks: readonly ((one: CallFigures) => number)[] = [
    ({ callUs }) => callUs.p50,
    ({ callUs }) => callUs.p99,
    ({ callsPerSecond }) => callsPerSecond,
    ({ cpuUsPerCall }) => cpuUsPerCall,
  ]
  const ways = [
    ['in process', inProcess],
    ['over HTTP', overHttp],
  ] as const
  const calls = table(
    ['call', 'p50 µs', 'p99 µs', 'calls/s', 'µs of CPU a call'],
    CALL_KINDS.flatMap((kind) =>
      ways.map(([way, rounds]) => [
        `${kind}, ${way}`,
        ...picks.map((pick) => shown(median(rounds, kind, pick))),
      ]),
    ),
  )
  const differing = (kind: CallKind, pick: (one: CallFigures) => number): string =>
    shown(median(overHttp, kind, pick) - median(inProcess, kind, pick))
  const costs = table(
    ['HTTP costs a', 'µs', 'µs of CPU'],
    CALL_KINDS.map((kind) => [
      kind,
      differing(kind, ({ callUs }) => callUs.p50),
      differing(kind, ({ cpuUsPerCall }) => cpuUsPerCall),
    ]),
  )
  const megabytes = (rounds: readonly ProgramFigures[]): string =>
    shown(medianOf(rounds.map(({ residentBytes }) => residentBytes)) / 1e6)
  const memory =
    `${shown(rowCount)} rows; the program has ${megabytes(inProcess)} MB in process, and ` +
    `${megabytes(overHttp)} MB over HTTP beside ${shown(serviceBytes / 1e6)} MB of the service.`
  return [targetTable(embeddedTargets(figures)), calls, costs, memory].join('\n\n')
}
