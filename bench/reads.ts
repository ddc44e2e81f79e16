// Workload: the read operations over HTTP and inside the process. The floor is the bare engine with
// prebuilt bodies (floor-server.ts); the peer is a plain Fastify and better-sqlite3 service that
// gives the same answers (twin.ts).
//   page       100 rows in default order, random offsets over all rows
//   filtered   44 shapes of filtered or sorted pages (shapes.ts), 5 values each, 16 offsets a value
//   single     one transaction, random ids
//   queries    2,000 random combinations of filters and order, in process
//   loading    time from start to listening, resident memory, event loop during a second load
// Data: the demo's company (corpus.ts), 1,000,000 rows of about 590 bytes of JSON, seed 7.
// Read: kontor's rate as a share of the floor's and as a multiple of the twin's (contest.ts).
// Run: npm run bench -- reads [--rows N] [--seconds S] [--rounds R] [--record]
import { join } from 'node:path'
import { loadUws } from '../src/http/engine/engine-uws.js'
import { runToEnd } from './child.js'
import { type ContestFigures, type ContestOptions, runContest, startKontor } from './contest.js'
import { type Corpus, openCorpus } from './corpus.js'
import { type CorpusFacts, readFacts } from './facts.js'
import type { InProcessFigures } from './in-process.js'
import type { Load, LoadFigures } from './load.js'
import { type LoadingFigures, measureLoading, type SnapshotBytes } from './loading.js'
import type { QueryFigures, QueryOptions } from './queries.js'
import { measureReadsWhileLoading, type ReadsWhileLoading } from './reads-while-loading.js'
import type { Settings } from './settings.js'
import {
  filteredWorkload,
  pageWorkload,
  type ShapeTargets,
  shapeTargets,
  singleWorkload,
} from './workloads.js'

/** All figures of the bench. */
export interface ReadsFigures {
  readonly rowCount: number
  /** Of kontor and of the floor. */
  readonly engine: 'uws' | 'node'
  readonly contests: readonly ContestFigures[]
  readonly shapes: readonly ShapeFigures[]
  readonly queries: QueryFigures
  readonly snapshot: SnapshotBytes
  readonly loading: LoadingFigures
  readonly whileLoading: ReadsWhileLoading
}

/** kontor's cost for the requests of one shape alone. */
export interface ShapeFigures {
  readonly name: string
  readonly load: LoadFigures
}

/** Options that differ between a full run and a smoke run. */
export interface ReadsOptions {
  readonly load: (load: Load) => Promise<LoadFigures>
  readonly checkedCount: number
  readonly query: Omit<QueryOptions, 'seed'>
}

/** Runs the whole bench, one process after the other. */
export async function measureReads(
  settings: Settings,
  options: ReadsOptions,
): Promise<ReadsFigures> {
  const { say, seed } = settings
  const corpus = await openCorpus(settings)
  const facts = readFacts(corpus.twinPath)
  say('loading')
  const loading = await measureLoading(corpus, join(corpus.path, 'empty'))
  say('loading while serving')
  const whileLoading = await measureReadsWhileLoading(corpus, singleWorkload(corpus, facts).targets)
  say('queries in process')
  const { queries, snapshot } = await runInProcess(corpus, {
    ...options.query,
    seed,
  })
  const shapes = await withShapes(corpus, facts)
  const contestOptions: ContestOptions = { ...settings, ...options }
  const contests: ContestFigures[] = []
  for (const workload of [
    pageWorkload(corpus, facts),
    filteredWorkload(corpus, shapes),
    singleWorkload(corpus, facts),
  ]) {
    contests.push(await runContest(corpus, workload, contestOptions))
  }
  say('each shape alone')
  const shapeFigures = await measureShapes(corpus, shapes, options)
  const { rowCount } = facts
  const engine = (await loadUws()) === undefined ? 'node' : 'uws'
  const figures = { rowCount, engine, contests, shapes: shapeFigures } as const
  return { ...figures, queries, snapshot, loading, whileLoading }
}

async function withShapes(corpus: Corpus, facts: CorpusFacts): Promise<ShapeTargets[]> {
  const kontor = await startKontor(corpus)
  try {
    return await shapeTargets(corpus, facts, kontor.port)
  } finally {
    await kontor.stop()
  }
}

async function measureShapes(
  corpus: Corpus,
  shapes: readonly ShapeTargets[],
  { load }: ReadsOptions,
): Promise<ShapeFigures[]> {
  const kontor = await startKontor(corpus)
  const { pid, port } = kontor
  const figures: ShapeFigures[] = []
  try {
    for (const { shape, targets } of shapes) {
      figures.push({ name: shape.name, load: await load({ pid, port, targets, seconds: 1 }) })
    }
  } finally {
    await kontor.stop()
  }
  return figures
}

async function runInProcess(
  { workspacePath, twinPath }: Corpus,
  query: QueryOptions,
): Promise<InProcessFigures> {
  const options = JSON.stringify({ workspacePath, twinPath, ...query })
  const { stdout } = await runToEnd('bench/in-process-run.js', [options])
  return JSON.parse(stdout) as InProcessFigures
}
