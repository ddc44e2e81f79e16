import type { Candidate } from './candidate.js'

/** A matcher's answer to one query; the next query overwrites the arrays. */
export interface Ranking {
  /** One per candidate, 0 to 1. */
  readonly scores: Float64Array
  /** One per candidate, higher first, equal = a tie: the scores, or a finer order. */
  readonly order: Float64Array
}

/** Ranks the candidates of one window. */
export interface Matcher {
  readonly name: string
  match(query: string): Ranking
}

/** A matcher that can be created for any window. */
export interface MatcherKind {
  readonly name: string
  /** Uses every n-th question only: fewer for slow matchers, spread over all classes. */
  readonly every: number
  /**
   * @param queries all queries of the evaluation
   * @returns a sentence with the reason when something it needs is not installed
   */
  open(candidates: readonly Candidate[], queries: readonly string[]): Matcher | string
}
