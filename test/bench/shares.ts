import { test } from 'tap'
import { measureShares, reportShares } from '../../bench/shares.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the shares bench measures alone and with a hostile key', async (t) => {
  await withDirectory(async (folder) => {
    const options = { engines: ['node'], honestCount: 2, connectionCount: 20 } as const
    const figures = await measureShares({ ...smokeSettings(folder), rounds: 1 }, options)
    t.equal(figures.length, 1)
    for (const { alone, contended, hostileAnswers } of figures) {
      for (const { requestMs } of [...alone, ...contended]) {
        for (const { p50, p99 } of Object.values(requestMs)) t.ok(p50 > 0 && p99 >= p50)
      }
      t.ok((hostileAnswers['200'] ?? 0) > 0)
    }
    const report = reportShares(figures)
    t.match(report, /\| p99 of a match with .*, node \| [\d.,]+ × \| ≤ 2 × \| (PASS|MISS) \|/)
    t.match(report, /\| node \| list \| the hostile key \| [\d.]+ \| [\d.]+ \| \d+ \|/)
  })
})
