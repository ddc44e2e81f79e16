import { test } from 'tap'
import { measurePages, type PagesFigures } from '../../bench/pages.js'
import { pagesTargets, reportPages } from '../../bench/pages-report.js'
import { verdictOf } from '../../bench/report.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the pages bench requests every page and compares it with REST', async (t) => {
  await withDirectory(async (folder) => {
    const settings = { ...smokeSettings(folder), rounds: 1 }
    const figures = await measurePages(settings, { callCount: 3, referenceCount: 20 })
    t.equal(figures.rowCount, SMOKE_ROWS)
    const names = figures.pages.map(({ name }) => name)
    t.equal(new Set(names).size, 20)
    for (const name of ['overview', 'search', 'match', 'transaction', 'audit log']) {
      t.ok(names.includes(name), name)
    }
    for (const { name, bytes, renewedShare } of figures.pages) {
      t.ok(bytes > 2_000, name)
      if (name === 'activity') t.equal(renewedShare, 1, 'live pages reload by themselves')
      else if (!name.startsWith('charts')) t.equal(renewedShare, 0, name)
    }
    const { signInBytes, overviewBytes, assetBytes } = figures.firstVisit
    t.ok(Math.min(signInBytes, overviewBytes, assetBytes) > 2_000)
    t.equal(pagesTargets(figures).length, 21)
    t.match(reportPages(figures), /\| p50 of match \| [\d.]+ ms \| ≤ 20 ms \| (PASS|MISS) \|/)
  })
})

test('a slow page and a heavy page miss their targets', (t) => {
  const laterMs = { p50: 20.5, p99: 30, max: 40 }
  const figures: PagesFigures = {
    rowCount: 1_000,
    pages: [{ name: 'overview', firstMs: 50, laterMs, bytes: 5_000, renewedShare: 0.5 }],
    firstVisit: { signInBytes: 50_000, overviewBytes: 50_000, assetBytes: 50_001 },
    residentBytes: 1e8,
  }
  t.same(pagesTargets(figures).map(verdictOf), ['MISS', 'MISS'])
  t.match(reportPages(figures), '| overview | 50 | 20.5 | 30 | 40 | 5 | 50 % |')
  t.end()
})
