import { test } from 'tap'
import { embeddedTargets, measureEmbedded, reportEmbedded } from '../../bench/embedded.js'
import { CALL_KINDS } from '../../bench/embedded-calls.js'
import { SMOKE_ROWS, smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the embedded bench has equal answers in process and over HTTP', async (t) => {
  await withDirectory(async (folder) => {
    const settings = { ...smokeSettings(folder), rounds: 1 }
    const figures = await measureEmbedded(settings, { checkedCount: 10, callCount: 40 })
    t.equal(figures.rowCount, SMOKE_ROWS)
    for (const programs of [figures.inProcess, figures.overHttp]) {
      t.equal(programs.length, 1)
      for (const kind of CALL_KINDS) t.ok((programs[0]?.byKind[kind].callUs.p50 ?? 0) > 0, kind)
    }
    t.equal(embeddedTargets(figures).length, CALL_KINDS.length)
    const report = reportEmbedded(figures)
    t.match(report, /\| p50 of a match, in process against over HTTP \| [\d.]+ × \| ≤ 1\.05 × \|/)
    t.match(report, /\| page of 100, over HTTP \|( [\d.,]+ \|){4}/)
    t.match(report, /\| single transaction \|( -?[\d.,]+ \|){2}/)
  })
})
