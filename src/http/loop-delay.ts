import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { METRICS_SLOT_MS, METRICS_WINDOW_MS } from './request-metrics.js'

/** Sampling interval of the event loop's delay: the least delay that a caller would notice. */
const LOOP_DELAY_RESOLUTION_MS = 10

/** Delays of the event loop in ms: time that every pending task has lost. */
export interface LoopDelaySummary {
  readonly p99Ms: number
  readonly maxMs: number
}

interface Slot extends LoopDelaySummary {
  readonly atMs: number
}

const NS_PER_MS = 1e6

/** Measures the delay of the event loop natively, and keeps the last minute. */
export class LoopDelay {
  readonly #histogram: IntervalHistogram
  readonly #timer: NodeJS.Timeout
  #slots: Slot[] = []

  /** @param ticks ms of a clock that is never set back */
  constructor(private readonly ticks: () => number) {
    this.#histogram = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS })
    this.#histogram.enable()
    this.#timer = setInterval(() => this.#keep(), METRICS_SLOT_MS)
    this.#timer.unref()
  }

  /** The maxima of the last minute; undefined = nothing was measured yet. */
  summary(): LoopDelaySummary | undefined {
    const sinceMs = this.ticks() - METRICS_WINDOW_MS
    const recent = this.#slots.filter(({ atMs }) => atMs >= sinceMs)
    const slots = [...recent, ...this.#current()]
    if (slots.length === 0) return undefined
    return {
      p99Ms: Math.max(...slots.map(({ p99Ms }) => p99Ms)),
      maxMs: Math.max(...slots.map(({ maxMs }) => maxMs)),
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #keep(): void {
    const sinceMs = this.ticks() - METRICS_WINDOW_MS
    this.#slots = [...this.#slots.filter(({ atMs }) => atMs >= sinceMs), ...this.#current()]
    this.#histogram.reset()
  }

  /** The histogram has the times between samples; delay is the excess over the resolution. */
  #current(): Slot[] {
    if (this.#histogram.count === 0) return []
    const late = (ns: number): number => Math.max(0, ns / NS_PER_MS - LOOP_DELAY_RESOLUTION_MS)
    const { max } = this.#histogram
    const atMs = this.ticks()
    return [{ atMs, p99Ms: late(this.#histogram.percentile(99)), maxMs: late(max) }]
  }
}
