// Workload: 500 references in one POST, over HTTP, one batch after the other: references alone, and
// with amount and name of the expected payment; and the same references as single matches, one
// after the other. A reader asks for single transactions meanwhile.
// Data: the demo's company (corpus.ts), seed 7, at most 100,000 rows; the references are questions
// of the evaluation's report seeds, planted among them (match-queries.ts).
// Check, before the times: each entry of a batch equals the single match of its reference; with
// expected payments its number of results and their scores are the same.
// Read: p99 of a batch, at most a second; reads next to batches against reads alone.
// Run: npm run bench -- batch [--rows N] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { BatchMatch, BatchMatchQuery } from '../src/domain/batch-match.js'
import { MATCH_WINDOW_ROWS_MAX } from '../src/limits.js'
import { type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { WORKSPACE_ID } from './corpus.js'
import { type PlantedWorkspace, withPlanted } from './match.js'
import { type ReaderFigures, readWhile, untilMatched } from './match-load.js'
import { type ClassedQuery, plantedQueries } from './match-queries.js'
import { cpuMicroseconds } from './process-figures.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** Kinds of batches. */
export const BATCH_KINDS = ['references alone', 'with amount and name'] as const

/** Results of each reference, as without `limit`. */
const LIMIT = 3

/** References of a batch that is checked, and its repetitions on a machine that is busy. */
const CHECKED_COUNT = 50
const REPEATS_MAX = 20

/** Amount of work. */
export interface BatchOptions {
  /** References in a batch. */
  readonly queryCount: number
  /** Batches of each kind and round. */
  readonly batchCount: number
}

/** Figures of one kind of batches. */
export interface BatchKindFigures {
  readonly kind: (typeof BATCH_KINDS)[number]
  readonly batchMs: Quantiles
  /** Processor time of the server per batch, reads included; NaN where it is not reported. */
  readonly cpuMs: number
  /** Batches that did not end within their budget. */
  readonly refusedCount: number
  /** The reads meanwhile. */
  readonly reads: ReaderFigures
}

/** All figures of the bench. */
export interface BatchFigures {
  readonly rowCount: number
  readonly queryCount: number
  /** Entries that equal a single match. */
  readonly equalCount: number
  /** Results of all entries. */
  readonly hitCount: number
  readonly answerBytes: number
  readonly kinds: readonly BatchKindFigures[]
  /** The same references one after the other, in ms all together, per round. */
  readonly singlesMs: Quantiles
  readonly readsAlone: ReaderFigures
}

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measureBatches(
  settings: Settings,
  options: BatchOptions,
): Promise<BatchFigures> {
  const rowCount = Math.min(settings.rowCount, MATCH_WINDOW_ROWS_MAX)
  settings.say('making the questions')
  const planted = await plantedQueries(rowCount)
  const figures: BatchFigures[] = []
  await withPlanted({ ...settings, rowCount }, planted, async (given) => {
    figures.push(await measureServed(given, { ...settings, rowCount }, options))
  })
  return figures[0]! // one workspace
}

async function measureServed(
  { path, questionsPath, apiKey }: PlantedWorkspace,
  { rowCount, rounds, seed, say }: Settings,
  { queryCount, batchCount }: BatchOptions,
): Promise<BatchFigures> {
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [path, WORKSPACE_ID, budget])
  const reader = new Client(server.port)
  const caller = new BatchCaller(server, apiKey)
  const load = { apiKey, rowCount, seed }
  try {
    await untilMatched(reader, apiKey)
    say('comparing with single matches')
    const queries = chosen(readFileSync(questionsPath, 'utf8'), queryCount)
    const checked = await caller.check(queries)
    const bodies = [queries, checked.payments]
    const readsAlone = await readWhile(server, reader, load, wait(1_000))
    const kinds: BatchKindFigures[] = []
    for (const [i, kind] of BATCH_KINDS.entries()) {
      const beganUs = cpuMicroseconds(server.pid)
      const asking = caller.askFor(bodies[i] ?? [], rounds * batchCount)
      const reads = await readWhile(server, reader, load, asking)
      const { durations, refusedCount } = await asking
      const usedUs = (cpuMicroseconds(server.pid) ?? Number.NaN) - (beganUs ?? Number.NaN)
      const cpuMs = usedUs / 1_000 / (rounds * batchCount)
      kinds.push({ kind, batchMs: quantilesOf(durations), cpuMs, refusedCount, reads })
      say(`  ${kind}: p50 ${quantilesOf(durations).p50.toFixed(0)} ms`)
    }
    const singles: number[] = []
    for (let round = 0; round < rounds; round++) singles.push(await caller.askSingly(queries))
    const { equalCount, hitCount, answerBytes } = checked
    const counts = { rowCount, queryCount: queries.length, equalCount, hitCount, answerBytes }
    return { ...counts, kinds, singlesMs: quantilesOf(singles), readsAlone }
  } finally {
    caller.close()
    reader.close()
    await server.stop()
  }
}

/** Questions of all classes, spread evenly. */
function chosen(text: string, count: number): BatchMatchQuery[] {
  const questions = JSON.parse(text) as ClassedQuery[]
  const step = Math.max(1, questions.length / count)
  return Array.from({ length: Math.min(count, questions.length) }, (_, i) => {
    return { id: String(i), query: questions[Math.floor(i * step)]?.query ?? '' }
  })
}

const ROOT = `/v1/${WORKSPACE_ID}/transactions`

/** One caller of batches and of single matches. */
class BatchCaller {
  readonly #client: Client
  readonly #fields: Readonly<Record<string, string>>

  constructor(server: ServerProcess, apiKey: string) {
    this.#client = new Client(server.port)
    this.#fields = { Authorization: `Bearer ${apiKey}` }
  }

  close(): void {
    this.#client.close()
  }

  /** Compares batches with single matches, and those with expected payments. */
  async check(queries: readonly BatchMatchQuery[]) {
    const payments: BatchMatchQuery[] = []
    const counts = { equalCount: 0, hitCount: 0, answerBytes: 0 }
    for (let from = 0; from < queries.length; from += CHECKED_COUNT) {
      const some = await this.#checkSome(queries.slice(from, from + CHECKED_COUNT))
      payments.push(...some.payments)
      counts.equalCount += some.equalCount
      counts.hitCount += some.hitCount
      counts.answerBytes += some.answerBytes
    }
    return { payments, ...counts }
  }

  async #checkSome(queries: readonly BatchMatchQuery[]) {
    const text = await this.#patiently(queries)
    const singles: string[] = []
    const payments: BatchMatchQuery[] = []
    let hitCount = 0
    for (const query of queries) {
      const { body, fields } = await this.#single(query)
      const total = Number(fields['x-total-count'])
      singles.push(`{"id":"${query.id}","matches":${body.toString('utf8')},"total":${total}}`)
      hitCount += total
      const [first] = (JSON.parse(body.toString('utf8')) as BatchMatch['matches']).slice(-1)
      const { amount = 100, counterpart: { name = 'Muster' } = {} } = first ?? {}
      payments.push({ ...query, amount, counterpartName: name === '' ? 'Muster' : name })
    }
    assert.equal(text, `[${singles.join(',')}]`, 'each entry equals the single match')
    const ordered = await this.#patiently(payments)
    assert.deepEqual(scoresOf(ordered), scoresOf(text), 'evidence changes no score')
    const answerBytes = Buffer.byteLength(text)
    return { payments, hitCount, answerBytes, equalCount: singles.length }
  }

  /** Sends batches one after the other. */
  async askFor(queries: readonly BatchMatchQuery[], count: number) {
    const durations: number[] = []
    let refusedCount = 0
    for (let i = 0; i < count; i++) {
      const sentMs = performance.now()
      const { status } = await this.#batch(queries)
      if (status === 200) durations.push(performance.now() - sentMs)
      else refusedCount += 1
      assert([200, 503].includes(status), `a batch is answered with ${status}`)
    }
    return { durations, refusedCount }
  }

  /** @returns ms of all matches together */
  async askSingly(queries: readonly BatchMatchQuery[]): Promise<number> {
    const sentMs = performance.now()
    for (const query of queries) await this.#single(query)
    return performance.now() - sentMs
  }

  async #single({ query }: BatchMatchQuery) {
    const path = `${ROOT}/match?limit=${LIMIT}&query=${encodeURIComponent(query)}`
    const answered = await this.#client.ask({ path, fields: this.#fields })
    assert.equal(answered.status, 200, path)
    return answered
  }

  #batch(queries: readonly BatchMatchQuery[]) {
    const fields = { ...this.#fields, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ queries, limit: LIMIT })
    return this.#client.ask({ path: `${ROOT}/match`, fields, body })
  }

  async #patiently(queries: readonly BatchMatchQuery[]): Promise<string> {
    for (let again = 0; ; again++) {
      const { status, body } = await this.#batch(queries)
      if (status === 200) return body.toString('utf8')
      assert(status === 503 && again < REPEATS_MAX, `${status}: ${body.toString('utf8')}`)
    }
  }
}

function scoresOf(text: string): unknown {
  return (JSON.parse(text) as BatchMatch[]).map(({ id, total, matches }) => {
    return [id, total, matches.map(({ score }) => score)]
  })
}
