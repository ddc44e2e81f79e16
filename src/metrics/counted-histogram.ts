import { Histogram, type Registry } from 'prom-client'
import type { TimeHistogram } from '../time-histogram.js'

/** A histogram computed from counts that other code keeps. */
interface HistogramSource {
  readonly name: string
  readonly help: string
  /** Upper bounds in ms; each a power of two, where a {@link TimeHistogram} ends a bucket. */
  readonly boundsMs: readonly number[]
  /** The times, by the value of `label`; `''` alone when there is no label. */
  readonly times: () => Iterable<readonly [value: string, times: TimeHistogram]>
  readonly label?: string
}

/** One line of the text format. */
interface Value {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly sharedLabels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * A histogram of prom-client whose values are read on each scrape: `observe` delays a request too
 * long, and takes one value at a time.
 */
export class CountedHistogram extends Histogram {
  constructor(
    private readonly source: HistogramSource,
    registry: Registry,
  ) {
    const { name, help, label, boundsMs } = source
    const labelNames = label === undefined ? [] : [label]
    super({ name, help, labelNames, buckets: secondsOf(boundsMs), registers: [registry] })
  }

  /** Called by a registry, in place of `get`, when it writes the text format. */
  async getForPromString() {
    const { name, help, label, boundsMs } = this.source
    const values: Value[] = []
    for (const [value, times] of this.source.times()) {
      const sharedLabels = label === undefined ? {} : { [label]: value }
      const add = (suffix: string, labels: Value['labels'], count: number): void => {
        values.push({ metricName: `${name}_${suffix}`, labels, sharedLabels, value: count })
      }
      for (const ms of boundsMs) add('bucket', { le: ms / 1_000 }, times.countUpTo(ms))
      add('bucket', { le: '+Inf' }, times.count)
      add('sum', {}, times.sumMs / 1_000)
      add('count', {}, times.count)
    }
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}

function secondsOf(boundsMs: readonly number[]): number[] {
  return boundsMs.map((ms) => ms / 1_000)
}
