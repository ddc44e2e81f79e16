import { CommandError } from '../../src/errors.js'
import { type Target, targetTable, verdictOf } from '../report.js'
import { type Evaluation, evaluate } from './evaluate.js'
import { type EvaluationSet, makeEvaluationSet } from './evaluation-set.js'
import { KONTOR } from './kontor.js'
import { type Label, readLabels } from './labels.js'
import type { MatcherKind } from './matcher.js'
import { PEERS } from './peers.js'
import { PG_TRGM } from './pg-trgm.js'
import { type StatementCandidate, statementCandidates } from './statement-candidates.js'
import { classTable, missLines, peerTable } from './tables.js'
import { matchTargets } from './targets.js'

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
  /** The folder of real statements. */
  readonly statementsFolder: string | undefined
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

/** Runs an evaluation. */
export async function evaluateMatch(options: MatchEvaluationOptions): Promise<MatchEvaluation> {
  const { purpose, rowCount, say, statementsFolder } = options
  const real = await labelledStatements(purpose, statementsFolder)
  const seeds = SEEDS[purpose].slice(0, options.seedCount)
  const sets: EvaluationSet[] = []
  const ownOnes: Evaluation[] = []
  for (const seed of seeds) {
    // Hand-labelled questions are used once: the files are the same for every seed.
    const labels = sets.length === 0 ? real.labels : []
    const set = await makeEvaluationSet({ ...real, rowCount, seed, labels })
    say(`seed ${seed}: ${set.questions.length} questions about ${set.candidates.length} rows`)
    sets.push(set)
    ownOnes.push(evaluate(KONTOR, set))
  }
  const [first] = sets
  const [ownFirst] = ownOnes
  if (first === undefined || ownFirst === undefined) {
    throw new CommandError('usage', '--seeds must be at least 1')
  }
  const others = options.peers.map((kind) => {
    say(`asking ${kind.name}`)
    return evaluate(kind, first)
  })
  const outcomes = ownOnes.flatMap((one) => one.outcomes)
  const targets = matchTargets(outcomes)
  const sections = [
    opening(options, sets),
    classTable(outcomes),
    ...(others.length === 0 ? [] : [peerTable([ownFirst, ...others])]),
    targetTable(targets),
  ]
  if (purpose === 'tune') {
    const shownMisses = sets.map(({ candidates }, at) =>
      missLines(ownOnes[at]?.outcomes ?? [], { candidates, perGroup: options.missesPerGroup }),
    )
    sections.push(...shownMisses)
  }
  return { report: `${sections.join('\n\n')}\n`, targets }
}

/** The missed targets; a figure that could not be measured is not a miss. */
export function missedTargets(targets: readonly Target[]): readonly Target[] {
  return targets.filter((target) => verdictOf(target) === 'MISS')
}

interface LabelledStatements {
  readonly statements: readonly StatementCandidate[]
  readonly labels: readonly Label[]
}

async function labelledStatements(
  purpose: keyof typeof SEEDS,
  folder: string | undefined,
): Promise<LabelledStatements> {
  if (folder === undefined || folder === '') return { statements: [], labels: [] }
  const labels = readLabels().filter(({ set }) => set === purpose)
  return { statements: await statementCandidates(folder), labels }
}

function opening(options: MatchEvaluationOptions, sets: readonly EvaluationSet[]): string {
  const sum = (count: (set: EvaluationSet) => number): number =>
    sets.reduce((total, set) => total + count(set), 0)
  const lines = [
    `seeds for ${options.purpose}: ${sets.map(({ seed }) => seed).join(', ')}`,
    `${options.rowCount} rows a seed, ${sum(({ questions }) => questions.length)} questions in all`,
    `${sum(({ droppedCount }) => droppedCount)} questions left out: others had their reference`,
  ]
  if (options.statementsFolder === undefined || options.statementsFolder === '') {
    lines.push('KONTOR_STATEMENTS is not set: the hand-labelled questions are left out')
  }
  return lines.map((line) => `- ${line}`).join('\n')
}
