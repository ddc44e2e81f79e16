import { readFileSync } from 'node:fs'
import { randomOf } from '../src/demo/random.js'
import { checkMatches } from './match-check.js'
import type { MatcherKind } from './match-eval/matcher.js'
import { PG_TRGM, trgmDurations } from './match-eval/pg-trgm.js'
import { ALL_PEERS } from './match-eval/run.js'
import { KontorMatches, loadMatched } from './match-kontor.js'
import { type ClassedQuery, readWindow, type WindowRow } from './match-queries.js'
import { type NamedQuery, randomQueries, WORST_QUERIES } from './match-worst.js'
import { memoryFigures } from './process-figures.js'
import { medianOf } from './statistics.js'

/** Numbers of scoring threads; the service uses one per core, up to four. */
export const THREAD_COUNTS = [1, 2, 4] as const

/** The number of threads that the targets are for. */
export const THREADS_WANTED = 2

/** The default threshold of a request, in 1/10,000. */
const THRESHOLD = 6_000

/** Options of a contender's run. */
export interface MatchRunOptions {
  readonly workspacePath: string
  /** File of {@link ClassedQuery}s. */
  readonly questionsPath: string
  readonly windowRows: number
  readonly seed: number
  /** Timed repetitions of each question. */
  readonly rounds: number
  /** Questions whose results are compared with a full scan. */
  readonly checkedCount: number
  /** Questions that are also timed with threshold 0. */
  readonly unboundedCount: number
  /** Costly queries that are generated at random. */
  readonly randomCount: number
  /** Limits for a peer: number of questions, and milliseconds after which it gets no more. */
  readonly peerCount: number
  readonly peerMsMax: number
}

/** kontor's figures for one workspace. */
export interface KontorMatchFigures {
  readonly rowCount: number
  readonly windowRows: number
  readonly indexMs: number
  readonly indexBytes: number
  /** The first match, which also determines the rows of the window. */
  readonly firstMs: number
  readonly residentBytes: number | undefined
  readonly equalAnswers: number
  /** Number of threads → question → its durations in milliseconds. */
  readonly durationsMs: Readonly<Record<number, readonly (readonly number[])[]>>
  /** Durations of some questions at threshold 0. */
  readonly unboundedMs: readonly number[]
  /** The worst first. */
  readonly worst: readonly WorstFigures[]
}

/** A costly query at threshold 0 and at 0.6; medians. */
export interface WorstFigures extends NamedQuery {
  readonly unboundedMs: number
  readonly defaultMs: number
}

/** A peer's figures. */
export interface PeerFigures {
  readonly name: string
  readonly openMs: number
  /** Indexes of the questions that it answered, and the duration of each. */
  readonly asked: readonly number[]
  readonly durationsMs: readonly number[]
  /** Why there are no figures. */
  readonly skipped?: string
}

/** Timed repetitions of a costly query. */
const WORST_ROUNDS = 7

/** Random queries that are timed again after the first pass. */
const RANDOM_KEPT = 8

/** Runs kontor. @throws AssertionError when a result differs from the scores of every row */
export async function runKontor(options: MatchRunOptions): Promise<KontorMatchFigures> {
  const { workspacePath, windowRows, rounds, checkedCount } = options
  const questions = readQueries(options).map(({ query }) => query)
  const workspace = await loadMatched(workspacePath)
  const { rowCount, indexMs, indexBytes } = workspace
  const byThreads = THREAD_COUNTS.map((count) => ({
    count,
    kontor: new KontorMatches(workspace, count),
  }))
  const kontor = byThreads.find(({ count }) => count === THREADS_WANTED)!.kontor
  const startedMs = performance.now()
  await kontor.match(questions[0] ?? '', THRESHOLD)
  const firstMs = performance.now() - startedMs
  const rows = readWindow(workspacePath, windowRows)
  const checked = sampled(questions.length, checkedCount, options.seed)
  const equalAnswers = await checkMatches(
    byThreads.map((one) => one.kontor),
    rows,
    checked.map((at) => questions[at] ?? ''),
  )
  const durationsMs: Record<number, number[][]> = {}
  for (const one of byThreads) {
    durationsMs[one.count] = await timeQueries(one.kontor, questions, rounds)
  }
  const unbounded = sampled(questions.length, options.unboundedCount, options.seed)
  const unboundedMs: number[] = []
  for (const at of unbounded) unboundedMs.push(await timeOf(kontor, questions[at] ?? '', 0))
  const worst = await timeWorst(kontor, options)
  for (const one of byThreads) await one.kontor.close()
  const { residentBytes } = memoryFigures(process.pid) ?? {}
  const window = { windowRows: rows.length, indexMs, indexBytes, firstMs, residentBytes }
  return { rowCount, ...window, equalAnswers, durationsMs, unboundedMs, worst }
}

function readQueries({ questionsPath }: MatchRunOptions): ClassedQuery[] {
  return JSON.parse(readFileSync(questionsPath, 'utf8')) as ClassedQuery[]
}

/** `wanted` distinct numbers below `count` in random order; deterministic by seed. */
function sampled(count: number, wanted: number, seed: number): number[] {
  const random = randomOf(seed)
  const numbers = Array.from({ length: count }, (_, at) => ({ at, key: random.below(2 ** 30) }))
  return numbers
    .sort((a, b) => a.key - b.key)
    .slice(0, wanted)
    .map(({ at }) => at)
}

async function timeOf(kontor: KontorMatches, query: string, scoreMin: number): Promise<number> {
  const startedMs = performance.now()
  await kontor.match(query, scoreMin)
  return performance.now() - startedMs
}

/** Runs each question once untimed, so that every thread has compiled the code. */
async function timeQueries(
  kontor: KontorMatches,
  questions: readonly string[],
  rounds: number,
): Promise<number[][]> {
  const durationsMs = questions.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, query] of questions.entries()) {
      const ms = await timeOf(kontor, query, THRESHOLD)
      if (round > 0) durationsMs[at]?.push(ms)
    }
  }
  return durationsMs
}

async function timeWorst(
  kontor: KontorMatches,
  { seed, randomCount }: MatchRunOptions,
): Promise<WorstFigures[]> {
  const looked: { readonly named: NamedQuery; readonly ms: number }[] = []
  for (const named of randomQueries(randomCount, seed)) {
    looked.push({ named, ms: await timeOf(kontor, named.query, 0) })
  }
  const kept = looked.sort((a, b) => b.ms - a.ms).slice(0, RANDOM_KEPT)
  const figures: WorstFigures[] = []
  for (const named of [...WORST_QUERIES, ...kept.map((one) => one.named)]) {
    const medians: number[] = []
    for (const scoreMin of [0, THRESHOLD]) {
      const durations: number[] = []
      for (let i = 0; i < WORST_ROUNDS; i++) {
        durations.push(await timeOf(kontor, named.query, scoreMin))
      }
      medians.push(medianOf(durations))
    }
    const [unboundedMs = Number.NaN, defaultMs = Number.NaN] = medians
    figures.push({ ...named, unboundedMs, defaultMs })
  }
  const most = (one: WorstFigures): number => Math.max(one.unboundedMs, one.defaultMs)
  return figures.sort((a, b) => most(b) - most(a))
}

/** Runs a peer over the texts of the same window. @throws Error for an unknown name */
export function runPeer(name: string, options: MatchRunOptions): PeerFigures {
  const kind = ALL_PEERS.find((one) => one.name === name)
  if (kind === undefined) throw new Error(`there is no contender ${name}`)
  const questions = readQueries(options)
  const rows = readWindow(options.workspacePath, options.windowRows)
  const asked = sampled(questions.length, options.peerCount, options.seed)
  const queries = asked.map((at) => questions[at]?.query ?? '')
  if (kind === PG_TRGM) return trgmFigures(rows, asked, queries)
  return timePeer(kind, { rows, asked, queries, msMax: options.peerMsMax })
}

interface PeerTask {
  readonly rows: readonly WindowRow[]
  readonly asked: readonly number[]
  readonly queries: readonly string[]
  readonly msMax: number
}

function timePeer(kind: MatcherKind, { rows, asked, queries, msMax }: PeerTask): PeerFigures {
  const { name } = kind
  const openedMs = performance.now()
  const matcher = kind.open(rows, queries)
  const openMs = performance.now() - openedMs
  if (typeof matcher === 'string') {
    return { name, openMs, asked: [], durationsMs: [], skipped: matcher }
  }
  // One untimed query, as for kontor.
  matcher.match(queries[0] ?? '')
  const durationsMs: number[] = []
  const beganMs = performance.now()
  for (const query of queries) {
    const startedMs = performance.now()
    matcher.match(query)
    durationsMs.push(performance.now() - startedMs)
    if (performance.now() - beganMs > msMax) break
  }
  return { name, openMs, asked: asked.slice(0, durationsMs.length), durationsMs }
}

function trgmFigures(
  rows: readonly WindowRow[],
  asked: readonly number[],
  queries: readonly string[],
): PeerFigures {
  const { name } = PG_TRGM
  const timed = trgmDurations(rows, queries)
  if (typeof timed === 'string') {
    return { name, openMs: Number.NaN, asked: [], durationsMs: [], skipped: timed }
  }
  const { openMs, durationsMs } = timed
  return { name, openMs, asked, durationsMs }
}
