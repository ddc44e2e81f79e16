import { test } from 'tap'
import { HOSTILES, measureShares } from '../../bench/shares.js'
import { reportShares } from '../../bench/shares-report.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the shares bench measures alone and next to hostile callers', async (t) => {
  await withDirectory(async (folder) => {
    const counts = { honestCount: 2, connectionCount: 20, pipeliningCount: 2 }
    // Each kind of request is sent at least once.
    const settings = { ...smokeSettings(folder), rounds: 1, seconds: 1 }
    const figures = await measureShares(settings, { engines: ['node'], ...counts })
    t.equal(figures.length, 1)
    for (const { alone, contended } of figures) {
      t.same(
        contended.map(({ hostile }) => hostile),
        HOSTILES,
      )
      for (const { requestMs, anyMs } of [...alone, ...contended.flatMap(({ phases }) => phases)]) {
        for (const { p50, p99 } of [...Object.values(requestMs), anyMs]) {
          t.ok(p50 > 0 && p99 >= p50)
        }
      }
      for (const { hostile, hostileAnswers } of contended) {
        const status = hostile === 'pipelined unknown path' ? '404' : '200'
        t.ok((hostileAnswers[status] ?? 0) > 0, `${hostile} is answered`)
      }
    }
    const report = reportShares(figures)
    t.match(report, /\| p99 of a match next to match, against alone, node \| [\d.,]+ × \| ≤ 2 × \|/)
    t.match(report, /\| p99 of any request next to list, node \| [\d.,]+ ms \| ≤ 100 ms \|/)
    t.match(report, /\| node \| list \| any \| [\d.]+ \| [\d.]+ \| \d+ \|/)
  })
})
