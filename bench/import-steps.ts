import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StatementFormat } from '../src/statements/detect.js'
import { FORMATS } from '../src/statements/formats.js'
import { IdentityCounter } from '../src/statements/import/identity.js'
import { rowOfTransaction } from '../src/statements/import/statement-row.js'
import { importText } from '../src/statements/readers.js'
import type { StatementEvent } from '../src/statements/statement.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'

/** Time of each step of an import, in seconds; their sum is that of the import. */
export interface ImportSteps {
  /** Reading and decoding the file. */
  readonly read: number
  readonly parse: number
  /** Rows and their identities. */
  readonly identity: number
  /** Accounts, balances and the writes to SQLite. */
  readonly write: number
}

/** Measured passes of each step. */
const PASSES = 3

/**
 * Measures an import in this process, once with all its steps and once with each number of the
 * first ones. A first pass of each warms the compiler up and does not count.
 */
export async function measureSteps(
  format: Exclude<StatementFormat, 'ndjson'>,
  path: string,
  scratch: string,
): Promise<ImportSteps> {
  const decoded = (): AsyncIterable<string> => FORMATS.decode(createReadStream(path), format)
  const events = (): AsyncIterable<readonly StatementEvent[]> => {
    const reader = FORMATS.readers[format]
    if (reader === undefined) throw new Error(`${format} has no reader`)
    return reader(decoded(), {})
  }
  const imports = async (): Promise<void> => {
    const workspacePath = join(scratch, 'steps.db')
    const file = WorkspaceFile.open(workspacePath)
    await importText(FORMATS, format, file, decoded(), { now: 0, lenient: false })
    file.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${workspacePath}${end}`, { force: true })
  }
  const [read = 0, parsed = 0, identified = 0, imported = 0] = await secondsOf([
    () => drained(decoded()),
    () => drained(events()),
    () => identify(events()),
    imports,
  ])
  return {
    read,
    parse: parsed - read,
    identity: identified - parsed,
    write: imported - identified,
  }
}

/** The time of the fastest pass of each; they take turns, so that a disturbance meets them all. */
async function secondsOf(runs: readonly (() => Promise<void>)[]): Promise<number[]> {
  for (const run of runs) await run()
  const leastMs = runs.map(() => Number.POSITIVE_INFINITY)
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [i, run] of runs.entries()) {
      const startedMs = performance.now()
      await run()
      leastMs[i] = Math.min(leastMs[i] ?? 0, performance.now() - startedMs)
    }
  }
  return leastMs.map((each) => each / 1_000)
}

async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true);
}

async function identify(batches: AsyncIterable<readonly StatementEvent[]>): Promise<void> {
  const identities = new IdentityCounter()
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.kind !== 'transaction') continue
      const row = rowOfTransaction(event.transaction, 1, 0)
      identities.next(1, row, event.transaction.bankReference)
    }
  }
}
