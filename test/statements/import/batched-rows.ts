// An import in batches writes the same rows as one that runs row by row: imports the same files
// into two workspaces, in one batch and item by item.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { formatInstant } from '../../../src/instant.js'
import { importStatement } from '../../../src/statements/import/import.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importNdjson } from '../../../src/statements/ndjson/ndjson.js'
import {
  type EntrySource,
  StatementError,
  type StatementEvent,
  type StatementTransaction,
} from '../../../src/statements/statement.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { StoreError } from '../../../src/store/store-error.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withDirectory } from '../../fixtures/files.js'
import {
  amount,
  balance,
  booking,
  DAY_MS,
  FIRST_DAY,
  IBAN,
  NOW,
} from '../../fixtures/statement-events.js'

const TABLES = [
  ...['accounts', 'categories', 'transactions', 'changes', 'deleted_ids'],
  ...['statement_entries', 'statements'],
]

/** All rows of all tables, change by change. */
function contentOf({ path }: WorkspaceFile): unknown[] {
  const connection = new Database(path)
  const rows = TABLES.map((table) => connection.prepare(`SELECT * FROM ${table}`).raw().all())
  connection.close()
  return rows
}

/** An import of a file of these items, all of them in one batch or each in its own. */
type Import<Item> = (
  file: WorkspaceFile,
  batches: readonly (readonly Item[])[],
) => Promise<ImportReport>

/** Imports files in batches and item by item. @throws AssertionError when anything differs */
function assertSame<Item>(files: readonly (readonly Item[])[], run: Import<Item>): Promise<void> {
  return withDirectory(async (directory) => {
    const [batched, single] = ['a.db', 'b.db'].map((name) =>
      WorkspaceFile.open(join(directory, name)),
    )
    assert.ok(batched && single)
    try {
      for (const items of files) {
        const outcome: unknown = await run(batched, [items]).catch(messageOf)
        const each = items.map((item) => [item])
        assert.deepEqual(outcome, await run(single, each).catch(messageOf))
        assert.deepEqual(contentOf(batched), contentOf(single))
      }
    } finally {
      for (const file of [batched, single]) file.close()
    }
  })
}

/** The refusal of a file, without the path of the workspace. */
function messageOf(error: unknown): string {
  assert.ok(error instanceof StatementError || error instanceof StoreError, String(error))
  return error.message.replace(/^.*\.db: /, '')
}

const SOURCES: readonly (EntrySource | undefined)[] = [
  ...[undefined, undefined, 'statement', 'report', 'notification'],
] as const

const entries = fc
  .record({
    cents: fc.constantFrom(-100, 100, 250),
    day: fc.nat({ max: 3 }),
    valueDays: fc.constantFrom(0, 0, 1, 2, undefined),
    purpose: fc.constantFrom('', 'Miete', 'Strom'),
    name: fc.constantFrom(undefined, 'Anna'),
    reference: fc.constantFrom(undefined, undefined, 'R1', 'R2', 'R3'),
    source: fc.constantFrom(...SOURCES),
    partCount: fc.constantFrom(1, 1, 2),
    isFaulty: fc.nat({ max: 100 }).map((n) => n === 0),
  })
  .map((each): StatementEvent[] => {
    const { cents, day, valueDays, purpose, name, reference, source, isFaulty } = each
    const text = (cents / 100).toFixed(2)
    const at = FIRST_DAY + day * DAY_MS
    const key = `${reference} ${formatInstant(at).slice(0, 10)} ${text} EUR`
    const partCount = source === undefined || reference === undefined ? 1 : each.partCount
    const more: Partial<StatementTransaction> = {
      purpose: isFaulty ? 'a\0' : purpose,
      counterpart: name === undefined ? {} : { name },
      ...(reference === undefined ? {} : { bankReference: key }),
    }
    const entry =
      source === undefined || reference === undefined
        ? undefined
        : { key, amount: amount(text), source, partCount }
    return Array.from({ length: partCount }, (_, i) => {
      const part = (cents / partCount / 100).toFixed(2)
      const event = booking(part, day, { ...more, ...(entry === undefined ? {} : { entry }) })
      assert.equal(event.kind, 'transaction')
      const { transaction } = event
      if (valueDays === undefined) delete transaction.valuedAt
      else transaction.valuedAt = at + valueDays * DAY_MS
      if (partCount > 1) transaction.bankReference = `${key} part ${i}`
      return event
    })
  })

const statements = fc
  .record({
    account: fc.constantFrom(IBAN, IBAN, 'DE02120300000000202051'),
    isInterim: fc.boolean(),
    statementKey: fc.constantFrom(undefined, undefined, '1', '2'),
    opening: fc.constantFrom(undefined, '0.00', '1.00'),
    listed: fc.array(entries, { maxLength: 6 }),
  })
  .map(({ account, isInterim, statementKey, opening, listed }): StatementEvent[] => {
    const booked = listed.flat()
    const cents = booked.reduce(
      (sum, event) => sum + (event.kind === 'transaction' ? centsOf(event.transaction) : 0),
      Math.round(Number(opening ?? 0) * 100),
    )
    return [
      {
        ...{ kind: 'account', account: { iban: account, currency: 'EUR' } },
        ...(isInterim ? { isInterim } : {}),
        ...(statementKey === undefined ? {} : { statementKey }),
      },
      ...(opening === undefined ? [] : [balance('opening', opening, 0)]),
      ...booked,
      ...(opening === undefined ? [] : [balance('closing', (cents / 100).toFixed(2), 3)]),
    ]
  })

function centsOf({ amount: { unscaled, scale } }: StatementTransaction): number {
  return Math.round(unscaled * 10 ** (2 - scale))
}

test('statements in batches are imported as entry by entry', async (t) => {
  const files = fc.array(
    fc.array(statements, { minLength: 1, maxLength: 4 }).map((each) => each.flat()),
    { minLength: 1, maxLength: 4 },
  )
  let unchangedCount = 0
  await assertProperty(
    fc.asyncProperty(files, fc.boolean(), fc.boolean(), (events, lenient, isNotified) =>
      assertSame(events, async (file, batches) => {
        async function* read() {
          yield* batches
        }
        const options = { now: NOW, lenient, includesNotifications: isNotified }
        const report = await importStatement(file, read(), options)
        unchangedCount += report.unchanged
        return report
      }),
    ),
    { numRuns: 50 },
  )
  t.ok(unchangedCount > 10, `${unchangedCount} entries were there`)
})

const lines = fc.oneof(
  fc.record(
    {
      id: fc.integer({ min: 1, max: 12 }),
      accountId: fc.constantFrom(1, 1, 2),
      account: fc.constantFrom({ iban: IBAN }, { accountNumber: '7' }),
      amount: fc.constantFrom(1, -2),
      currency: fc.constant('EUR'),
      purpose: fc.constantFrom('a', 'b'),
      bookingDate: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
      category: fc.constantFrom({ name: 'A' }, { id: 3, name: 'B' }),
    },
    { requiredKeys: ['amount', 'currency'] },
  ),
  fc.record(
    { kind: fc.constant('category'), id: fc.constantFrom(3, 4), name: fc.constantFrom('A', 'B') },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.constantFrom<object>(
    { kind: 'account', id: 2, iban: IBAN, currency: 'EUR' },
    { kind: 'category', id: 3, name: 'B', parentCategory: { name: 'A' } },
    { kind: 'category', id: 3, name: 'B', parentCategory: { name: 'C' } },
  ),
)

test('NDJSON in batches is imported as line by line', async (t) => {
  const files = fc.array(fc.array(lines, { maxLength: 25 }), { minLength: 1, maxLength: 4 })
  const account = { kind: 'account', id: 1, accountNumber: '1', currency: 'EUR' }
  let updatedCount = 0
  await assertProperty(
    fc.asyncProperty(files, fc.boolean(), fc.boolean(), (imported, lenient, update) =>
      assertSame([[account], ...imported], async (file, batches) => {
        async function* read() {
          // A piece ends with its last line, so that it is one batch.
          for (const batch of batches) {
            yield batch.map((line) => `${JSON.stringify(line)}\n`).join('')
          }
        }
        const report = await importNdjson(file, read(), { now: NOW, lenient, update })
        updatedCount += report.updated
        return report
      }),
    ),
    { numRuns: 50 },
  )
  t.ok(updatedCount > 2, `${updatedCount} rows were updated`)
})
