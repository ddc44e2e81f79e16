import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.js'
import { MATCH_TURN_ROWS, MATCH_WINDOW_ROWS_MAX } from '../limits.js'
import { explainMatch } from '../match/explanation.js'
import { FIELD_COUNT, type MatchIndex, rowBegin } from '../match/match-index.js'
import { type MatchScore, scoreCompact } from '../match/score.js'
import { type Comparison, comparison } from '../match/unit-score.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import { matchFieldsOf } from '../snapshot/match-fields.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import { ordinalAt, type Run } from './listing.js'
import type {
  MatchQuestion,
  RankedMatch,
  Ranking,
  RankingTime,
  RankMatches,
} from './match-ranking.js'
import { matchWindow } from './match-window.js'

/** How rankings are made. */
export interface RankOptions {
  /** Milliseconds that only grow: those of `RankingTime.deadlineTicks`. */
  readonly ticks: () => number
  /** The newest rows that are looked at; 100,000 unless told otherwise. */
  readonly windowRowsMax?: number
}

/**
 * Ranks by scoring every row of the window, on this thread: a window of up to
 * {@link MATCH_TURN_ROWS} rows at once, a larger one in turns with whatever else the thread has to
 * do.
 */
export function rankByScan({
  ticks,
  windowRowsMax = MATCH_WINDOW_ROWS_MAX,
}: RankOptions): RankMatches {
  return ({ snapshot, selections }, question, time) => {
    requireTime(time, ticks)
    const window = matchWindow(snapshot, selections, question, windowRowsMax)
    const scan = new Scan(window, scoredSegments(snapshot), question)
    scan.goOn(MATCH_TURN_ROWS)
    return scan.isDone ? scan.ranking() : finished(scan, time, ticks)
  }
}

async function finished(scan: Scan, time: RankingTime, ticks: () => number): Promise<Ranking> {
  while (!scan.isDone) {
    await nextTurn()
    requireTime(time, ticks)
    scan.goOn(MATCH_TURN_ROWS)
  }
  return scan.ranking()
}

/** @throws ApiError `budget_exceeded`, or the signal's reason */
function requireTime({ deadlineTicks, signal }: RankingTime, ticks: () => number): void {
  signal.throwIfAborted()
  if (ticks() >= deadlineTicks) throw budgetExceeded()
}

/** What a caller is told whose match has not ended in time. */
export function budgetExceeded(): ApiError {
  const advice = 'nothing is returned; ask again, with narrower filters'
  return new ApiError('budget_exceeded', `Matching did not end within its time; ${advice}.`)
}

/** A row that shares something with the reference. */
interface Hit {
  readonly segment: Segment
  readonly ordinal: Ordinal
  readonly score: number
  readonly quality: number
}

/** What the rows of a segment are scored by. */
interface Scored {
  readonly index: MatchIndex
  readonly made: Comparison
}

/** Every segment has its index: a match waits for that. */
function scoredSegments({ segments }: Snapshot): Map<Segment, Scored> {
  return new Map(
    segments.map(({ segment, match: index }) => {
      assert(index !== undefined, 'what is matched has its index')
      return [segment, { index, made: comparison(index.codes, index.gaps) }]
    }),
  )
}

/** A window on its way to being scored. */
class Scan {
  /** In the window's order. */
  readonly #hits: Hit[] = []
  /** Rows of score 0, in the window's order, as far as they can be on the page. */
  readonly #rest: RankedMatch[] = []
  #scoredCount = 0
  #run = 0
  #place = 0

  readonly #found: MatchScore = { score: 0, quality: 0 }

  constructor(
    private readonly window: readonly Run[],
    private readonly scored: ReadonlyMap<Segment, Scored>,
    private readonly question: MatchQuestion,
  ) {}

  get isDone(): boolean {
    return this.#run === this.window.length
  }

  /** Scores the next rows. */
  goOn(rowCount: number): void {
    for (let left = rowCount; left > 0; left--) {
      const run = this.window[this.#run]
      if (run === undefined) return
      this.#score(run.segment, ordinalAt(run, this.#place) as Ordinal)
      this.#place += 1
      if (this.#place < run.count) continue
      this.#place = 0
      this.#run += 1
    }
  }

  /** The page, once every row is scored. */
  ranking(): Ranking {
    const { offset, limit, scoreMin } = this.question
    const end = offset + limit
    // Sorting is stable: of equals, the one that comes first in the window stays first.
    this.#hits.sort((a, b) => b.score - a.score || b.quality - a.quality)
    const page = this.#hits.slice(offset, end).map((hit) => this.#explained(hit))
    if (scoreMin > 0) return { total: this.#hits.length, matches: page }
    const restFrom = Math.max(0, offset - this.#hits.length)
    const restEnd = Math.max(0, end - this.#hits.length)
    const rest = this.#rest.slice(restFrom, restEnd)
    return { total: this.#scoredCount, matches: [...page, ...rest] }
  }

  #score(segment: Segment, ordinal: Ordinal): void {
    const { reference, scoreMin } = this.question
    const { index, made } = this.scored.get(segment)! // of the snapshot that the window is of
    const { ends } = index
    const places = ends.subarray(ordinal * FIELD_COUNT, (ordinal + 1) * FIELD_COUNT)
    scoreCompact(reference, made, rowBegin(ends, ordinal), places, this.#found)
    const { score, quality } = this.#found
    this.#scoredCount += 1
    if (score === 0) this.#rest.push({ segment, ordinal, score })
    else if (score >= scoreMin) this.#hits.push({ segment, ordinal, score, quality })
  }

  #explained({ segment, ordinal, score }: Hit): RankedMatch {
    const { reference, explain } = this.question
    if (!explain) return { segment, ordinal, score }
    const explanation = explainMatch(reference, matchFieldsOf(segment, ordinal))
    return explanation === undefined
      ? { segment, ordinal, score }
      : { segment, ordinal, score, explanation }
  }
}
