import { shown, table } from '../report.js'
import { BANDS } from './bands.js'
import { type Candidate, wholeText } from './candidate.js'
import type { Evaluation } from './evaluate.js'
import type { Expectation } from './labelled-query.js'
import {
  areaUnderCurve,
  bandOf,
  falsePositiveRate,
  meanMargin,
  meanReciprocalRank,
  medianHits,
  nearMissDiscrimination,
  precisionAtOne,
  recallAmong,
  recallAtFalsePositives,
  recallAtTen,
  shareOf,
} from './metrics.js'
import { ABSENT_FAR, ABSENT_NEAR, ABSENT_SUBSTRING } from './noise-absent.js'
import { type Outcome, THRESHOLD } from './outcome.js'
import { absentOnes, byGroup, byKey, presentOnes } from './targets.js'

/** kontor's figures by class. */
export function classTable(outcomes: readonly Outcome[]): string {
  const head = ['class', 'queries', 'P@1', 'in 3', 'MRR', 'R@10', 'near-miss', 'margin']
  const rows = [...byGroup(outcomes)].map(([group, ofGroup]) => [
    group,
    String(ofGroup.length),
    ...figuresOf(ofGroup).map(share),
    share(falsePositiveRate(ofGroup)),
    ...bandCells(group, ofGroup),
  ])
  return table([...head, 'any ≥ .6', '5th–95th', 'band', ''], rows)
}

function figuresOf(outcomes: readonly Outcome[]): readonly number[] {
  const present = presentOnes(outcomes)
  return [
    precisionAtOne(present),
    recallAmong(present, 3),
    meanReciprocalRank(present),
    recallAtTen(present),
    nearMissDiscrimination(present),
    meanMargin(present),
  ]
}

/** Actual and expected band of the class's scores, and the verdict. */
function bandCells(group: string, outcomes: readonly Outcome[]): readonly string[] {
  const [low, high] = bandOf(outcomes)
  const measured = Number.isNaN(low) ? '-' : `${share(low)}–${share(high)}`
  const band = BANDS.get(group)
  if (band === undefined) return [measured, '-', '']
  const isInside = low >= band[0] && high <= band[1]
  return [measured, `${share(band[0])}–${share(band[1])}`, isInside ? '' : 'OUTSIDE']
}

/** kontor's figures of questions of real statements: together, by language, by kind of absence. */
export function realTable(outcomes: readonly Outcome[]): string {
  const head = ['questions', 'present', 'P@1', 'near-miss', 'recall at 1 % FPR', 'absent', 'hits']
  const absent = absentOnes(outcomes)
  const languages = byKey(outcomes, ({ question }) => question.language ?? 'unknown')
  const rows = [
    ['all', ...realCells(outcomes)],
    ...[...languages].map(([language, ofOne]) => [language, ...realCells(ofOne)]),
    ...[...byGroup(absent)].map(([group, ofOne]) => [group, ...realCells(ofOne)]),
  ]
  return table(head, rows)
}

function realCells(outcomes: readonly Outcome[]): readonly string[] {
  const present = presentOnes(outcomes)
  const absent = absentOnes(outcomes)
  return [
    String(present.length),
    share(precisionAtOne(present)),
    share(nearMissDiscrimination(present)),
    share(recallAtFalsePositives(present, absent, 0.01)),
    String(absent.length),
    share(falsePositiveRate(absent)),
  ]
}

/** kontor and the peers on the same window. */
export function peerTable(evaluations: readonly Evaluation[]): string {
  const head = ['matcher', 'queries', 'P@1', 'MRR', 'R@10 ≥ .6', 'near-miss', 'margin', 'FPR near']
  const tail = ['FPR far', 'FPR inside', 'AUC', 'recall at 1 % FPR', 'median hits ≥ .6']
  const rows = evaluations
    .filter(({ skipped }) => skipped === undefined)
    .map(({ name, outcomes }) => [name, String(outcomes.length), ...peerCells(outcomes)])
  const skipped = evaluations.flatMap(({ name, skipped: why }) =>
    why === undefined ? [] : [`${name} was skipped: ${why}.`],
  )
  return [table([...head, ...tail], rows), ...skipped].join('\n\n')
}

function peerCells(outcomes: readonly Outcome[]): readonly string[] {
  const present = presentOnes(outcomes)
  const absent = absentOnes(outcomes)
  const rate = (group: string): number =>
    falsePositiveRate(outcomes.filter(({ question }) => question.group === group))
  const figures = [
    precisionAtOne(present),
    meanReciprocalRank(present),
    recallAtTen(present),
    nearMissDiscrimination(present),
    meanMargin(present),
    rate(ABSENT_NEAR),
    rate(ABSENT_FAR),
    rate(ABSENT_SUBSTRING),
    areaUnderCurve(present, absent),
    recallAtFalsePositives(present, absent, 0.01),
  ]
  return [...figures.map(share), shown(medianHits(present))]
}

/** Three decimals at most; a dash for a figure that could not be measured. */
function share(value: number): string {
  return Number.isNaN(value) ? '-' : String(Math.round(value * 1_000) / 1_000)
}

/** Whether the answer was as expected. */
const WENT_WELL: Readonly<Record<Expectation, (outcome: Outcome) => boolean>> = {
  found: ({ betterCount, tiedCount, tiedTrueCount, trueScore }) =>
    betterCount === 0 && tiedCount === tiedTrueCount && trueScore >= THRESHOLD,
  truncated: ({ betterCount, tiedCount, tiedTrueCount }) =>
    betterCount === 0 && tiedCount === tiedTrueCount,
  conflict: ({ trueScore, topScore }) => trueScore < THRESHOLD && topScore < THRESHOLD,
  absent: ({ topScore }) => topScore < THRESHOLD,
}

/** Limits of the list of misses. */
export interface MissOptions {
  readonly candidates: readonly Candidate[]
  readonly perGroup: number
}

/** The failed questions as lines, by class, the worst first. */
export function missLines(outcomes: readonly Outcome[], options: MissOptions): string {
  const sections = [...byGroup(outcomes)].flatMap(([group, ofGroup]) => {
    const missed = ofGroup
      .filter((one) => !WENT_WELL[one.question.expectation](one) || isOutside(group, one))
      .sort((a, b) => gapOf(a) - gapOf(b))
    if (missed.length === 0) return []
    const rate = share(shareOf(ofGroup, (one) => missed.includes(one)))
    const examples = missed.slice(0, options.perGroup).map((one) => missText(one, options))
    return [`### ${group}: ${missed.length} of ${ofGroup.length} (${rate})`, ...examples]
  })
  return sections.join('\n\n')
}

function isOutside(group: string, { trueScore }: Outcome): boolean {
  const band = BANDS.get(group)
  return band !== undefined && (trueScore < band[0] || trueScore > band[1])
}

/** Score of the true candidate minus that of the best wrong one. */
function gapOf({ trueScore, bestWrongScore }: Outcome): number {
  return (Number.isNaN(trueScore) ? 0 : trueScore) - bestWrongScore
}

function missText(outcome: Outcome, { candidates }: MissOptions): string {
  const { question, trueScore, bestWrongAt, bestWrongScore } = outcome
  const text = (at: number | undefined): string => {
    const candidate = candidates[at ?? -1]
    return candidate === undefined ? '-' : wholeText(candidate)
  }
  return [
    `    query  ${question.query}`,
    `    true   ${share(trueScore)}  ${text(question.trueAt[0])}`,
    `    wrong  ${share(bestWrongScore)}  ${text(bestWrongAt)}`,
  ].join('\n')
}
