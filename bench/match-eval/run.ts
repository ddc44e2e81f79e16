import { CommandError } from '../../src/errors.js'
import { FOLDERS } from '../import-eval/bank-files.js'
import { type Target, targetTable, verdictOf } from '../report.js'
import { type Evaluation, evaluate } from './evaluate.js'
import { type EvaluationSet, makeEvaluationSet } from './evaluation-set.js'
import { KONTOR } from './kontor.js'
import { type Labeller, labelledQueries, readLabels } from './labels.js'
import type { MatcherKind } from './matcher.js'
import { PEERS } from './peers.js'
import { PG_TRGM } from './pg-trgm.js'
import { type StatementCandidate, statementCandidates } from './statement-candidates.js'
import { classTable, missLines, peerTable, realTable } from './tables.js'
import { inventedTargets, realTargets } from './targets.js'

/**
 * The seeds by purpose. A scorer is improved with the questions of `tune`; `report` gives its
 * figures, so its questions must not be read.
 */
export const SEEDS = {
  tune: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28],
  report: [9_101, 9_102, 9_103],
} as const

/** Options of an evaluation of the match. */
export interface MatchEvaluationOptions {
  readonly purpose: keyof typeof SEEDS
  readonly rowCount: number
  /** Number of seeds to use. */
  readonly seedCount: number
  /** Misses to list for each class; only those of tuning seeds are ever listed. */
  readonly missesPerGroup: number
  /** Matchers that run on the first seed for comparison. */
  readonly peers: readonly MatcherKind[]
  /** Names the folders of real statements. */
  readonly environment: NodeJS.ProcessEnv
  /** Receives progress lines. */
  readonly say: (line: string) => void
}

/** Result of an evaluation. */
export interface MatchEvaluation {
  /** Markdown. */
  readonly report: string
  /** The targets; NaN where a figure could not be measured. */
  readonly targets: readonly Target[]
}

/** All peers that kontor is compared with. */
export const ALL_PEERS: readonly MatcherKind[] = [...PEERS, PG_TRGM]

/** Runs an evaluation: the invented half, seed by seed, and the questions of real statements. */
export async function evaluateMatch(options: MatchEvaluationOptions): Promise<MatchEvaluation> {
  const { purpose, rowCount, say } = options
  const statements = await statementCandidates(options.environment)
  const seeds = SEEDS[purpose].slice(0, options.seedCount)
  const parts: EvaluationPart[] = []
  for (const seed of seeds) {
    const set = await makeEvaluationSet({ rowCount, seed, statements })
    say(`seed ${seed}: ${set.questions.length} questions about ${set.candidates.length} rows`)
    parts.push({ set, ...evaluate(KONTOR, set) })
  }
  const [first] = parts
  if (first === undefined) throw new CommandError('usage', '--seeds must be at least 1')
  const others = options.peers.map((kind) => {
    say(`asking ${kind.name}`)
    return evaluate(kind, first.set)
  })
  const reals = realParts(purpose, statements)
  const outcomes = parts.flatMap((part) => part.outcomes)
  const targets = [
    ...inventedTargets(outcomes),
    ...reals.flatMap(({ title, outcomes: asked }) => realTargets(title, asked)),
  ]
  const sections = [
    opening(options, parts, reals),
    '### Invented questions, by the authors of the scorer',
    classTable(outcomes),
    ...(others.length === 0 ? [] : [peerTable([first, ...others])]),
    ...reals.flatMap(({ title, outcomes: asked }) => [`### ${title}`, realTable(asked)]),
    '### Targets',
    targetTable(targets),
  ]
  if (purpose === 'tune') {
    const shownMisses = [...parts, ...reals].map(({ set, outcomes: asked }) =>
      missLines(asked, { candidates: set.candidates, perGroup: options.missesPerGroup }),
    )
    sections.push(...shownMisses)
  }
  return { report: `${sections.join('\n\n')}\n`, targets }
}

/** The missed targets; a figure that could not be measured is not a miss. */
export function missedTargets(targets: readonly Target[]): readonly Target[] {
  return targets.filter((target) => verdictOf(target) === 'MISS')
}

/** A set of questions and kontor's outcomes. */
interface EvaluationPart extends Evaluation {
  readonly set: EvaluationSet
}

/** Questions of real statements. */
interface RealPart extends EvaluationPart {
  /** Where they are from, and who labelled them. */
  readonly title: string
}

const TITLES: Readonly<Record<Labeller, string>> = {
  own: 'real statements, labelled by the authors of the scorer',
  independent: 'real statements, labelled by others, the independent half',
}

/** The questions of real statements, in a window of all of these; none without statements. */
function realParts(
  purpose: keyof typeof SEEDS,
  candidates: readonly StatementCandidate[],
): RealPart[] {
  if (candidates.length === 0) return []
  const labellers: readonly Labeller[] = ['own', 'independent']
  return labellers.flatMap((labeller) => {
    const questions = labelledQueries(readLabels(purpose, labeller), candidates)
    if (questions.length === 0) return []
    const set = { seed: 0, candidates, questions, droppedCount: 0 }
    return [{ title: TITLES[labeller], set, ...evaluate(KONTOR, set) }]
  })
}

function opening(
  { purpose, rowCount, environment }: MatchEvaluationOptions,
  parts: readonly EvaluationPart[],
  reals: readonly RealPart[],
): string {
  const sum = (count: (set: EvaluationSet) => number): number =>
    parts.reduce((total, { set }) => total + count(set), 0)
  const missing = [...FOLDERS.keys()].filter((variable) => (environment[variable] ?? '') === '')
  const lines = [
    `seeds for ${purpose}: ${parts.map(({ set }) => set.seed).join(', ')}`,
    `${rowCount} rows a seed, ${sum(({ questions }) => questions.length)} questions in all`,
    `${sum(({ droppedCount }) => droppedCount)} questions left out: others had their reference`,
    ...reals.map(({ title, set }) => {
      return `${set.questions.length} questions about ${set.candidates.length} rows: ${title}`
    }),
    ...missing.map((variable) => `${variable} is not set: its questions are left out`),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}
