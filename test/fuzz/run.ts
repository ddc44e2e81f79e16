// A short run of `npm run fuzz` over both engines: it reaches every part of the service, and
// nothing ends, fails or goes unanswered. Waiting times are not checked here.
import { test } from 'tap'
import { fuzzReport } from '../../fuzz/report.js'
import { runFuzz } from '../../fuzz/run.js'
import { startTarget } from '../../fuzz/target.js'
import { rigs } from '../fixtures/http-rig.js'

for (const { name } of rigs) {
  test(`${name}: hostile requests break nothing`, async (t) => {
    const target = await startTarget(name)
    let isStopped = false
    t.teardown(async () => {
      if (!isStopped) await target.stop()
    })
    const options = { seed: 7, requestCountMax: 1_500, msMax: 120_000, progress: () => undefined }
    const figures = await runFuzz(target, options)
    t.same(figures.failures, [])
    t.same(figures.honest.failures, [])
    t.ok(figures.honest.waitedMs.length > 10, 'an honest client was answered during the run')
    const kinds = ['fields', 'framing', 'forms', 'mcp', 'oauth', 'parameters', 'batches'] as const
    for (const kind of kinds) {
      t.ok((figures.acceptedByKind.get(kind) ?? 0) > 0, `${kind}: some were accepted`)
    }
    t.match(fuzzReport(new Map([[name, figures]])), `| ${name} |`)
    isStopped = true
    t.equal(await target.stop(), '0', 'and SIGTERM ends it in order')
  })
}
