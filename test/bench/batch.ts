import { test } from 'tap'
import { BATCH_KINDS, measureBatches } from '../../bench/batch.js'
import { reportBatches } from '../../bench/batch-report.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the batch bench finds entries equal, and measures both kinds', async (t) => {
  await withDirectory(async (folder) => {
    const settings = { ...smokeSettings(folder), rowCount: 3_000 }
    const figures = await measureBatches(settings, { queryCount: 40, batchCount: 2 })
    t.match(figures, { rowCount: 3_000, queryCount: 40, equalCount: 40 })
    t.ok(figures.hitCount > 10, `${figures.hitCount} results`)
    t.same(
      figures.kinds.map(({ kind }) => kind),
      BATCH_KINDS,
    )
    for (const { batchMs, refusedCount } of figures.kinds) t.ok(batchMs.p50 > 0 || refusedCount > 0)
    t.ok(figures.singlesMs.p50 > 0)
    const report = reportBatches(figures)
    t.match(
      report,
      /\| 40 references over 3,000 rows, references alone, p99 \| [\d.,-]+ ms \| ≤ 1,/,
    )
    t.notMatch(report, /undefined|NaN|Infinity/)
  })
})
