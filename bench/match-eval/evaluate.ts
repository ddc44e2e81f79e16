import type { EvaluationSet } from './evaluation-set.js'
import type { MatcherKind } from './matcher.js'
import { type Outcome, outcomeOf } from './outcome.js'

/** The outcomes of a matcher on a set, or the reason why there are none. */
export interface Evaluation {
  readonly name: string
  readonly outcomes: readonly Outcome[]
  /** Why there are no outcomes. */
  readonly skipped?: string
}

/** Runs every question, or every n-th one for a slow matcher. */
export function evaluate(kind: MatcherKind, set: EvaluationSet): Evaluation {
  const { candidates } = set
  const questions = set.questions.filter((_, at) => at % kind.every === 0)
  const matcher = kind.open(
    candidates,
    questions.map(({ query }) => query),
  )
  if (typeof matcher === 'string') {
    return { name: kind.name, outcomes: [], skipped: matcher }
  }
  const outcomes = questions.map((question) => outcomeOf(question, matcher.match(question.query)))
  return { name: kind.name, outcomes }
}
