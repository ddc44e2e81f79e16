// Workload: a served workspace whose file another process writes to.
//   shown   from a writer's commit to the first answer that shows it: single updates, a renamed
//           account, a renamed category, 100,000 inserted rows, half of all rows deleted
//   reads   pages, filtered pages and single transactions in equal shares, four callers that pause
//           between two requests, without a writer and with one that makes 500 changes a second;
//           ten seconds of the same load precede both, so that the code is compiled
// Data: a copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7.
// Read: reads with a writer against reads without one, and the bounds of live-report.ts; no peer.
// Run: npm run bench -- live [--rows N] [--seconds S] [--record]
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomOf } from '../src/demo/random.js'
import { startServer } from './child.js'
import { Client, type Target } from './client.js'
import { type Corpus, copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { readFacts } from './facts.js'
import { untilAtRest } from './process-figures.js'
import { Readers, type ReadFigures } from './readers.js'
import type { Settings } from './settings.js'
import type { Quantiles } from './statistics.js'
import {
  type LargeChange,
  measureLargeChanges,
  measureSingleChanges,
  type Served,
} from './until-shown.js'
import { filteredWorkload, pageWorkload, shapeTargets, singleWorkload } from './workloads.js'

/** All figures of the bench. */
export interface LiveFigures {
  readonly rowCount: number
  readonly single: Quantiles
  readonly large: readonly LargeChange[]
  readonly quiet: ReadFigures
  /** From the moment at which a writer starts. */
  readonly begun: ReadFigures
  readonly written: ReadFigures
  readonly changesPerSecond: number
}

/** Options that differ between a full run and a smoke run. */
export interface LiveOptions {
  readonly singleCount: number
  readonly insertCount: number
  /** Seconds of each of the two compared periods of reads. */
  readonly readSeconds: number
  /** Seconds of the same reads before each of them. */
  readonly settleSeconds: number
}

const CHANGES_PER_COMMIT = 10
const COMMITS_PER_SECOND = 50

/** Runs the bench over a copy of the corpus, which is deleted at the end. */
export async function measureLive(settings: Settings, options: LiveOptions): Promise<LiveFigures> {
  const { say, seed } = settings
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'live')
  const path = copyCorpus(corpus, scratch)
  say('loading')
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [scratch, WORKSPACE_ID, budget])
  const client = new Client(server.port)
  const { apiKey } = corpus
  const served: Served = { pid: server.pid, client, path, apiKey, base: `/v1/${WORKSPACE_ID}` }
  let readers: Readers | undefined
  try {
    await untilAtRest(server.pid)
    const targets = await mixedTargets(corpus, server.port)
    say('reads without a writer')
    readers = await Readers.start(server, targets)
    await readers.readFor(options.settleSeconds)
    const quiet = await readers.readFor(options.readSeconds)
    say('reads with a writer')
    const withWriter = await readWithWriter(served, readers, options, seed)
    await untilAtRest(server.pid)
    say('single changes')
    const single = await measureSingleChanges(served, options.singleCount, seed)
    const large = await measureLargeChanges(served, options.insertCount, say)
    return { rowCount: corpus.rowCount, single, large, quiet, ...withWriter }
  } finally {
    client.close()
    await readers?.stop()
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Every third request of each kind. */
export async function mixedTargets(corpus: Corpus, port: number): Promise<Target[]> {
  const facts = readFacts(corpus.twinPath)
  const pages = pageWorkload(corpus, facts).targets
  const filtered = filteredWorkload(corpus, await shapeTargets(corpus, facts, port)).targets
  const single = singleWorkload(corpus, facts).targets
  const random = randomOf(corpus.seed)
  return Array.from({ length: 12_000 }, (_, i) => {
    const kind = [pages, filtered, single][i % 3] ?? pages
    return kind[random.below(kind.length)]! // below its length
  })
}

async function readWithWriter(
  served: Served,
  readers: Readers,
  { readSeconds, settleSeconds }: LiveOptions,
  seed: number,
): Promise<Pick<LiveFigures, 'begun' | 'written' | 'changesPerSecond'>> {
  const pace = [CHANGES_PER_COMMIT, COMMITS_PER_SECOND, seed].map(String)
  const writer = await startServer('bench/live-writer.js', [served.path, ...pace])
  const startedMs = performance.now()
  const begun = await readers.readFor(settleSeconds)
  const written = await readers.readFor(readSeconds)
  const lastLine = writer.nextLine()
  await writer.stop()
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  const { changeCount } = JSON.parse(await lastLine) as { changeCount: number }
  return { begun, written, changesPerSecond: changeCount / elapsedSeconds }
}
