import type { Candidate } from './candidate.js'

/** How a matcher answers one query; the arrays are used again by the next one. */
export interface Ranking {
  /** One per candidate, 0 to 1. */
  readonly scores: Float64Array
  /** One per candidate, higher first, equal = a tie: the scores, or a finer order of them. */
  readonly order: Float64Array
}

/** Something that ranks the candidates of one window. */
export interface Matcher {
  readonly name: string
  match(query: string): Ranking
}

/** A matcher that can be had for any window. */
export interface MatcherKind {
  readonly name: string
  /** Of how many questions one is asked: slow ones see fewer, spread over all classes. */
  readonly every: number
  /**
   * @param queries all that will be asked
   * @returns a sentence why there is none, when something it needs is not installed
   */
  open(candidates: readonly Candidate[], queries: readonly string[]): Matcher | string
}
