import { setImmediate } from 'node:timers/promises'
import type { MatchRequest, Ranking } from './match-ranking.js'

/**
 * Rankings of a batch that are under way at a time. The rows of each are divided among all threads;
 * a few more keep the threads busy while a result is on its way.
 */
const RANKINGS_AT_ONCE_MAX = 4

/** Time on the event loop before other requests run: five hundred references take many of these. */
const SLICE_MS = 1

/** Matches that are ranked within one budget. */
export interface MatchBatch {
  readonly count: number
  /**
   * The request at a place, called once for each before any is ranked.
   * @param place 0 to count - 1   @throws ApiError 400
   */
  requestOf(place: number): MatchRequest
  /** Receives the ranking of a place, in no order. @throws ApiError 409 */
  take(place: number, ranking: Ranking): void
}

/**
 * Ranks each match of a batch as if it had been requested alone. Other requests run in between: the
 * event loop is not blocked for longer than by one match. Rejects with the first error.
 * @param ticks monotonic milliseconds
 */
export async function rankBatch(
  batch: MatchBatch,
  rank: (request: MatchRequest) => Ranking | Promise<Ranking>,
  ticks: () => number,
): Promise<void> {
  let beganTicks = ticks()
  const pause = async (): Promise<void> => {
    if (ticks() - beganTicks <= SLICE_MS) return
    await setImmediate()
    beganTicks = ticks()
  }
  const requests: MatchRequest[] = []
  for (let place = 0; place < batch.count; place++) {
    await pause()
    requests.push(batch.requestOf(place))
  }
  const entries = requests.entries()
  let isOver = false
  const rankInTurn = async (): Promise<void> => {
    for (const [place, request] of entries) {
      if (isOver) return
      batch.take(place, await rank(request))
      await pause()
    }
  }
  const lanes = Array.from({ length: RANKINGS_AT_ONCE_MAX }, rankInTurn)
  try {
    await Promise.all(lanes)
  } finally {
    isOver = true
  }
}
