import { test } from 'tap'
import { measureChanges } from '../../bench/changes.js'
import { changesTargets, reportChanges } from '../../bench/changes-report.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the changes bench copies all rows, and tells all callers', async (t) => {
  await withDirectory(async (folder) => {
    const options = { callerCount: 20, roundCount: 2, readSeconds: 1 }
    const figures = await measureChanges(smokeSettings(folder), options)
    t.equal(figures.rowCount, SMOKE_ROWS)
    t.ok(figures.copy.pageCount >= SMOKE_ROWS / 250)
    t.ok(figures.told.max > 0)
    t.ok(figures.quiet.requestCount > 0)
    t.ok(figures.waiting.requestCount > 0)
    t.equal(changesTargets(figures).length, 4)
    t.match(reportChanges(figures), /\| 20 \| [\d.,]+ \/ [\d.,]+ \/ [\d.,]+ \|/)
  })
})
