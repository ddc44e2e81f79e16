// An import gives the same report and rows on both engines.
import { strict as assert } from 'node:assert'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { writeCamtFile } from '../../../bench/camt-file.js'
import { bankFiles } from '../../../bench/import-eval/bank-files.js'
import { formatAmount } from '../../../src/money.js'
import { FORMATS } from '../../../src/statements/formats.js'
import { peekText } from '../../../src/statements/peek-text.js'
import { importText } from '../../../src/statements/readers.js'
import { StatementError, type StatementEvent } from '../../../src/statements/statement.js'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresWriter } from '../../../src/store/postgres/postgres-writer.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import type { WorkspaceWriter } from '../../../src/store/workspace-writer.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { makeWorkspace } from '../../fixtures/postgres-workspace.js'
import { assertSameTables } from '../../fixtures/same-tables.js'
import {
  amount,
  balance,
  booking,
  DAY_MS,
  FIRST_DAY,
  IBAN,
  importEvents,
  NOW,
} from '../../fixtures/statement-events.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

/** Imports something into a workspace. */
type Import = (workspace: WorkspaceWriter) => Promise<unknown>

const OPTIONS = { now: NOW, lenient: true, account: '4711', currency: 'EUR' }

/** Both engines, side by side. */
class Twins {
  #made = 0

  private constructor(
    private readonly folder: string,
    private readonly url: string,
    private readonly postgres: PostgresConnection,
  ) {}

  static async of(t: Test): Promise<Twins> {
    const url = await migratedDatabase(t)
    return new Twins(t.testdir(), url, await connected(t, url))
  }

  /** Runs imports into one new workspace of each. @returns the number of rows there are then */
  async run(imports: readonly Import[]): Promise<number> {
    this.#made += 1
    const no = await makeWorkspace(this.postgres, `w${this.#made}`)
    const path = join(this.folder, `${no}.db`)
    const [file, writer] = [WorkspaceFile.open(path), await PostgresWriter.open(this.url, no)]
    try {
      for (const one of imports) {
        const expected = await outcomeOf(one, file)
        assert.deepEqual(await outcomeOf(one, writer), expected)
      }
      assert.equal(writer.version().sequence, file.version().sequence)
      return await assertSameTables(path, this.postgres, no)
    } finally {
      writer.close()
      file.close()
    }
  }
}

/** The report, or why the file is refused. */
async function outcomeOf(one: Import, workspace: WorkspaceWriter): Promise<unknown> {
  try {
    return await one(workspace)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return error.message
  }
}

function importOf(path: string): Import {
  return async (workspace) => {
    const { head, text } = await peekText(FORMATS.decode(createReadStream(path)))
    const detected = FORMATS.detect(head, path)
    if (detected.kind !== 'format') return detected.message
    return importText(FORMATS, detected.format, workspace, text, OPTIONS)
  }
}

/** Bookings that files repeat, in words of their own, and that messages of the bank join. */
const transaction = fc
  .record({
    ...{ on: fc.nat({ max: 3 }), valued: fc.nat({ max: 1 }) },
    text: fc.constantFrom('-1', '-2.5', '3'),
    purpose: fc.constantFrom('Kaffee', 'KAFFEE', 'Tee', 'Miete Mai 2026'),
    bankReference: fc.constantFrom('R1', 'R2', undefined),
    source: fc.constantFrom('statement', 'notification'),
  })
  .map(({ on, valued, text, purpose, bankReference, source }) => {
    const more = { purpose, valuedAt: FIRST_DAY + (on + valued) * DAY_MS }
    if (bankReference === undefined) return booking(text, on, more)
    const key = `${bankReference} ${on} ${text}`
    return booking(text, on, {
      ...{ ...more, bankReference },
      entry: { key, amount: amount(text), partCount: 1, source },
    })
  })

/** A statement whose balances most often agree with its entries. */
const statement = fc
  .record({
    account: fc.constantFrom(IBAN, 'DE02120300000000202051'),
    isInterim: fc.boolean(),
    opening: fc.integer({ min: 0, max: 2 }),
    difference: fc.constantFrom(0, 0, 0, 1),
    transactions: fc.array(transaction, { maxLength: 8 }),
  })
  .map(({ account, isInterim, opening, difference, transactions }): StatementEvent[] => {
    const halves = transactions.map((event) =>
      event.kind === 'transaction' && event.transaction.entry?.source !== 'notification'
        ? Number(formatAmount(event.transaction.amount.unscaled, event.transaction.amount.scale))
        : 0,
    )
    const closing = halves.reduce((sum, each) => sum + each, opening) + difference
    return [
      { kind: 'account', account: { iban: account, currency: 'EUR' }, isInterim },
      balance('opening', `${opening}`, 0),
      ...transactions,
      balance('closing', `${closing}`, 3),
    ]
  })

test('generated statements give the same reports and rows', async (t) => {
  const twins = await Twins.of(t)
  let rowCount = 0
  const property = fc.asyncProperty(
    fc.array(fc.array(statement, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    async (files) => {
      const imports = files.map(
        (statements): Import =>
          (workspace) =>
            importEvents(workspace, statements.flat(), { includesNotifications: true }),
      )
      rowCount += await twins.run(imports)
    },
  )
  await assertProperty(property, { numRuns: 15 })
  t.ok(rowCount > 150, `${rowCount} rows`)
})

test('a long statement, and one that overlaps it, give the same reports and rows', async (t) => {
  const twins = await Twins.of(t)
  const [short, long] = [join(t.testdirName, 'short.xml'), join(t.testdirName, 'long.xml')]
  writeCamtFile(short, 500_000, 7)
  const entryCount = writeCamtFile(long, 3_000_000, 7)
  t.ok((await twins.run([short, long, short].map(importOf))) > entryCount)
})

test('NDJSON with ids, and its update, give the same reports and rows', async (t) => {
  const twins = await Twins.of(t)
  const line = (id: number | undefined, purpose: string): string =>
    JSON.stringify({
      ...{ id, amount: -1.5, currency: 'EUR', bookingDate: '2026-01-01T00:00:00.000Z', purpose },
      ...{ account: { iban: IBAN }, category: { name: purpose } },
    })
  const texts = [
    [line(7, 'Miete'), line(undefined, 'Strom'), line(undefined, 'Strom'), line(3, 'Tee')],
    [line(7, 'Gas'), line(undefined, 'Strom'), line(9, 'Tee'), line(undefined, 'Wasser')],
    ['{"kind":"category","id":1,"name":"Haus"}', line(8, 'Gas'), line(12, '\\ "x" \u2028')],
  ]
  const imports = texts.map(
    (lines): Import =>
      (workspace) =>
        importText(FORMATS, 'ndjson', workspace, piecesOf([`${lines.join('\n')}\n`]), {
          ...{ now: NOW, lenient: true, update: true },
        }),
  )
  t.equal(await twins.run(imports), 13)
})

/** Files of {@link bankFiles} that are imported, from all parts of its list. */
const REAL_FILES = 40

test('real bank files give the same reports and rows', async (t) => {
  const all = bankFiles(process.env)
  if (all.length === 0) {
    t.comment('KONTOR_STATEMENTS and KONTOR_MORE_STATEMENTS name no real files; nothing is read')
    return
  }
  const step = Math.ceil(all.length / REAL_FILES)
  const chosen = all.filter((_, i) => i % step === 0)
  const imports = chosen.map(({ path }) => importOf(path))
  const twins = await Twins.of(t)
  t.ok((await twins.run([...imports, ...imports])) > chosen.length)
})
