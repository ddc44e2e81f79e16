import { test } from 'tap'
import { measureAuth, reportAuth } from '../../bench/auth.js'

test('a smoke run of the auth bench identifies callers and refreshes', async (t) => {
  const counts = { tokenCount: 50, checkCount: 40, refreshCount: 20, seed: 7 }
  const figures = await measureAuth(counts)
  const { apiKey, sameToken, anyToken, unknownToken, refresh } = figures
  for (const { p50 } of [apiKey, sameToken, anyToken, unknownToken, refresh]) t.ok(p50 > 0)
  const report = reportAuth(figures)
  t.match(report, /\| access token, any of 50 live \| [\d.,]+ \| [\d.,]+ \|/)
  t.match(report, /\| refresh, p50 \| [\d.]+ µs \| ≤ 500 µs \| (PASS|MISS) \|/)
})
