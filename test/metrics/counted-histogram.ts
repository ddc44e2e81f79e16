import { Registry } from 'prom-client'
import { test } from 'tap'
import { CountedHistogram } from '../../src/metrics/counted-histogram.js'
import { TimeHistogram } from '../../src/time-histogram.js'
import { parsePrometheus } from '../fixtures/prometheus-text.js'

test('a scrape shows the current counts, by label', async (t) => {
  const registry = new Registry()
  const times = { a: new TimeHistogram(), b: new TimeHistogram() }
  new CountedHistogram(
    {
      ...{ name: 'x_seconds', help: 'x.', label: 'kind', boundsMs: [1, 1_024] },
      times: () => Object.entries(times),
    },
    registry,
  )
  const values = async (): Promise<unknown> => {
    const { samples = [] } = parsePrometheus(await registry.metrics()).get('x_seconds') ?? {}
    return samples.map(({ name, labels, value }) => [name, labels['kind'], labels['le'], value])
  }
  const shown = (kind: string, counts: readonly number[], sum: number): unknown[] => [
    ['x_seconds_bucket', kind, '0.001', counts[0]],
    ['x_seconds_bucket', kind, '1.024', counts[1]],
    ['x_seconds_bucket', kind, '+Inf', counts[2]],
    ['x_seconds_sum', kind, undefined, sum],
    ['x_seconds_count', kind, undefined, counts[2]],
  ]
  t.same(await values(), [...shown('a', [0, 0, 0], 0), ...shown('b', [0, 0, 0], 0)])
  times.a.add(0.5)
  times.a.add(500, 16)
  times.b.add(4_000)
  t.same(await values(), [...shown('a', [1, 17, 17], 8.0005), ...shown('b', [0, 0, 1], 4)])
  t.same(await values(), [...shown('a', [1, 17, 17], 8.0005), ...shown('b', [0, 0, 1], 4)])
})

test('without a label there is one series', async (t) => {
  const registry = new Registry()
  const source = { name: 'x_seconds', help: 'x.', boundsMs: [1] }
  new CountedHistogram({ ...source, times: () => [['', new TimeHistogram()]] }, registry)
  const { samples = [] } = parsePrometheus(await registry.metrics()).get('x_seconds') ?? {}
  t.same(
    samples.map(({ labels }) => labels),
    [{ le: '0.001' }, { le: '+Inf' }, {}, {}],
  )
})
