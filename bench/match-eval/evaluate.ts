import type { EvaluationSet } from './evaluation-set.js'
import type { MatcherKind } from './matcher.js'
import { type Outcome, outcomeOf } from './outcome.js'

/** What a matcher has made of a set, or why it was not asked. */
export interface Evaluation {
  readonly name: string
  readonly outcomes: readonly Outcome[]
  /** Why there are no outcomes. */
  readonly skipped?: string
}

/** Asks a matcher every question, or every so-and-so-many-th one of a slow matcher. */
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
