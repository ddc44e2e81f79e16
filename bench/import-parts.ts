import { createReadStream, rmSync } from 'node:fs'
import { cutXml } from '../src/statements/camt/camt-cut.js'
import { FORMATS } from '../src/statements/formats.js'
import { IdentityCounter } from '../src/statements/import/identity.js'
import { rowOfTransaction } from '../src/statements/import/statement-row.js'
import { importText } from '../src/statements/readers.js'
import type { StatementEvent } from '../src/statements/statement.js'
import { WorkspaceFile } from '../src/store/workspace-file.js'
import { shown, table } from './report.js'

/** A part of an import, and its share of the time. */
export interface ImportPart {
  readonly name: string
  /** CPU time of this process for all rows of the file. */
  readonly microseconds: number
}

/** Runs of each stage: the first one compiles, the best of the others counts. */
const RUNS = 5

/**
 * Takes an import of a camt.053 apart: each stage does what the one before does and one thing more,
 * so the difference of two is a part. In one process, and so without its start.
 * @param scratch path of a workspace file that is made and removed
 */
export async function importParts(path: string, scratch: string): Promise<ImportPart[]> {
  const text = (): AsyncIterable<string> => FORMATS.decode(createReadStream(path), 'camt053')
  const events = (): AsyncIterable<readonly StatementEvent[]> => {
    const reader = FORMATS.readers.camt053
    if (reader === undefined) throw new Error('there is no reader of camt053')
    return reader(text(), {})
  }
  const stages: [name: string, run: () => Promise<unknown>][] = [
    ['decode the bytes', () => drained(text())],
    ['cut the XML', () => drained(cutXml(text(), { outer: OUTER, inner: INNER }))],
    ['read the entries', () => drained(events())],
    ['make rows and identities', () => identified(events())],
    ['insert, commit', () => imported(text(), scratch)],
  ]
  const parts: ImportPart[] = []
  let before = 0
  for (const [name, run] of stages) {
    const total = await bestOf(run)
    parts.push({ name, microseconds: Math.max(0, total - before) })
    before = total
  }
  return parts
}

const OUTER: ReadonlySet<string> = new Set(['Acct', 'Bal', 'Ntry'])
const INNER: ReadonlySet<string> = new Set(['TxDtls'])

async function bestOf(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < RUNS; i++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    if (i > 0) best = Math.min(best, user + system)
  }
  return best
}

async function drained(pieces: AsyncIterable<{ readonly length: number }>): Promise<number> {
  let length = 0
  for await (const piece of pieces) length += piece.length
  return length
}

async function identified(batches: AsyncIterable<readonly StatementEvent[]>): Promise<void> {
  const identities = new IdentityCounter()
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.kind !== 'transaction') continue
      const { transaction } = event
      identities.next(1, rowOfTransaction(transaction, 1, 0), transaction.bankReference)
    }
  }
}

async function imported(text: AsyncIterable<string>, scratch: string): Promise<void> {
  const file = WorkspaceFile.open(scratch)
  try {
    await importText(FORMATS, 'camt053', file, text, { now: 0, lenient: false })
  } finally {
    file.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${scratch}${suffix}`, { force: true })
  }
}

/** The parts as Markdown. @param rowCount rows of the file */
export function reportParts(parts: readonly ImportPart[], rowCount: number): string {
  const total = parts.reduce((sum, { microseconds }) => sum + microseconds, 0)
  const rows = parts.map(({ name, microseconds }) => [
    name,
    shown(microseconds / rowCount),
    `${Math.round((100 * microseconds) / total)} %`,
  ])
  return table(['part of a camt053 import', 'CPU µs a row', 'share'], rows)
}
