// `kontor serve` and `kontor import`, killed repeatedly while the first writes the cache of a
// snapshot and the second imports: the next start serves exactly the rows that the file holds.
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import type { KontorProcess } from '../fixtures/child-process.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import {
  Aim,
  countOf,
  killAll,
  killInTwoSeries,
  ServedDirectory,
  withMore,
} from '../fixtures/served-directory.js'

/** With fewer, a run may hit no write, or never start from a cache. */
const KILL_COUNT = 20

/** A started import that waits for its rows. */
function importInto(served: ServedDirectory): KontorProcess {
  return served.command('import', '--workspace', 'w', '--format', 'ndjson', '--json', '-')
}

/** New and changed rows, always with the same ids. */
function rowsOf(kill: number): string {
  const rows = Array.from({ length: 40 }, (_, i) => {
    const id = 5_000 + ((kill * 13 + i) % 400)
    return `{"id":${id},"accountId":1,"amount":${kill}.5,"currency":"EUR","purpose":"K ${kill}"}\n`
  })
  return rows.join('')
}

/** Sends rows until all are sent or the import has ended. */
async function feed({ child }: KontorProcess, kill: number): Promise<void> {
  child.stdin?.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error
  })
  for (let sent = 0; sent < 1 + (kill % 5) * 3; sent++) {
    child.stdin?.write(rowsOf(kill + sent))
    await pause(2)
  }
  child.stdin?.end()
}

test('killed while writing the cache and importing, over and over', async (t) => {
  const seen = { parts: 0, cached: 0, imported: 0, broken: 0 }
  const aim = new Aim(10)
  await killInTwoSeries(t, KILL_COUNT, async (inner, kills) => {
    const served = await ServedDirectory.make(inner, withMore(SAMPLE, 400))
    const trigger = triggerOf(served)
    for (const kill of kills) {
      const importing = importInto(served)
      const serving = await served.start()
      await served.assertServed(serving)
      // Half of the kills are aimed at the cache of the rows read at the start, half at the next.
      if (kill % 4 < 2) await served.cached(serving)
      if (countOf(serving, ' source=cache') > 0) seen.cached += 1
      const partsBefore = served.parts()
      const cachedBefore = countOf(serving, ' workspace cached ')
      // The server re-reads the file and writes its cache.
      served.write((connection) => {
        connection.exec(`DROP TRIGGER transactions_updated;
          UPDATE transactions SET amount_unscaled = ${kill}; ${trigger}`)
      })
      const isWriting = (): boolean =>
        served.parts().some((name) => !partsBefore.includes(name)) ||
        countOf(serving, ' workspace cached ') > cachedBefore
      // Half of the imports run while the snapshot is read, the others while it is cached.
      const feeding = kill % 2 === 0 ? feed(importing, kill) : undefined
      await served.until(isWriting)
      const fed = feeding ?? feed(importing, kill)
      await pause(aim.momentMs())
      const isImported = importing.output.stdout.includes('added')
      await killAll(serving.kontor, importing)
      await fed
      const isCached = served.parts().length === 0
      seen.parts += isCached ? 0 : 1
      aim.learn(isCached ? 'late' : 'middle')
      if (isImported) seen.imported += 1
      else seen.broken += 1
    }
    await served.startedOnce()
  })
  t.comment(JSON.stringify(seen))
  // The number depends on the load of the machine.
  t.ok(seen.parts > 0, 'some kills hit a write')
  t.ok(seen.cached > 0, 'some started from the cache')
  t.ok(seen.broken > 0, 'some imports were killed')
})

/** The trigger that logs updates, as SQL. */
function triggerOf(served: ServedDirectory): string {
  let sql = ''
  served.write((connection) => {
    const known = "SELECT sql FROM sqlite_master WHERE name = 'transactions_updated'"
    sql = String(connection.prepare(known).pluck().get())
  })
  return sql
}
