import type { Target } from '../report.js'
import {
  falsePositiveRate,
  nearMissDiscrimination,
  precisionAtOne,
  recallAtFalsePositives,
  shareOf,
} from './metrics.js'
import {
  ABSENT_FAR,
  ABSENT_NEAR,
  ABSENT_SUBSTRING,
  TYPO_SUBSTITUTED,
  TYPO_SWAPPED,
} from './noise-absent.js'
import { type Outcome, THRESHOLD } from './outcome.js'

/** Lower bound for the score with one wrong digit, so that a lower threshold finds it. */
const CONFLICT_SCORE_MIN = 0.4

/** False-positive rate at which recall is measured. */
const FALSE_POSITIVES = 0.01

/** Outcomes whose reference is in the window, cut off or not. */
export function presentOnes(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ question }) => ['found', 'truncated'].includes(question.expectation))
}

/** Outcomes whose reference is not in the window. */
export function absentOnes(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ question }) => question.expectation === 'absent')
}

/** The outcomes by class, in the order in which the classes occur. */
export function byGroup(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const { group } = outcome.question
    const known = groups.get(group)
    if (known === undefined) groups.set(group, [outcome])
    else known.push(outcome)
  }
  return groups
}

/** Targets of kontor's match on seeds that it was not tuned on. */
export function matchTargets(outcomes: readonly Outcome[]): Target[] {
  const present = presentOnes(outcomes)
  const found = present.filter(({ question }) => question.expectation === 'found')
  const truncated = present.filter(({ question }) => question.expectation === 'truncated')
  const worst = [...byGroup(found)]
    .map(([group, ofGroup]) => ({ group, value: precisionAtOne(ofGroup) }))
    .reduce((a, b) => (b.value < a.value ? b : a), {
      group: 'none',
      value: Number.POSITIVE_INFINITY,
    })
  const conflicts = inGroups(outcomes, [TYPO_SUBSTITUTED, TYPO_SWAPPED])
  const recall = recallAtFalsePositives(present, absentOnes(outcomes), FALSE_POSITIVES)
  const rate = (group: string): number => falsePositiveRate(inGroups(outcomes, [group]))
  return [
    atLeast('P@1', precisionAtOne(found), 0.99),
    atLeast(`P@1 of the worst class (${worst.group})`, worst.value, 0.97),
    atLeast('P@1 of truncated references', precisionAtOne(truncated), 0.85),
    atLeast('near-miss discrimination', nearMissDiscrimination(present), 0.995),
    atMost('any hit ≥ 0.6, absent, near', rate(ABSENT_NEAR), 0.01),
    atMost('any hit ≥ 0.6, absent, far', rate(ABSENT_FAR), 0.005),
    atMost('any hit ≥ 0.6, absent, inside a longer number', rate(ABSENT_SUBSTRING), 0),
    atLeast('recall at 1 % false positives', recall, 0.97),
    atLeast('one wrong or swapped digit < 0.6', shareOf(conflicts, isBelow), 1),
    atLeast('one wrong or swapped digit > 0.4', shareOf(conflicts, isAboveFloor), 1),
  ]
}

function isBelow({ trueScore }: Outcome): boolean {
  return trueScore < THRESHOLD
}

function isAboveFloor({ trueScore }: Outcome): boolean {
  return trueScore > CONFLICT_SCORE_MIN
}

function inGroups(outcomes: readonly Outcome[], groups: readonly string[]): Outcome[] {
  return outcomes.filter(({ question }) => groups.includes(question.group))
}

function atLeast(what: string, measured: number, bound: number): Target {
  return { what, measured, unit: '', bound, direction: 'at least' }
}

function atMost(what: string, measured: number, bound: number): Target {
  return { what, measured, unit: '', bound, direction: 'at most' }
}
