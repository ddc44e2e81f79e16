import { test } from 'tap'
import { measureSearches } from '../../bench/search.js'
import { CONTENDERS } from '../../bench/search-contenders.js'
import { reportSearches, searchTargets } from '../../bench/search-report.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the search bench finds all answers equal, and measures all', async (t) => {
  await withDirectory(async (folder) => {
    const options = { queryMsMax: 5, costedCount: 40 }
    const figures = await measureSearches(smokeSettings(folder), options)
    t.equal(figures.rowCount, SMOKE_ROWS)
    t.strictSame([...figures.engines.keys()], [...CONTENDERS])
    const { compared, adversarial } = figures.classes
    for (const { name, queries } of [...compared, ...adversarial]) {
      t.ok(queries.length > 0, `${name} is searched for`)
      if (name === 'no hit') continue
      t.ok(
        queries.some(({ answers }) => answers._id.total > 0),
        `${name} has hits`,
      )
    }
    for (const [name, { timings }] of figures.engines) {
      const asked = new Set(timings.map(({ text }) => text))
      t.ok(asked.size > 0, `${name} runs`)
    }
    t.ok(figures.cold.costs.steps.length > 1)
    t.equal(searchTargets(figures).length, compared.length + 5)
    const report = reportSearches(figures)
    t.match(report, /\| term in every row, p50 \| [\d.]+ ms \| ≤ 20 ms \| (PASS|MISS) \|/)
    t.notMatch(report, /undefined|NaN|Infinity/)
  })
})
