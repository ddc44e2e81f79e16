import { test } from 'tap'
import { measureMatches } from '../../bench/match.js'
import { matchTargets, reportMatches } from '../../bench/match-report.js'
import { WORST_QUERIES } from '../../bench/match-worst.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

/** Enough for one round of questions of each report seed, each text in a row of its own. */
const ROWS = 3_000

const OPTIONS = {
  ...{ checkedCount: 2, unboundedCount: 3, randomCount: 20 },
  ...{ peerCount: 3, peerMsMax: 100, callerCount: 3, peers: ['uFuzzy', 'fuzzball WRatio'] },
}

test('a smoke run of the match bench finds all answers equal, and measures all', async (t) => {
  await withDirectory(async (folder) => {
    const settings = { ...smokeSettings(folder), rowCount: ROWS, rounds: 1 }
    const figures = await measureMatches(settings, OPTIONS)
    const [kontor] = figures.kontor
    t.equal(figures.kontor.length, 1, 'the workspace fits in the window')
    t.match(kontor, { rowCount: ROWS, windowRows: ROWS })
    t.equal(kontor?.equalAnswers, 2 * 4 * 3, 'questions, thresholds, numbers of threads')
    for (const times of Object.values(kontor?.durationsMs ?? {})) {
      t.equal(times.length, figures.groups.length)
    }
    t.equal(kontor?.worst.length, WORST_QUERIES.length + 8)
    for (const { name, asked, durationsMs } of figures.peers) {
      t.ok(asked.length > 0 && asked.length === durationsMs.length, `${name} is timed`)
    }
    const { answers } = figures.load.callers
    t.ok((answers['200'] ?? 0) > 0)
    t.same(
      Object.keys(answers).filter((status) => status !== '200' && status !== '503'),
      [],
    )
    t.equal(matchTargets(figures).length, 6 + OPTIONS.peers.length + 2)
    const report = reportMatches(figures)
    t.match(report, /\| match index of 3,000 rows, per transaction \| [\d.]+ B \| ≤ 450 B \|/)
    t.notMatch(report, /undefined|NaN|Infinity/)
  })
})
