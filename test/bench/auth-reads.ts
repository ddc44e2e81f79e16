import { test } from 'tap'
import { measureAuthReads, reportAuthReads } from '../../bench/auth-reads.js'

test('a smoke run of the auth-reads bench reads, refreshes and signs in', async (t) => {
  const figures = await measureAuthReads({
    ...{ rowCount: 2_000, tokenCount: 250, seconds: 1, rounds: 1, seed: 7 },
  })
  const { quiet, busy } = figures
  for (const round of [...quiet, ...busy.refresh, ...busy['sign-in']]) {
    t.ok(round.requestCount > 0)
  }
  for (const { callsPerSecond } of [...busy.refresh, ...busy['sign-in']]) {
    t.ok(callsPerSecond > 0)
  }
  const report = reportAuthReads(figures)
  t.match(
    report,
    /\| p99 of reads during refreshes, against none \| [\d.]+ × \| ≤ 2 × \| (PASS|MISS)/,
  )
  t.match(report, /\| one user signs in without a pause \| [\d.]+ \|/)
})
