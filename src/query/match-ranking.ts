import type { MatchExplanation } from '../match/explanation.js'
import type { Reference } from '../match/reference.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import type { Listing } from './listing.js'
import type { WindowRequest } from './match-window.js'
import type { QueryCache } from './query-cache.js'

/** What is looked for, among which transactions, and which of the results are wanted. */
export interface MatchRequest extends WindowRequest {
  readonly reference: Reference
  /** The smallest score of a result, in 1/10,000; 0 = every row of the window is one. */
  readonly scoreMin: number
  readonly offset: number
  /** 1 to 50. */
  readonly limit: number
  readonly explain: boolean
  /** Whether all results are to be told, not only a page of them; absent = no. */
  readonly wantsHits?: boolean
}

/** What a ranking is made from. */
export interface RankingContext {
  readonly snapshot: Snapshot
  readonly queryCache: QueryCache
}

/** How long a ranking is worth going on with. */
export interface RankingTime {
  /**
   * When the request's budget ends, in ticks: `performance.now()`, which is the same in every
   * thread of the process.
   */
  readonly deadlineTicks: number
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal
  /** Whose turn it takes where several wait; absent = nobody's in particular. */
  readonly credentialId?: string
}

/** A result. */
export interface RankedMatch {
  readonly segment: Segment
  readonly ordinal: Ordinal
  /** 0 to 10,000. */
  readonly score: number
  /** There if it was asked for. */
  readonly explanation?: MatchExplanation
}

/** A page of results and how many there are. */
export interface Ranking {
  /** Rows of the window that reach the smallest score. */
  readonly total: number
  /** The page: score, then quality of the evidence, descending; then in the window's order. */
  readonly matches: readonly RankedMatch[]
  /** All results, in no order; there if they were asked for. */
  readonly hits?: Listing | undefined
}

/**
 * Ranks the rows of a window. Throws, or rejects with, ApiError `budget_exceeded` when the time is
 * over before the ranking is, and the signal's reason when it is aborted; never gives a part of it.
 */
export type RankMatches = (
  context: RankingContext,
  request: MatchRequest,
  time: RankingTime,
) => Ranking | Promise<Ranking>
