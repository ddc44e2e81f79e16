import { ApiError } from '../errors.js'
import { budgetExceeded } from '../query/match-rank.js'
import type {
  MatchRequest,
  Ranking,
  RankingContext,
  RankingTime,
  RankMatches,
} from '../query/match-ranking.js'
import type { Share, Shares } from './shares.js'

/** How matches are ranked, and the time limit of each. */
export interface MatchParts {
  readonly rank: RankMatches
  /** From the request's arrival to the answer, waiting included. */
  readonly budgetMs: number
  /** Clock in ms that never goes back: `performance.now()`. */
  readonly ticks: () => number
  /** Called for each match that is refused because its time is used up. */
  readonly onMiss?: () => void
  /** Slots for rankings, shared among credentials. */
  readonly shares: Shares
}

/** Work that ends within a budget, or rejects with ApiError `budget_exceeded`. */
type TimedWork<Result> = (time: RankingTime) => Result | Promise<Result>

/** The time limit of one request for its match, or its batch of matches. */
export class MatchBudget {
  readonly #deadlineTicks: number

  /**
   * To be constructed when the request arrives.
   * @param shares slots for this kind of work; those for rankings if absent
   */
  constructor(
    private readonly parts: MatchParts,
    private readonly credentialId: string,
    private readonly shares = parts.shares,
  ) {
    this.#deadlineTicks = parts.ticks() + parts.budgetMs
  }

  /** Runs {@link RankMatches} as {@link run} does. */
  rank(
    context: RankingContext,
    request: MatchRequest,
    signal: AbortSignal,
  ): Ranking | Promise<Ranking> {
    return this.run((time) => this.parts.rank(context, request, time), signal)
  }

  /**
   * Runs work in a slot of the credential and rejects once the budget is used up, however late the
   * work itself ends.
   * @throws ApiError `budget_exceeded`, also when too many wait for a slot
   */
  run<Result>(work: TimedWork<Result>, signal: AbortSignal): Result | Promise<Result> {
    const share = this.#share()
    const begin = (): Result | Promise<Result> => {
      const { credentialId } = this
      return work({ deadlineTicks: this.#deadlineTicks, signal, credentialId })
    }
    if (share.begun === undefined) return this.#runIn(share, begin)
    const result = unlessAborted(share.begun.then(begin), signal)
    return this.#releasing(share, this.within(result))
  }

  #share(): Share {
    const share = this.shares.take(this.credentialId)
    if (share !== undefined) return share
    const advice = 'nothing is returned; try again in a moment'
    const error = new ApiError('budget_exceeded', `Too many matches are waiting; ${advice}.`)
    this.#note(error)
    throw error
  }

  #runIn<Result>(share: Share, begin: () => Result | Promise<Result>): Result | Promise<Result> {
    let result: Result | Promise<Result>
    try {
      result = begin()
    } catch (error) {
      share.release()
      this.#note(error)
      throw error
    }
    if (result instanceof Promise) return this.#releasing(share, this.within(result))
    share.release()
    return result
  }

  /** Releases the slot when the work has settled, or its time is over. */
  async #releasing<Result>(share: Share, result: Promise<Result>): Promise<Result> {
    try {
      return await result
    } finally {
      share.release()
    }
  }

  /**
   * The value of `awaited`, or ApiError `budget_exceeded` once the budget is used up: of matches
   * that arrived together, one is refused per tick of the event loop, so that other requests are
   * answered in between.
   */
  async within<Result>(awaited: Promise<Result>): Promise<Result> {
    const { queue } = this.shares
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_, reject) => {
      const leftMs = Math.max(0, this.#deadlineTicks - this.parts.ticks())
      timer = setTimeout(() => {
        void queue.waitTurn(this.credentialId).then(() => reject(budgetExceeded()))
      }, leftMs)
    })
    try {
      return await Promise.race([awaited, over])
    } catch (error) {
      this.#note(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #note(error: unknown): void {
    if (error instanceof ApiError && error.code === 'budget_exceeded') this.parts.onMiss?.()
  }
}

/**
 * Rejects with the signal's reason, so that a disconnected client holds no place in the queue. A
 * signal may outlive many matches, so it is left without a listener.
 */
async function unlessAborted<Result>(
  awaited: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let end = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason)
  })
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([awaited, aborted])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
