import { test } from 'tap'
import { measureScale, reportScale, type ScaleFigures, scaleTargets } from '../../bench/scale.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the scale bench measures each size', async (t) => {
  await withDirectory(async (folder) => {
    const options = { sizes: [1_000, 2_000, 50_000], requestCount: 3, changeCount: 2 }
    const figures = await measureScale(smokeSettings(folder), options)
    t.same(
      figures.map(({ rowCount }) => rowCount),
      [1_000, 2_000],
      'as far as --rows goes',
    )
    const report = reportScale(figures)
    t.match(report, /\| rows \| 1,000 \| 2,000 \|/)
    t.match(report, /\| match, p99 ms \| [\d.]+ \| [\d.]+ \|/)
    t.notMatch(report, /undefined|NaN|Infinity/)
    const [small, large] = figures
    const asIf = (each: ScaleFigures | undefined, rowCount: number): ScaleFigures[] =>
      each === undefined ? [] : [{ ...each, rowCount }]
    const sizes = [...asIf(small, 1_000_000), ...asIf(large, 5_000_000)]
    t.equal(scaleTargets(sizes).length, 10)
    t.equal(scaleTargets(figures).length, 0, 'without 1,000,000 rows there is nothing to compare')
  })
})
