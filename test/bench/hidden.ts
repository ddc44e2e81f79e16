import { test } from 'tap'
import { areaUnderCurve, measureHidden, reportHidden } from '../../bench/hidden.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('the area under the curve is 1 when every value is greater', async (t) => {
  t.equal(areaUnderCurve([3, 4], [1, 2]), 1)
  t.equal(areaUnderCurve([1, 2], [3, 4]), 0)
  t.equal(areaUnderCurve([1, 2], [1, 2]), 0.5)
  t.equal(areaUnderCurve([2], [1, 2]), 0.75)
})

test('a smoke run of the hidden bench searches for words of both kinds', async (t) => {
  await withDirectory(async (folder) => {
    const options = { wordCount: 4, searchCount: 3, matchCount: 2, matchedRows: 100 }
    const figures = await measureHidden(smokeSettings(folder), options)
    t.ok(figures.rowsPerWord > 100, `${figures.rowsPerWord} rows`)
    for (const { best, middle, mean, medianMs } of [figures.search, figures.match]) {
      for (const area of [best, middle, mean]) t.ok(area >= 0.5 && area <= 1)
      t.ok(medianMs > 0)
    }
    const report = reportHidden(figures)
    t.match(report, /\| area under the curve, searches \| [\d.]+ {2}\| ≤ 0.6 {2}\| (PASS|MISS) \|/)
    t.match(report, /\| matches \| 2 \| [\d.]+ \|/)
  })
})
