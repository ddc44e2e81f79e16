import { test } from 'tap'
import { measureLive } from '../../bench/live.js'
import { liveTargets, reportLive } from '../../bench/live-report.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the live bench sees every change', async (t) => {
  await withDirectory(async (folder) => {
    const options = {
      singleCount: 3,
      insertCount: SMOKE_ROWS / 10,
      readSeconds: 0.5,
      settleSeconds: 0.5,
    }
    const figures = await measureLive(smokeSettings(folder), options)
    t.equal(figures.rowCount, SMOKE_ROWS)
    t.strictSame(
      figures.large.map(({ name }) => name),
      [
        'rename the account with the most rows',
        'rename the category with the most rows',
        'insert 200 rows',
        'delete half of the rows',
      ],
    )
    t.ok(figures.changesPerSecond > 0)
    t.ok(figures.quiet.requestCount > 0)
    t.ok(figures.written.requestCount > 0)
    t.equal(liveTargets(figures).length, 7)
    t.match(reportLive(figures), /\| single change shown, p50 \| [\d.]+ ms \| ≤ 300 ms \|/)
  })
})
