import { METRICS_SLOT_MS, METRICS_SLOTS, METRICS_WINDOW_MS } from './metrics-limits.js'

/**
 * A time as the number of its bucket: exponent and the first three bits of the mantissa of its
 * double, so that buckets are an eighth of their octave wide. The first ends at 2^-9 ms (2 us), the
 * last begins at 2^20 ms (17 min).
 */
const BUCKETS = 232
const EXPONENT_SHIFT = 17
const FIRST = (1023 - 9) << 3

const DOUBLE = new Float64Array(1)
/** Sign, exponent and the upper mantissa are the second word: little-endian, as every platform. */
const WORDS = new Uint32Array(DOUBLE.buffer)

/** The bucket of a time. @param ms from 0 */
export function bucketOf(ms: number): number {
  DOUBLE[0] = ms
  const bucket = (WORDS[1]! >>> EXPONENT_SHIFT) - FIRST // WORDS has two entries
  return bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1
}

/** Where a bucket ends, in ms: no time in it is longer, but for the last. */
export function bucketEndMs(bucket: number): number {
  WORDS[0] = 0
  WORDS[1] = (bucket + FIRST + 1) << EXPONENT_SHIFT
  return DOUBLE[0] ?? 0
}

/** How the requests of a while went. */
export interface RequestSummary {
  readonly count: number
  /** Of them, those answered with 400 to 499. */
  readonly refusedCount: number
  /** Of them, those answered with 500 and more. */
  readonly failedCount: number
  readonly perSecond: number
  /** Times to the reply, in ms, an eighth too long at most; undefined when nobody has asked. */
  readonly percentiles: Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>> | undefined
}

/**
 * Counts requests and how long they took, in slots of some seconds. A request costs it a few array
 * writes: everything is added up when somebody looks.
 */
export class RequestMetrics {
  /** By slot, then bucket. */
  readonly #times = new Uint32Array(METRICS_SLOTS * BUCKETS)
  /** By slot. */
  readonly #refused = new Uint32Array(METRICS_SLOTS)
  readonly #failed = new Uint32Array(METRICS_SLOTS)
  readonly #beganMs: number
  /** Slots since the clock began; the newest that was begun. */
  #newest: number
  /** When the newest slot ends. */
  #endMs: number
  /** The newest slot's place in the arrays. */
  #place: number

  /** @param ticks ms of a clock that is never set back */
  constructor(private readonly ticks: () => number) {
    this.#beganMs = ticks()
    this.#newest = Math.floor(this.#beganMs / METRICS_SLOT_MS)
    this.#place = this.#newest % METRICS_SLOTS
    this.#endMs = (this.#newest + 1) * METRICS_SLOT_MS
  }

  /** Counts a request. @param atMs of the same clock, when it was answered */
  take(status: number, tookMs: number, atMs: number): void {
    if (atMs >= this.#endMs) this.#roll(atMs)
    const place = this.#place
    this.#times[place * BUCKETS + bucketOf(tookMs)]! += 1 // both factors are in range
    if (status < 400) return
    if (status < 500) this.#refused[place]! += 1
    else this.#failed[place]! += 1
  }

  /** The requests of the last minute. */
  summary(): RequestSummary {
    const nowMs = this.ticks()
    this.#roll(nowMs)
    const times = new Uint32Array(BUCKETS)
    let refusedCount = 0
    let failedCount = 0
    for (const place of this.#placesOf(METRICS_WINDOW_MS / METRICS_SLOT_MS)) {
      for (let i = 0; i < BUCKETS; i++) times[i]! += this.#times[place * BUCKETS + i]!
      refusedCount += this.#refused[place] ?? 0
      failedCount += this.#failed[place] ?? 0
    }
    const count = times.reduce((sum, some) => sum + some, 0)
    // The newest slot has only begun, and so has a service that was just started.
    const windowBeganMs = this.#endMs - METRICS_WINDOW_MS
    const seconds = Math.max(1, (nowMs - Math.max(windowBeganMs, this.#beganMs)) / 1_000)
    const percentiles = count === 0 ? undefined : percentilesOf(times, count)
    return { count, refusedCount, failedCount, perSecond: count / seconds, percentiles }
  }

  /** Requests a second in each slot, the oldest first; the last slot is the last complete one. */
  rates(): number[] {
    this.#roll(this.ticks())
    return this.#placesOf(METRICS_SLOTS)
      .slice(0, -1)
      .map((place) => {
        const times = this.#times.subarray(place * BUCKETS, (place + 1) * BUCKETS)
        return times.reduce((sum, some) => sum + some, 0) / (METRICS_SLOT_MS / 1_000)
      })
  }

  /** Places of the newest slots, the oldest of them first. */
  #placesOf(count: number): number[] {
    return Array.from({ length: count }, (_, i) => {
      const slot = this.#newest - (count - 1) + i
      return ((slot % METRICS_SLOTS) + METRICS_SLOTS) % METRICS_SLOTS
    })
  }

  /** Begins the slot of a moment; those between it and the last have had no requests. */
  #roll(atMs: number): void {
    const slot = Math.floor(atMs / METRICS_SLOT_MS)
    const steps = Math.min(slot - this.#newest, METRICS_SLOTS)
    for (let i = 0; i < steps; i++) {
      const place = (slot - i) % METRICS_SLOTS
      this.#times.fill(0, place * BUCKETS, (place + 1) * BUCKETS)
      this.#refused[place] = 0
      this.#failed[place] = 0
    }
    if (steps <= 0) return
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
