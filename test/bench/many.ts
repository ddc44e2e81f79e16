import { test } from 'tap'
import { manyTargets, measureMany, reportMany } from '../../bench/many.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the bench of many workspaces gets an answer to every request', async (t) => {
  await withDirectory(async (folder) => {
    const options = { workspaceCount: 12, residentCount: 3, rowCount: 2_000, seconds: 1 }
    const figures = await measureMany(smokeSettings(folder), options)
    t.equal(figures.workspaceCount, 12)
    t.equal(figures.errorCount, 0)
    t.ok(figures.requestCount > 0)
    t.equal(manyTargets(figures).length, 2)
    t.match(reportMany(figures), /\| answers other than 200 \| 0 +\| ≤ 0 +\| PASS \|/)
  })
})
