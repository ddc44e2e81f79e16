import { ApiError } from '../errors.js'
import { budgetExceeded } from '../query/match-rank.js'
import type { MatchQuestion, Ranking, RankingScene, RankMatches } from '../query/match-ranking.js'

/** How matches are ranked, and how long each may take. */
export interface MatchParts {
  readonly rank: RankMatches
  /** From the request's arrival to the answer, waiting included. */
  readonly budgetMs: number
  /** Milliseconds that only grow: `performance.now()`. */
  readonly ticks: () => number
  /** Called for each match that is refused because its time is used up. */
  readonly onMiss?: () => void
}

/** The time that one request has for its match. */
export class MatchBudget {
  readonly #deadlineTicks: number

  /** To be made when the request arrives. */
  constructor(private readonly parts: MatchParts) {
    this.#deadlineTicks = parts.ticks() + parts.budgetMs
  }

  /** As {@link RankMatches} within the budget, be the ranking itself as late as it will. */
  rank(
    scene: RankingScene,
    question: MatchQuestion,
    signal: AbortSignal,
  ): Ranking | Promise<Ranking> {
    const time = { deadlineTicks: this.#deadlineTicks, signal }
    let ranking: Ranking | Promise<Ranking>
    try {
      ranking = this.parts.rank(scene, question, time)
    } catch (error) {
      this.#note(error)
      throw error
    }
    return ranking instanceof Promise ? this.within(ranking) : ranking
  }

  /** What is waited for, or ApiError `budget_exceeded` as soon as the budget is used up. */
  async within<Result>(awaited: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_, reject) => {
      const leftMs = Math.max(0, this.#deadlineTicks - this.parts.ticks())
      timer = setTimeout(() => reject(budgetExceeded()), leftMs)
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
