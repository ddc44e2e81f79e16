import { test } from 'tap'
import { measureReads } from '../../bench/reads.js'
import { readsTargets, reportReads } from '../../bench/reads-report.js'
import { SHAPES } from '../../bench/shapes.js'
import { littleLoad, SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the reads bench finds all answers equal, and measures', async (t) => {
  await withDirectory(async (folder) => {
    const figures = await measureReads(
      { ...smokeSettings(folder), rounds: 1 },
      {
        load: littleLoad,
        checkedCount: 45,
        query: { combinationCount: 60, checkedCount: 60 },
      },
    )
    t.equal(figures.rowCount, SMOKE_ROWS)
    const workloads = figures.contests.map(({ workload }) => workload)
    t.strictSame(workloads, ['page', 'filtered', 'single'])
    for (const { equalAnswers, contenders } of figures.contests) {
      t.equal(equalAnswers, 45)
      t.strictSame(
        contenders.map(({ name, rounds }) => [name, rounds.length]),
        [
          ['kontor', 1],
          ['floor', 1],
          ['twin', 1],
        ],
      )
    }
    t.strictSame(
      figures.shapes.map(({ name }) => name),
      SHAPES.map(({ name }) => name),
    )
    t.equal(figures.queries.equalAnswers, 60)
    t.equal(figures.queries.offsets.length, 4)
    t.ok(figures.snapshot.rendered > SMOKE_ROWS * 100)
    t.ok(figures.whileLoading.requestCount > 0)
    t.equal(readsTargets(figures).length, 14)
    const report = reportReads(figures)
    t.match(report, /\| any filter and order, cold, p99 \| [\d.]+ ms \| ≤ 3 ms \| (PASS|MISS) \|/)
    t.match(report, /\| event loop turn \(1 ms timer\) \| [\d.]+ \|/)
    t.notMatch(report, /undefined|NaN/)
  })
})

test('no two shapes are the same', async (t) => {
  const names = SHAPES.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
})
