// `kontor serve`, killed repeatedly while it merges segments: the next start serves exactly the
// rows that the file holds.
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import {
  Aim,
  countOf,
  killAll,
  killInTwoSeries,
  ServedDirectory,
  type Serving,
  withMore,
} from '../fixtures/served-directory.js'

const KILL_COUNT = 10

test('killed during a compaction, over and over', async (t) => {
  const seen = { compacting: 0, compacted: 0, cached: 0 }
  const aim = new Aim(60)
  await killInTwoSeries(t, KILL_COUNT, async (inner, kills) => {
    const served = await ServedDirectory.make(inner, withMore(SAMPLE, 1_500))
    for (const kill of kills) {
      const serving = await served.start()
      await served.assertServed(serving)
      if (countOf(serving, ' source=cache') > 0) seen.cached += 1
      const before = countOf(serving, 'workspace compacted workspaceId=w ')
      // From time to time without the cache, which takes other code paths.
      if (kill % 10 === 9) rmSync(served.cachePath, { force: true })
      served.write((connection) => {
        connection.exec(`UPDATE accounts SET name = 'Konto ${kill}' WHERE id = 1;
          DELETE FROM transactions WHERE id = ${302 + kill}`)
      })
      // From then on all rows are merged with their new name.
      await served.until(() => isRenamed(served, serving, `Konto ${kill}`))
      await pause(aim.momentMs())
      await killAll(serving.kontor)
      const isCompacted = countOf(serving, 'workspace compacted workspaceId=w ') > before
      seen[isCompacted ? 'compacted' : 'compacting'] += 1
      aim.learn(isCompacted ? 'late' : 'middle')
    }
    await served.startedOnce()
  })
  t.comment(JSON.stringify(seen))
  // The number depends on the load of the machine.
  t.ok(seen.compacting > 0, 'some kills hit a compaction')
})

async function isRenamed(served: ServedDirectory, on: Serving, name: string): Promise<boolean> {
  const reply = await served.ask(on, '/accounts')
  return (await reply.text()).includes(`"${name}"`)
}
