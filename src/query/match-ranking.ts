import type { PaymentEvidence } from '../domain/matched-transaction.js'
import type { MatchExplanation } from '../match/explanation.js'
import type { ExpectedPayment } from '../match/payment-evidence.js'
import type { Reference } from '../match/reference.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import type { Listing } from './listing.js'
import type { WindowRequest } from './match-window.js'
import type { QueryCache } from './query-cache.js'

/** Reference, transactions to scan, and the requested results. */
export interface MatchRequest extends WindowRequest {
  readonly reference: Reference
  /** Orders results of equal scores; absent = only the quality of their evidence does. */
  readonly expected?: ExpectedPayment | undefined
  /** The smallest score of a result, in 1/10,000; 0 = every row of the window is one. */
  readonly scoreMin: number
  readonly offset: number
  /** 1 to 50. */
  readonly limit: number
  readonly explain: boolean
  /** Whether all results are to be returned, not only a page of them; absent = no. */
  readonly wantsHits?: boolean
}

/** Sources of a ranking. */
export interface RankingContext {
  readonly snapshot: Snapshot
  readonly queryCache: QueryCache
}

/** Limits of a ranking's time. */
export interface RankingTime {
  /**
   * When the request's budget ends, in ticks: `performance.now()`, which is the same in every
   * thread of the process.
   */
  readonly deadlineTicks: number
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal
  /** Credential whose turn it takes when several wait; absent = none in particular. */
  readonly credentialId?: string
}

/** A result. */
export interface RankedMatch {
  readonly segment: Segment
  readonly ordinal: Ordinal
  /** 0 to 10,000. */
  readonly score: number
  /** Present on request. */
  readonly explanation?: MatchExplanation
  /** Of the expected payment, the strongest first; present with an explanation. */
  readonly evidence?: readonly PaymentEvidence[]
}

/** A page of results and how many there are. */
export interface Ranking {
  /** Rows of the window that reach the smallest score. */
  readonly total: number
  /**
   * The page: score, then evidence of the expected payment, then quality of the score's evidence,
   * descending; then in the window's order.
   */
  readonly matches: readonly RankedMatch[]
  /** All results, in no order; present on request. */
  readonly hits?: Listing | undefined
}

/**
 * Ranks the rows of a window. Throws, or rejects with, ApiError `budget_exceeded` when the time is
 * used up before the ranking is complete, and the signal's reason when it is aborted; never returns
 * a partial ranking.
 */
export type RankMatches = (
  context: RankingContext,
  request: MatchRequest,
  time: RankingTime,
) => Ranking | Promise<Ranking>
