// The programs of docs/using/keeping-a-copy.md, run as a user would: their copies have the rows of
// the service.
import { strict as assert } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Test, test } from 'tap'
import type { Transaction } from '../../src/domain/transaction.js'
import { Database, DRIVER_PACKAGE } from '../../src/store/sqlite/sqlite-driver.js'
import { writePastTriggers } from '../fixtures/changes.js'
import { accountRow, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { bodyOf, overOneEngine, type RunningService } from '../fixtures/service.js'

const EXAMPLES = resolve(import.meta.dirname, '../../../docs/using/examples')

/** A program in a folder of its own, with the package it needs. */
interface Program {
  readonly command: string
  readonly script: string
  readonly copy: string
  readonly env: NodeJS.ProcessEnv
}

async function programOf(
  t: Test,
  command: string,
  file: string,
  service: RunningService,
): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-copy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  copyFileSync(join(EXAMPLES, file), join(folder, file))
  // What `npm install better-sqlite3` does, with the build for this Node.js.
  const driver = createRequire(import.meta.url).resolve(`${DRIVER_PACKAGE}/package.json`)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(dirname(driver), join(folder, 'node_modules', 'better-sqlite3'))
  const env = {
    ...process.env,
    KONTOR_URL: `http://127.0.0.1:${service.client.port}`,
    KONTOR_WORKSPACE: 'w',
    KONTOR_KEY: (await service.newKey('w')).key,
  }
  return { command, script: join(folder, file), copy: join(folder, 'copy.db'), env }
}

/** Runs the program until its copy is complete. */
async function runOnce({ command, script, copy, env }: Program): Promise<void> {
  const child = spawn(command, [script, copy, '--once'], { env, stdio: ['ignore', 2, 2] })
  const [code] = (await once(child, 'exit')) as [number | null]
  assert.equal(code, 0, `${command} ${script} has ended well`)
}

/** The rows of a copy, ids descending. */
function rowsOf(copy: string): Transaction[] {
  const db = new Database(copy, { readonly: true })
  try {
    const texts = db.prepare('SELECT json FROM transactions ORDER BY id DESC').pluck().all()
    return texts.map((text) => JSON.parse(String(text)))
  } finally {
    db.close()
  }
}

async function servedRows(service: RunningService, key: string): Promise<Transaction[]> {
  const pages = [0, 250].map(async (offset) =>
    bodyOf(await service.ask(`/v1/w/transactions?limit=250&offset=${offset}`, { key })),
  )
  return (await Promise.all(pages)).flat() as Transaction[]
}

/** Resolves when the service has as many transactions with this purpose. */
async function shown(service: RunningService, key: string, purpose: string): Promise<void> {
  await service.until(async () =>
    (await servedRows(service, key)).some((row) => row.purpose === purpose),
  )
}

for (const [command, file] of [
  [process.execPath, 'keep-a-copy.mjs'],
  ['python3', 'keep_a_copy.py'],
] as const) {
  test(
    `${file} keeps a copy in step`,
    overOneEngine(async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const program = await programOf(t, command, file, service)
      await runOnce(program)
      t.same(rowsOf(program.copy), await servedRows(service, key))
      const writer = new Database(service.pathOf('w'))
      t.teardown(() => writer.close())
      writer.exec(`UPDATE transactions SET purpose = 'neu' WHERE id = 7;
        DELETE FROM transactions WHERE id IN (8, 302)`)
      await shown(service, key, 'neu')
      await runOnce(program)
      t.same(rowsOf(program.copy), await servedRows(service, key))
      t.equal(rowsOf(program.copy).length, 300)

      // Its cursor expires, and a row of its copy is gone.
      const sql = `UPDATE transactions SET purpose = 'ungeloggt' WHERE id = 9;
        DELETE FROM transactions WHERE id = 10`
      writePastTriggers(writer, sql)
      await shown(service, key, 'ungeloggt')
      await runOnce(program)
      t.same(rowsOf(program.copy), await servedRows(service, key))
      t.equal(rowsOf(program.copy).length, 299)
    }),
  )

  test(
    `${file} follows`,
    overOneEngine(async (t, service) => {
      const accounts = [accountRow(1)]
      await service.write('w', { accounts, categories: [], transactions: [transactionRow(1, 1)] })
      const program = await programOf(t, command, file, service)
      await runOnce(program)
      const { script, copy, env } = program
      const child = spawn(command, [script, copy], { env, stdio: ['ignore', 2, 2] })
      const ended = once(child, 'exit')
      const writer = new Database(service.pathOf('w'))
      t.teardown(() => writer.close())
      for (const purpose of ['eins', 'zwei']) {
        writer.prepare('UPDATE transactions SET purpose = ?').run(purpose)
        await service.until(() => rowsOf(copy)[0]?.purpose === purpose)
      }
      child.kill()
      await ended
      t.equal(rowsOf(copy).length, 1)
    }),
  )
}
