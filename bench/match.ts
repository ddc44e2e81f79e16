// Workload: matches of references as people type them: the evaluation's questions of the report
// seeds (match-eval/), their references planted in the newest 100,000 rows of a workspace.
//   kontor   in process, from the query text to the ids of the ten best of 100,000 rows, by 1, 2
//            and 4 threads; first compared with scoring every row at four thresholds
//   worst    queries that are costly by construction or by random search (match-worst.ts)
//   peers    matchers from npm over the same texts and some of the questions
//   load     single transactions read over HTTP while 20 callers match without a pause
// Data: the demo's company (corpus.ts), seed 7, 100,000 rows, and kontor again over --rows of them.
// Read: the peer's median over kontor's, each on the questions of both; worst against the bounds.
// Run: npm run bench -- match [--rows N] [--rounds R] [--seconds S] [--record]
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MATCH_WINDOW_ROWS_MAX } from '../src/limits.js'
import { runToEnd } from './child.js'
import { copyCorpus, openCorpus } from './corpus.js'
import type { KontorMatchFigures, MatchRunOptions, PeerFigures } from './match-contenders.js'
import { type MatchLoadFigures, measureMatchLoad } from './match-load.js'
import { type PlantedQueries, plantedQueries, plantTexts } from './match-queries.js'
import type { Settings } from './settings.js'

/** All figures of the bench. */
export interface MatchFigures {
  /** Class of each question. */
  readonly groups: readonly string[]
  /** A workspace no larger than the window; then a larger one, if the run asks for it. */
  readonly kontor: readonly KontorMatchFigures[]
  readonly peers: readonly PeerFigures[]
  readonly load: MatchLoadFigures
}

/** Options that differ between a full run and a smoke run. */
export type MatchOptions = Pick<
  MatchRunOptions,
  'checkedCount' | 'unboundedCount' | 'randomCount' | 'peerCount' | 'peerMsMax'
> & {
  readonly callerCount: number
  /** Names of the peers to run. */
  readonly peers: readonly string[]
}

/** Runs the whole bench, one process after the other. */
export async function measureMatches(
  settings: Settings,
  options: MatchOptions,
): Promise<MatchFigures> {
  const { rowCount, say } = settings
  const windowRows = Math.min(rowCount, MATCH_WINDOW_ROWS_MAX)
  say('making the questions')
  const planted = await plantedQueries(windowRows)
  const { peers: peerNames, callerCount, ...counts } = options
  const { seed, rounds, seconds } = settings
  const kontor: KontorMatchFigures[] = []
  const peers: PeerFigures[] = []
  const loads: MatchLoadFigures[] = []
  for (const rows of new Set([windowRows, rowCount])) {
    await withPlanted({ ...settings, rowCount: rows }, planted, async (given) => {
      const { workspacePath, questionsPath } = given
      const run: MatchRunOptions = {
        ...{ ...counts, workspacePath, questionsPath, windowRows, seed, rounds },
      }
      say(`kontor, ${rows} rows`)
      kontor.push((await runContender('kontor', run)) as KontorMatchFigures)
      if (rows > windowRows) return
      for (const name of peerNames) {
        say(name)
        peers.push((await runContender(name, run)) as PeerFigures)
      }
      say(`${callerCount} callers`)
      loads.push(await measureMatchLoad({ ...given, rowCount: rows, callerCount, seconds, seed }))
    })
  }
  const groups = planted.questions.map(({ group }) => group)
  return { groups, kontor, peers, load: loads[0]! } // the first workspace is all window
}

async function runContender(
  name: string,
  run: MatchRunOptions,
): Promise<KontorMatchFigures | PeerFigures> {
  const { stdout } = await runToEnd('bench/match-run.js', [name, JSON.stringify(run)])
  return JSON.parse(stdout) as KontorMatchFigures | PeerFigures
}

/** A workspace with planted references, and the questions for them. */
export interface PlantedWorkspace {
  /** Data directory. */
  readonly path: string
  readonly workspacePath: string
  readonly questionsPath: string
  readonly apiKey: string
}

/** Works on a copy of the corpus with the texts planted; the copy is deleted at the end. */
export async function withPlanted(
  settings: Settings,
  { questions, texts }: PlantedQueries,
  work: (given: PlantedWorkspace) => Promise<void>,
): Promise<void> {
  const corpus = await openCorpus(settings)
  const path = join(corpus.path, 'match')
  try {
    const workspacePath = copyCorpus(corpus, path)
    plantTexts(workspacePath, texts, MATCH_WINDOW_ROWS_MAX)
    const questionsPath = join(path, 'questions.json')
    writeFileSync(questionsPath, JSON.stringify(questions))
    await work({ path, workspacePath, questionsPath, apiKey: corpus.apiKey })
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
