// Imports into one workspace by several processes, and by one that is killed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { balance, entry, message } from '../fixtures/camt-text.js'
import { startKontor } from '../fixtures/child-process.js'
import { eventually } from '../fixtures/cluster.js'
import { connected, migratedDatabase } from '../fixtures/postgres.js'

/** A bank file with so many entries, no two alike. */
function bankFile(folder: string, count: number): string {
  const path = join(folder, `${count}.xml`)
  const entries = Array.from({ length: count }, (_, i) => entry({ amount: `${i + 1}.00` }))
  writeFileSync(path, message(balance('OPBD', '1.00') + entries.join('')))
  return path
}

const COUNT = 'SELECT count(*)::int AS count FROM kontor.transactions'

test('a file that two processes import at once is added once', async (t) => {
  const url = await migratedDatabase(t)
  const path = bankFile(t.testdir(), 2_000)
  const words = ['import', '--workspace', 'a', '--store', url, path]
  const imports = [startKontor(t, words), startKontor(t, words)]
  for (const { ended, output } of imports) t.equal(await ended, 0, output.stderr)
  const connection = await connected(t, url)
  t.same(await connection.query(COUNT), [{ count: 2_000 }])
  const accounts = 'SELECT count(*)::int AS count FROM kontor.accounts'
  t.same(await connection.query(accounts), [{ count: 1 }])
})

test('an import that is killed leaves nothing, and the next one need not wait', async (t) => {
  const url = await migratedDatabase(t)
  const path = bankFile(t.testdir(), 15_000)
  const words = ['import', '--workspace', 'a', '--store', url, path]
  const connection = await connected(t, url)
  const writers = async (): Promise<number> => {
    const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'kontor writer' AND backend_xid IS NOT NULL`
    return (await connection.query(sql)).length
  }
  const killed = startKontor(t, words)
  await eventually(async () => (await writers()) > 0)
  killed.child.kill('SIGKILL')
  t.equal(await killed.ended, 'SIGKILL')
  const tookMs = await eventually(async () => (await writers()) === 0)
  t.comment(`the lock is gone after ${tookMs.toFixed()} ms`)
  t.same(await connection.query(COUNT), [{ count: 0 }])
  const next = startKontor(t, words)
  t.equal(await next.ended, 0, next.output.stderr)
  t.same(await connection.query(COUNT), [{ count: 15_000 }])
})
