import { test } from 'tap'
import { measureMcp } from '../../bench/mcp.js'
import { mcpTargets, reportMcp } from '../../bench/mcp-report.js'
import { littleLoad, SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the mcp bench calls, reads, and finds the same rows as REST', async (t) => {
  await withDirectory(async (folder) => {
    const counts = {
      checkedCount: 30,
      callCount: 60,
      longCount: 6,
      longRoundCount: 1,
      agentCount: 2,
    }
    const settings = { ...smokeSettings(folder), rounds: 1 }
    const figures = await measureMcp(settings, { load: littleLoad, ...counts })
    t.equal(figures.rowCount, SMOKE_ROWS)
    for (const { callsPerSecond, requestCount } of figures.withAgents) {
      t.ok(callsPerSecond > 0)
      t.ok(requestCount > 0)
    }
    t.ok(figures.long.every(({ chars }) => chars.max > 10_000))
    t.equal(mcpTargets(figures).length, 3)
    t.match(reportMcp(figures), /\| p99 of reads while agents call \| [\d.]+ ms \| ≤ 5 ms \|/)
  })
})
