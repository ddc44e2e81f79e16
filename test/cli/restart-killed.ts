// `kontor serve` and `kontor import`, killed over and over in the middle of what they are doing:
// the next start serves exactly what the file holds.
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'tap'
import type { KontorProcess } from '../fixtures/child-process.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { ServedDirectory, type Serving, withMore } from '../fixtures/served-directory.js'

const KILLS = 100

/** Rows besides the sample's: enough for a freeze or a merge to take some milliseconds. */
const MORE_ROWS = 700

/** Where in `span` the nth kill falls: everywhere, in no order. */
function momentOf(kill: number, span: number): number {
  return (kill * 0.618_033_988_75 * span) % span
}

async function killAll(...processes: readonly KontorProcess[]): Promise<void> {
  for (const { child } of processes) child.kill('SIGKILL')
  await Promise.all(processes.map(({ ended }) => ended))
}

/** An import that has started and waits for its rows. */
function importInto(served: ServedDirectory): KontorProcess {
  return served.command('import', '--workspace', 'w', '--format', 'ndjson', '--json', '-')
}

/** Rows that are new or change others, always of the same ids. */
function rowsOf(kill: number): string {
  const rows = Array.from({ length: 40 }, (_, i) => {
    const id = 5_000 + ((kill * 13 + i) % 400)
    return `{"id":${id},"accountId":1,"amount":${kill}.5,"currency":"EUR","purpose":"K ${kill}"}\n`
  })
  return rows.join('')
}

/** Sends rows until all are sent or the import is over. */
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

test('killed while freezing and importing, a hundred times', async (t) => {
  const served = await ServedDirectory.make(t, withMore(SAMPLE, MORE_ROWS))
  const trigger = triggerOf(served)
  const seen = { parts: 0, cached: 0, imported: 0, broken: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    const importing = importInto(served)
    const serving = await served.start()
    await served.assertServed(serving)
    if (serving.kontor.output.stderr.includes('from the cache')) seen.cached += 1
    const before = served.parts()
    // The server reads the file anew, and freezes it.
    served.write((connection) => {
      connection.exec(`DROP TRIGGER transactions_updated;
        UPDATE transactions SET amount_unscaled = ${kill}; ${trigger}`)
    })
    const isFreezing = (): boolean =>
      served.parts().some((name) => !before.includes(name)) ||
      serving.kontor.output.stderr.includes(' frozen: ')
    // Half of the imports go on while the snapshot is read, the others while it is frozen.
    const feeding = kill % 2 === 0 ? feed(importing, kill) : undefined
    await served.until(isFreezing)
    const fed = feeding ?? feed(importing, kill)
    await pause(momentOf(kill, kill % 2 === 0 ? 6 : 40))
    const isImported = importing.output.stdout.includes('added')
    await killAll(serving.kontor, importing)
    await fed
    seen.parts += served.parts().length
    if (isImported) seen.imported += 1
    else seen.broken += 1
  }
  await endAfterAll(served)
  t.comment(JSON.stringify(seen))
  t.ok(seen.parts >= KILLS / 20, 'some were killed in the middle of a freeze')
  t.ok(seen.cached >= KILLS / 20, 'some started from the cache')
  t.ok(seen.broken >= KILLS / 10, 'some imports were killed')
})

/** The trigger that tells of updates, as SQL. */
function triggerOf(served: ServedDirectory): string {
  let sql = ''
  served.write((connection) => {
    const known = "SELECT sql FROM sqlite_master WHERE name = 'transactions_updated'"
    sql = String(connection.prepare(known).pluck().get())
  })
  return sql
}

async function endAfterAll(served: ServedDirectory): Promise<void> {
  const serving = await served.start()
  await served.assertServed(serving)
  serving.kontor.child.kill('SIGTERM')
  await serving.kontor.ended
}

test('killed while compacting, a hundred times', async (t) => {
  const served = await ServedDirectory.make(t, withMore(SAMPLE, MORE_ROWS))
  const seen = { compacting: 0, compacted: 0, cached: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    const serving = await served.start()
    await served.assertServed(serving)
    const { output } = serving.kontor
    if (output.stderr.includes('from the cache')) seen.cached += 1
    // Now and then from the file, which takes other ways.
    if (kill % 10 === 9) rmSync(served.cachePath, { force: true })
    served.write((connection) => {
      connection.exec(`UPDATE accounts SET name = 'Konto ${kill}' WHERE id = 1;
        DELETE FROM transactions WHERE id = ${302 + kill}`)
    })
    // From then on all rows are being merged with their new name.
    await served.until(() => isRenamed(served, serving, `Konto ${kill}`))
    await pause(momentOf(kill, 60))
    const isCompacted = output.stderr.includes('w compacted')
    await killAll(serving.kontor)
    seen[isCompacted ? 'compacted' : 'compacting'] += 1
  }
  await endAfterAll(served)
  t.comment(JSON.stringify(seen))
  t.ok(seen.compacting >= KILLS / 10, 'many were killed in the middle of a compaction')
})

async function isRenamed(served: ServedDirectory, on: Serving, name: string): Promise<boolean> {
  const reply = await served.ask(on, '/accounts')
  return (await reply.text()).includes(`"${name}"`)
}
