import { strict as assert } from 'node:assert'
import { bucketEndMs, bucketOf, TIME_BUCKETS } from '../time-histogram.js'
import type { CountedReply, ReplyMetrics, RequestTotals } from './request-totals.js'

/** Length of one slot of the metrics: the finest step of a chart that is watched for a minute. */
export const METRICS_SLOT_MS = 5_000

/** Slots that are kept: ten minutes, so that an operator sees a slow period after an alert. */
export const METRICS_SLOTS = 120

/** Requests of one slot from which on a service is busy: a thousand a second. */
export const METRICS_BUSY_COUNT = 5_000

/** A busy service times one request in this number: some hundred a second are enough. */
export const METRICS_BUSY_STRIDE = 16

/** Window of rates and percentiles: long enough for some requests, short enough for the present. */
export const METRICS_WINDOW_MS = 60_000

assert(METRICS_WINDOW_MS % METRICS_SLOT_MS === 0)
assert(METRICS_WINDOW_MS < METRICS_SLOT_MS * METRICS_SLOTS)

/** Counts and times of the requests of a period. */
export interface RequestSummary {
  readonly count: number
  /** Of them, those answered with 400 to 499. */
  readonly refusedCount: number
  /** Of them, those answered with 500 and more. */
  readonly failedCount: number
  readonly perSecond: number
  /**
   * Times to the reply, in ms, at most an eighth too long, of the requests that were timed;
   * undefined when none was.
   */
  readonly percentiles: Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>> | undefined
}

/** Returned by {@link RequestMetrics.begin} for a request that is counted and not timed. */
const UNTIMED = -1

/**
 * Counts requests and their durations, in slots of some seconds. Per request this is a few array
 * writes; the clock costs most, so a busy service times one request in sixteen, any other service
 * each. Sums are computed on reading.
 */
export class RequestMetrics implements ReplyMetrics {
  /** Timed requests, by slot, then bucket. */
  readonly #times = new Uint32Array(METRICS_SLOTS * TIME_BUCKETS)
  /** All requests, by slot, and of them those refused and failed. */
  readonly #counts = new Uint32Array(METRICS_SLOTS)
  readonly #refused = new Uint32Array(METRICS_SLOTS)
  readonly #failed = new Uint32Array(METRICS_SLOTS)
  /** How many requests one timed request of a slot stands for. */
  readonly #strides = new Uint8Array(METRICS_SLOTS).fill(1)
  readonly #beganMs: number
  /** Number of the newest slot, counted from the start of the clock. */
  #newest: number
  /** When the newest slot ends. */
  #endMs: number
  /** The index of the newest slot in the arrays. */
  #place: number
  #stride = 1
  /** Requests since the last timed one. */
  #untimed = 0

  /**
   * @param ticks ms of a clock that is never set back
   * @param totals counts each reply by its operation as well
   */
  constructor(
    private readonly ticks: () => number,
    private readonly totals: RequestTotals,
  ) {
    this.#beganMs = ticks()
    this.#newest = Math.floor(this.#beganMs / METRICS_SLOT_MS)
    this.#place = this.#newest % METRICS_SLOTS
    this.#endMs = (this.#newest + 1) * METRICS_SLOT_MS
  }

  /** Notes the arrival of a request. @returns the argument `begun` of {@link end} */
  begin(): number {
    this.#untimed += 1
    if (this.#untimed < this.#stride) return UNTIMED
    this.#untimed = 0
    return this.ticks()
  }

  /** Counts the reply. @param begun as returned by {@link begin} */
  end(status: number, begun: number, { operation, bodyBytes, heldMs }: CountedReply): void {
    const totals = this.totals.of(operation)
    totals.count(status, bodyBytes)
    if (begun !== UNTIMED) {
      const atMs = this.ticks()
      const tookMs = Math.max(0, atMs - begun - heldMs)
      totals.times.add(tookMs, this.#stride)
      if (atMs >= this.#endMs) this.#roll(atMs)
      this.#times[this.#place * TIME_BUCKETS + bucketOf(tookMs)]! += 1 // both are in range
    }
    const place = this.#place
    this.#counts[place]! += 1
    if (status < 400) return
    if (status < 500) this.#refused[place]! += 1
    else this.#failed[place]! += 1
  }

  /** The requests of the last minute. */
  summary(): RequestSummary {
    const nowMs = this.ticks()
    this.#roll(nowMs)
    const times = new Uint32Array(TIME_BUCKETS)
    let count = 0
    let refusedCount = 0
    let failedCount = 0
    for (const place of this.#placesOf(METRICS_WINDOW_MS / METRICS_SLOT_MS)) {
      const stride = this.#strides[place] ?? 1
      for (let i = 0; i < TIME_BUCKETS; i++)
        times[i]! += stride * this.#times[place * TIME_BUCKETS + i]!
      count += this.#counts[place] ?? 0
      refusedCount += this.#refused[place] ?? 0
      failedCount += this.#failed[place] ?? 0
    }
    const timedCount = times.reduce((sum, some) => sum + some, 0)
    // The newest slot has only begun, and so has a service that was just started.
    const windowBeganMs = this.#endMs - METRICS_WINDOW_MS
    const seconds = Math.max(1, (nowMs - Math.max(windowBeganMs, this.#beganMs)) / 1_000)
    const percentiles = timedCount === 0 ? undefined : percentilesOf(times, timedCount)
    return { count, refusedCount, failedCount, perSecond: count / seconds, percentiles }
  }

  /** Requests a second in each slot, the oldest first; the last slot is the last complete one. */
  rates(): number[] {
    this.#roll(this.ticks())
    return this.#placesOf(METRICS_SLOTS)
      .slice(0, -1)
      .map((place) => (this.#counts[place] ?? 0) / (METRICS_SLOT_MS / 1_000))
  }

  /** Indexes of the newest slots, the oldest first. */
  #placesOf(count: number): number[] {
    return Array.from({ length: count }, (_, i) => {
      const slot = this.#newest - (count - 1) + i
      return ((slot % METRICS_SLOTS) + METRICS_SLOTS) % METRICS_SLOTS
    })
  }

  /** Begins the slot of a moment; the slots skipped since the last one have had no requests. */
  #roll(atMs: number): void {
    const slot = Math.floor(atMs / METRICS_SLOT_MS)
    const steps = Math.min(slot - this.#newest, METRICS_SLOTS)
    if (steps <= 0) return
    const isBusy = steps === 1 && (this.#counts[this.#place] ?? 0) >= METRICS_BUSY_COUNT
    this.#stride = isBusy ? METRICS_BUSY_STRIDE : 1
    for (let i = 0; i < steps; i++) {
      const place = (slot - i) % METRICS_SLOTS
      this.#times.fill(0, place * TIME_BUCKETS, (place + 1) * TIME_BUCKETS)
      this.#counts[place] = 0
      this.#refused[place] = 0
      this.#failed[place] = 0
      this.#strides[place] = this.#stride
    }
    this.#newest = slot
    this.#place = slot % METRICS_SLOTS
    this.#endMs = (slot + 1) * METRICS_SLOT_MS
  }
}

function percentilesOf(times: Uint32Array, count: number) {
  const at = (share: number): number => {
    let left = Math.max(1, Math.ceil(count * share))
    const bucket = times.findIndex((some) => {
      left -= some
      return left <= 0
    })
    return bucketEndMs(bucket)
  }
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
