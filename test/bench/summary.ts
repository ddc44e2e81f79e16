import { test } from 'tap'
import { measureSummaries, reportSummaries } from '../../bench/summary.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the summary bench checks all groupings, and reads beside them', async (t) => {
  await withDirectory(async (folder) => {
    const settings = { ...smokeSettings(folder), rounds: 1 }
    const figures = await measureSummaries(settings, { requestCount: 3, callerCount: 2 })
    t.equal(figures.rowCount, SMOKE_ROWS)
    for (const { grouping, groupCount, firstMs } of figures.groupings) {
      t.ok(groupCount > 1, grouping)
      t.ok(firstMs.p50 > 0)
    }
    t.ok((figures.contended[0]?.requestCount ?? 0) > 0)
    const report = reportSummaries(figures)
    t.match(report, /\| p50 by counterpart and month \|/)
    t.match(report, /\| next to 2 callers of sums \|/)
  })
})
