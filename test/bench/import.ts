import { test } from 'tap'
import { importTargets, measureImports, reportImports } from '../../bench/import.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the import bench imports every row', async (t) => {
  await withDirectory(async (folder) => {
    const options = { camtBytes: [20_000, 60_000] } as const
    const figures = await measureImports(smokeSettings(folder), options)
    t.strictSame(
      figures.map(({ name }) => name),
      ['ndjson', 'camt053, 0.02 MB', 'camt053, 0.06 MB'],
    )
    t.equal(figures[0]?.rowCount, SMOKE_ROWS)
    t.ok((figures[2]?.rowCount ?? 0) > 50)
    t.equal(importTargets(figures).length, 3)
    const report = reportImports(figures)
    t.match(report, /\| import of the NDJSON export \| [\d.]+ s \| ≤ 40 s \|/)
    const shares = /^\| camt053, 0.02 MB(?: \| [\d.]+)(?: \| -?[\d.]+ %){5} \|$/m
    t.match(report, shares, 'the time of each step')
  })
})
