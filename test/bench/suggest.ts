import { test } from 'tap'
import { measureSuggestions, reportSuggestions, suggestTargets } from '../../bench/suggest.js'
import { respelled, SLIPS, slipped } from '../../bench/typing-slips.js'
import { randomOf } from '../../src/demo/random.js'
import { editDistance } from '../../src/text/nearest.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a slip is one edit', async (t) => {
  const random = randomOf(7)
  for (const slip of SLIPS) {
    for (let i = 0; i < 20; i++) {
      t.equal(
        editDistance('Stadtwerke Süd', slipped('Stadtwerke Süd', slip, random) ?? ''),
        1,
        slip,
      )
    }
    t.equal(slipped('4711', slip, random), undefined)
  }
  const spellings = new Set(Array.from({ length: 200 }, () => respelled('Müller', random)))
  for (const spelling of ['Mueller', 'Muller', 'Müler']) t.ok(spellings.has(spelling), spelling)
})

test('a smoke run of the suggest bench measures every class', async (t) => {
  await withDirectory(async (folder) => {
    const figures = await measureSuggestions(smokeSettings(folder), { queryCount: 5, pageCount: 5 })
    t.equal(figures.rowCount, SMOKE_ROWS)
    for (const { recall, ms } of Object.values(figures.classes)) {
      t.ok(recall > 0)
      t.ok(ms.p50 > 0)
    }
    t.equal(suggestTargets(figures).length, 8)
    const report = reportSuggestions(figures)
    t.match(report, /\| recall at 5, one slip \| [\d.]+ {2}\| ≥ 0.95 {2}\| (PASS|MISS) \|/)
    t.notMatch(report, /undefined|Infinity/)
  })
})
