import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { importStatement } from '../../../src/statements/import/import.js'
import { exportWorkspace } from '../../../src/statements/ndjson/export.js'
import { importNdjson } from '../../../src/statements/ndjson/ndjson.js'
import type { StatementEvent } from '../../../src/statements/statement.js'
import { openReader } from '../../../src/store/open-workspace.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { inPieces, withDirectory } from '../../fixtures/files.js'
import { addressOf, exported, snapshotAt } from '../../fixtures/stored-workspace.js'
import { workspaceRows, writeWorkspace } from '../../fixtures/workspaces.js'

const OPTIONS = { now: 1_775_865_600_000, lenient: false }

test('an export imported into an empty workspace gives an equal one', async () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 3 })
  await assertProperty(
    fc.asyncProperty(workspaceRows(), pieces, (rows, lengths) =>
      withDirectory(async (directory) => {
        await writeWorkspace(join(directory, 'a.db'), rows)
        const source = WorkspaceFile.open(join(directory, 'a.db'))
        const copy = WorkspaceFile.open(join(directory, 'b.db'))
        try {
          const text = await exported(source)
          const count = rows.transactions.length
          const first = await importNdjson(copy, inPieces(text, lengths), OPTIONS)
          assert.deepEqual([first.added, first.unchanged, first.updated], [count, 0, 0])
          assert.equal(await exported(copy), text)
          assert.deepEqual(copy.categories(), source.categories())
          const version = copy.version()
          for (const file of [copy, source]) {
            const again = await importNdjson(file, inPieces(text, lengths), OPTIONS)
            assert.deepEqual([again.added, again.unchanged, again.updated], [0, count, 0])
          }
          assert.deepEqual(copy.version(), version, 'nothing was written')
        } finally {
          source.close()
          copy.close()
        }
      }),
    ),
    { numRuns: 30 },
  )
})

test('a detailed category deleted by another program leaves the broad one', async (t) => {
  await withDirectory(async (directory) => {
    const file = WorkspaceFile.open(join(directory, 'a.db'))
    const copy = WorkspaceFile.open(join(directory, 'b.db'))
    const lines =
      '{"kind":"account","id":1,"accountNumber":"1","currency":"EUR"}\n' +
      '{"kind":"category","id":1,"name":"Food"}\n' +
      '{"kind":"category","id":2,"name":"Bread","parentCategory":{"id":1}}\n' +
      '{"id":1,"accountId":1,"amount":1,"currency":"EUR","category":{"id":2}}\n'
    await importNdjson(file, inPieces(lines, [30]), OPTIONS)
    const writer = new Database(file.path)
    writer.pragma('foreign_keys = ON')
    writer.exec('DELETE FROM categories WHERE id = 2')
    const raw = writer.prepare('SELECT category_id, parent_category_id FROM transactions')
    t.same(raw.raw().get(), [null, 1])
    writer.close()

    t.match(file.transaction(1), { categoryId: 1, parentCategoryId: null })
    const text = await exported(file)
    t.match(text, '"category":{"id":1,"name":"Food"},"parentCategory":{},')
    await importNdjson(copy, inPieces(text, [30]), OPTIONS)
    t.equal(await exported(copy), text)
    t.match(await importNdjson(file, inPieces(text, [30]), OPTIONS), { unchanged: 1 })

    const segment = (await snapshotAt(file.path)).segments[0]?.segment
    const rendered = Buffer.from(segment?.rowBytes ?? []).toString()
    t.match(rendered, '"category":{"id":1,"name":"Food"},"parentCategory":{},')
    t.equal(segment?.categoryCodes[0], 0, 'Food is the first of the categories')
    t.equal(segment?.parentCodes[0], 1, 'a code past the last one is none')
    for (const one of [file, copy]) one.close()
  })
})

test('a statement recognizes rows of an NDJSON copy, and equal bookings stay apart', async (t) => {
  async function* statement(references: readonly (string | undefined)[]) {
    const account = { iban: 'DE89370400440532013000', currency: 'EUR' }
    const events: StatementEvent[] = [{ kind: 'account', account }]
    for (const bankReference of references) {
      const amount = { unscaled: -250, scale: 2 }
      const bookedAt = Date.UTC(2026, 0, 31)
      const place = { counterpart: {}, position: 'entry 1' }
      const transaction = { amount, currency: 'EUR', bookedAt, ...place }
      if (bankReference === undefined) events.push({ kind: 'transaction', transaction })
      else events.push({ kind: 'transaction', transaction: { ...transaction, bankReference } })
    }
    yield events
  }
  await withDirectory(async (directory) => {
    const source = WorkspaceFile.open(join(directory, 'a.db'))
    const copy = WorkspaceFile.open(join(directory, 'b.db'))
    t.match(await importStatement(source, statement(['R1', undefined, 'R2']), OPTIONS), {
      added: 3,
    })
    const text = await exported(source)
    await importNdjson(copy, inPieces(text, [100]), OPTIONS)
    const { sequence } = copy.version()
    const parts = [['R2'], [undefined], ['R1', 'R2'], ['R1', undefined, 'R2']]
    for (const references of parts) {
      const report = await importStatement(copy, statement(references), OPTIONS)
      t.match(report, { added: 0, unchanged: references.length })
    }
    const longer = ['R1', undefined, 'R2', 'R3', undefined]
    t.equal(copy.version().sequence, sequence)
    t.match(await importStatement(copy, statement(longer), OPTIONS), { added: 2, unchanged: 3 })
    t.match(await importStatement(copy, statement(longer), OPTIONS), { added: 0, unchanged: 5 })
    t.match(await importNdjson(copy, inPieces(text, [100]), OPTIONS), { added: 0 })
    for (const one of [source, copy]) one.close()
  })
})

test("every line has the contract's form, with exact amounts", async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const file = WorkspaceFile.open(path)
    const text =
      '{"kind":"account","id":2,"currency":"EUR","createdAt":"2026-01-01T00:00:00.000Z",' +
      '"updatedAt":"2026-01-02T00:00:00.000Z"}\n' +
      '{"kind":"category","id":3,"name":"A \\"b\\"","parentCategory":{}}\n' +
      '{"kind":"transaction","id":9,"accountId":2,"account":{},"amount":-0.00001,' +
      '"currency":"EUR","category":{"id":3,"name":"A \\"b\\""},"parentCategory":{},' +
      '"counterpart":{},"createdAt":"2026-01-01T00:00:00.000Z",' +
      '"updatedAt":"2026-01-02T00:00:00.000Z","importDate":"2026-01-03T00:00:00.000Z"}\n'
    await importNdjson(file, inPieces(text, [30]), OPTIONS)
    t.equal(await exported(file), text)
    file.close()
  })
})

test('an export shows one state of the workspace, whatever is written during it', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.db')
    const writer = WorkspaceFile.open(path)
    const line = (id: number): string => `{"id":${id},"accountId":1,"amount":1,"currency":"EUR"}\n`
    const account = '{"kind":"account","id":1,"accountNumber":"1","currency":"EUR"}\n'
    await importNdjson(writer, inPieces(account + line(1) + line(2), [100]), OPTIONS)
    const reader = await openReader(addressOf(path))
    await reader.read(async (state) => {
      const lines = exportWorkspace(state)
      const seen = [(await lines.next()).value]
      const category = '{"kind":"category","id":1,"name":"A"}\n'
      await importNdjson(writer, inPieces(category + line(3), [100]), OPTIONS)
      for await (const text of lines) seen.push(text)
      t.equal(seen.length, 3, 'one account, two transactions')
    })
    t.equal((await exported({ path })).split('\n').length, 5 + 1, 'the next one contains all')
    await reader.read(async (state) => {
      for await (const text of exportWorkspace(state)) if (text.includes('amount')) break
    })
    await importNdjson(writer, inPieces(line(4), [100]), OPTIONS)
    t.equal(writer.transactionCount(), 4)
    reader.close()
    writer.close()
  })
})
