import { test } from 'tap'
import { measureStarts, reportStarts, startTargets } from '../../bench/start.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the start bench compares cached snapshots with built ones', async (t) => {
  await withDirectory(async (folder) => {
    const series = await measureStarts({ ...smokeSettings(folder), rounds: 1 })
    t.strictSame(
      series.map(({ name }) => name),
      ['file', 'cache', 'changed'],
    )
    for (const { rounds } of series) {
      t.equal(rounds.length, 1)
      for (const { listeningMs, listMs } of rounds) t.ok(listMs > listeningMs && listeningMs > 0)
    }
    t.equal(startTargets(series).length, 7)
    t.match(
      reportStarts(series),
      /\| from the cache to the first list \| [\d,.]+ ms \| ≤ 2,000 ms \|/,
    )
  })
})
