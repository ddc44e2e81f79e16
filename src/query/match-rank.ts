import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../errors.js'
import { MATCH_WINDOW_ROWS_MAX } from '../limits.js'
import { explainMatch } from '../match/explanation.js'
import { evidenceNames, type RenderedRows } from '../match/payment-evidence.js'
import {
  type HitPlace,
  readHitKey,
  type ScanPart,
  type ScanTask,
  scanBlocks,
  scanCells,
  scanProgress,
  stopScan,
} from '../match/scan.js'
import { bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { matchFieldsOf } from '../snapshot/match-fields.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { Listing } from './listing.js'
import type {
  MatchRequest,
  RankedMatch,
  Ranking,
  RankingTime,
  RankMatches,
} from './match-ranking.js'
import { listingOfPositions, listingOfWindow, matchWindow, windowRow } from './match-window.js'
import type { MatchWindow } from './query-cache.js'

/**
 * Rows of a window that are scored on the thread that answers: a millisecond or two at worst, where
 * a call to another thread takes a tenth of one.
 */
export const MATCH_HERE_ROWS_MAX = 256

/**
 * Codes of such a window, times those of the reference, that are scored there: those of 256 usual
 * rows. 256 purposes of 10,000 equal digits would block all other requests for seconds.
 */
const MATCH_HERE_CELLS_MAX = 2_000_000

/**
 * Time that explaining the results of one match may take before other requests run: as long as a
 * list may take. An explanation of a usual row takes a hundredth of it.
 */
export const MATCH_EXPLAINING_MS_MAX = 5

/** Rows of a window that a thread scores before it takes the next: a millisecond or so. */
const MATCH_BLOCK_ROWS = 4_096

/** Options of rankings. */
export interface RankOptions {
  /** Monotonic milliseconds: those of `RankingTime.deadlineTicks`. */
  readonly ticks: () => number
  /**
   * Has other threads scan the rows, and returns the part of each; undefined when one of them has
   * not finished. Rejects with ApiError `budget_exceeded` when their queue is full.
   */
  readonly scanOnThreads: (
    task: ScanTask,
    credentialId?: string,
  ) => Promise<readonly (ScanPart | undefined)[]>
  /** Maximum of newest rows that are scanned; 100,000 by default. */
  readonly windowRowsMax?: number
  /** Maximum rows of a window that this thread scores; 256 by default. */
  readonly hereRowsMax?: number
  /** Rows that a thread takes at once; 4,096 by default. */
  readonly blockRows?: number
}

/** Ranks a small window synchronously, and a larger one on other threads. */
export function rankWith({
  ticks,
  scanOnThreads,
  windowRowsMax = MATCH_WINDOW_ROWS_MAX,
  hereRowsMax = MATCH_HERE_ROWS_MAX,
  blockRows = MATCH_BLOCK_ROWS,
}: RankOptions): RankMatches {
  return ({ snapshot, queryCache }, request, time) => {
    requireTime(time, ticks)
    const window = matchWindow(snapshot, queryCache, request, windowRowsMax)
    const { offset, limit, scoreMin, reference, expected, wantsHits = false } = request
    const task: ScanTask = {
      query: reference.text,
      rows: window.rows,
      payment: expected && { expected, rendered: window.segments.map(renderedRows) },
      // Rows without a common part with the reference need no score: all of them have score 0, and
      // their order is the window's unless a payment is expected.
      scoreMin: expected === undefined ? Math.max(scoreMin, 1) : scoreMin,
      keptMax: wantsHits ? window.rows.ordinals.length : offset + limit,
      areCounted: scoreMin > 0,
      blockRows,
      deadlineTicks: time.deadlineTicks,
      progress: scanProgress(),
    }
    const isSmall =
      window.rows.ordinals.length <= hereRowsMax &&
      scanCells(window.rows, reference) <= MATCH_HERE_CELLS_MAX
    if (!isSmall) return rankOnThreads(window, request, { task, scanOnThreads, ticks, time })
    const { places, ...counts } = pageOfParts(window, request, [scanBlocks(task, ticks)])
    return { ...counts, matches: places.map((place) => matchAt(window, request, place)) }
  }
}

interface ThreadedRank extends Pick<RankOptions, 'scanOnThreads' | 'ticks'> {
  readonly task: ScanTask
  readonly time: RankingTime
}

async function rankOnThreads(
  window: MatchWindow,
  request: MatchRequest,
  { task, scanOnThreads, ticks, time }: ThreadedRank,
): Promise<Ranking> {
  const parts = await partsOfThreads(task, scanOnThreads, time)
  const { places, ...counts } = pageOfParts(window, request, parts)
  const matches: RankedMatch[] = []
  let beganTicks = ticks()
  for (const place of places) {
    if (ticks() - beganTicks > MATCH_EXPLAINING_MS_MAX) {
      await setImmediate()
      requireTime(time, ticks)
      beganTicks = ticks()
    }
    matches.push(matchAt(window, request, place))
  }
  return { ...counts, matches }
}

async function partsOfThreads(
  task: ScanTask,
  scanOnThreads: RankOptions['scanOnThreads'],
  { signal, credentialId }: RankingTime,
): Promise<readonly (ScanPart | undefined)[]> {
  const stop = (): void => stopScan(task.progress)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const parts = await scanOnThreads(task, credentialId)
    signal.throwIfAborted()
    return parts
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** @throws ApiError `budget_exceeded`, or the signal's reason */
function requireTime({ deadlineTicks, signal }: RankingTime, ticks: () => number): void {
  signal.throwIfAborted()
  if (ticks() >= deadlineTicks) throw budgetExceeded()
}

/** The error of a match that has not ended in time. */
export function budgetExceeded(): ApiError {
  const advice = 'nothing is returned; try again with narrower filters'
  return new ApiError('budget_exceeded', `Matching exceeded its time budget; ${advice}.`)
}

/** The part of a segment that threads compare with an expected payment. */
function renderedRows({ rowBytes, rowOffsets }: Segment): RenderedRows {
  return { rowBytes, rowOffsets }
}

/** @throws ApiError `budget_exceeded` when a part is missing */
function pageOfParts(
  window: MatchWindow,
  request: MatchRequest,
  parts: readonly (ScanPart | undefined)[],
): Omit<Ranking, 'matches'> & { readonly places: readonly HitPlace[] } {
  const whole = parts.filter((part) => part !== undefined)
  if (whole.length < parts.length) throw budgetExceeded()
  const { offset, limit, scoreMin, wantsHits = false } = request
  const keys = mergedKeys(whole.map((part) => part.keys.subarray(0, offset + limit)))
  const hitCount = whole.reduce((count, part) => count + part.hitCount, 0)
  const best = Array.from(keys.subarray(offset, offset + limit), readHitKey)
  if (scoreMin > 0) {
    const hits = wantsHits ? listingOfHits(window, whole) : undefined
    return { total: hitCount, places: best, hits }
  }
  const rowCount = window.rows.ordinals.length
  const rest =
    offset + limit <= hitCount
      ? []
      : restPositions(keys, rowCount, Math.max(0, offset - hitCount), limit - best.length)
  const others = rest.map((position) => ({ position, score: 0, evidence: 0 }))
  const hits = wantsHits ? listingOfWindow(window) : undefined
  return { total: rowCount, places: [...best, ...others], hits }
}

/** @param lists each with the best first   @returns all of them, the best first */
function mergedKeys(lists: readonly Float64Array[]): Float64Array {
  const keys = new Float64Array(lists.reduce((count, list) => count + list.length, 0))
  let end = 0
  for (const list of lists) {
    keys.set(list, end)
    end += list.length
  }
  return lists.length === 1 ? keys : keys.sort().reverse()
}

/** The rows that all parts have found. */
function listingOfHits(window: MatchWindow, parts: readonly ScanPart[]): Listing {
  const words = emptyWords(window.rows.ordinals.length)
  for (const { keys } of parts) {
    for (let i = 0; i < keys.length; i++) {
      const { position } = readHitKey(keys[i]!) // i < length
      words[position >>> 5]! |= 1 << (position & 31)
    }
  }
  return listingOfPositions(window, ordinalsOf(bitSetOf(words)))
}

/** Positions of the other rows, in order. @param keys of every hit */
function restPositions(
  keys: Float64Array,
  rowCount: number,
  skip: number,
  count: number,
): number[] {
  const isHit = new Uint8Array(rowCount)
  for (const key of keys) isHit[readHitKey(key).position] = 1
  const positions: number[] = []
  let left = skip
  for (let position = 0; position < rowCount && positions.length < count; position++) {
    if (isHit[position] === 1) continue
    if (left > 0) left -= 1
    else positions.push(position)
  }
  return positions
}

function matchAt(
  window: MatchWindow,
  { reference, explain }: MatchRequest,
  { position, score, evidence }: HitPlace,
): RankedMatch {
  const { segment, ordinal } = windowRow(window, position)
  if (!explain) return { segment, ordinal, score }
  const explanation = explainMatch(reference, matchFieldsOf(segment, ordinal))
  return explanation === undefined
    ? { segment, ordinal, score }
    : { segment, ordinal, score, explanation, evidence: evidenceNames(evidence) }
}
