import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { ImportOptions } from '../../../src/statements/import/import-options.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importNdjson } from '../../../src/statements/ndjson/ndjson.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { inPieces, withWorkspace } from '../../fixtures/files.js'
import { exported } from '../../fixtures/stored-workspace.js'

const NOW = 1_775_865_600_000
const GIRO = { kind: 'account', id: 1, iban: 'DE89370400440532013000', currency: 'EUR' }

function importLines(
  file: WorkspaceFile,
  lines: readonly object[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  return importNdjson(file, inPieces(text, [97]), {
    ...{ now: NOW, lenient: false, update: true },
    ...options,
  })
}

test('without update, an id of another account is refused, with its transactions', async (t) => {
  await withWorkspace(async (file) => {
    const ledger = { kind: 'account', id: 2, accountNumber: '7', blz: '1', currency: 'EUR' }
    await importLines(file, [GIRO, ledger])
    const before = await exported(file)
    const other = { ...GIRO, iban: 'DE02120300000000202051' }
    const line = { accountId: 1, amount: 1, currency: 'EUR' }
    for (const account of [other, { ...ledger, accountNumber: '8' }, { ...ledger, blz: '2' }]) {
      const imported = importLines(file, [account, line], { update: false })
      await t.rejects(imported, { message: /line 1.* id: .*another account with id [12]/ })
    }
    const report = await importLines(file, [other, line], { update: false, lenient: true })
    t.match(report, { added: 0, skipped: 2, kept: 0 })
    t.match(report.warnings[1], /line 2, accountId: .*another account with id 1, account DE89/)
    t.equal(await exported(file), before)
    const { accountNumber: _, ...named } = ledger
    t.match(await importLines(file, [{ ...named, name: 'x' }], { update: false }), { kept: 1 })
    const spelled = { kind: 'account', accountNumber: '07', currency: 'EUR' }
    for (const same of [spelled, { ...spelled, id: 2, blz: '1' }]) {
      t.match(await importLines(file, [same], { update: false }), { kept: 1 }, 'one account')
    }
    const replaced = await importLines(file, [other, line])
    t.match(replaced, { added: 1, changed: 1 })
  })
})

test('without update, existing rows stay and are reported', async (t) => {
  await withWorkspace(async (file) => {
    const line = { id: 7, accountId: 1, amount: 1, currency: 'EUR', purpose: 'a' }
    const tree = [
      { kind: 'category', id: 1, name: 'Haus' },
      { kind: 'category', id: 2, name: 'Strom', parentCategory: { id: 1 } },
    ]
    await importLines(file, [GIRO, ...tree, line, { ...line, id: 9 }])
    const before = await exported(file)
    const lines = [
      { ...GIRO, holderName: 'Mallory' },
      { kind: 'category', id: 2, name: 'Gas', parentCategory: { name: 'Neu' } },
      { ...line, amount: 2, category: { id: 2, name: 'Gas' } },
      { ...line, id: 9, account: { iban: 'DE02120300000000202051' }, accountId: undefined },
      { ...line, id: 9, category: { name: 'Ganz neu' }, parentCategory: { name: 'Und das' } },
      line,
    ]
    const report = await importLines(file, lines, { update: false })
    t.equal(await exported(file), before, 'and no rows are created for them')
    t.match(report, { added: 0, unchanged: 1, updated: 0, kept: 5, changed: 0, changedIds: {} })
    t.strictSame(report.changes, [
      { kind: 'account', id: 1, field: 'holderName', old: null, new: 'Mallory' },
      { kind: 'category', id: 2, field: 'name', old: 'Strom', new: 'Gas' },
      { kind: 'category', id: 2, field: 'parentCategory.name', old: 'Haus', new: 'Neu' },
      { kind: 'transaction', id: 7, field: 'amount', old: '1', new: '2' },
      { kind: 'transaction', id: 7, field: 'category.id', old: null, new: 2 },
      { kind: 'transaction', id: 7, field: 'parentCategory.id', old: null, new: 1 },
      {
        ...{ kind: 'transaction', id: 9, field: 'account', old: 1 },
        new: 'account DE02120300000000202051',
      },
      { kind: 'transaction', id: 9, field: 'category.name', old: null, new: 'Ganz neu' },
      { kind: 'transaction', id: 9, field: 'parentCategory.name', old: null, new: 'Und das' },
    ])
    const done = await importLines(file, lines)
    t.match(done, { kept: 0, changed: 6, updated: 4 })
    t.strictSame(done.changedIds, { account: [1], category: [2], transaction: [7, 9, 9, 7] })
  })
})

test('without update, rows of the same import may be replaced', async () => {
  const id = fc.integer({ min: 1, max: 6 })
  const line = fc.oneof(
    fc.record({ id, accountId: fc.constant(1), amount: id }),
    fc.record({ accountId: fc.constant(1), amount: id }),
    fc.record({ kind: fc.constant('account'), id, holderName: fc.constantFrom('a', 'b') }),
    fc.record({ kind: fc.constant('category'), id, name: fc.constantFrom('a', 'b', 'c') }),
  )
  const lines = fc.array(line, { maxLength: 12 })
  await assertProperty(
    fc.asyncProperty(lines, lines, async (first, second) => {
      const options = { currency: 'EUR', lenient: true }
      const contents: string[] = []
      for (const update of [true, false]) {
        await withWorkspace(async (file) => {
          await importLines(file, [GIRO, ...first], { ...options, update })
          contents.push(await exported(file))
          if (update) return
          const rows = (): Map<string, unknown> =>
            new Map<string, unknown>([
              ...file.accounts().map((row) => [`account ${row.id}`, row] as const),
              ...file.categories().map((row) => [`category ${row.id}`, row] as const),
              ...[...file.transactionsOldestFirst()].map((row) => [`${row.id}`, row] as const),
            ])
          const before = rows()
          await importLines(file, second, { ...options, update, now: NOW + 1 })
          const after = rows()
          for (const [name, row] of before) assert.deepEqual(after.get(name), row, name)
        })
      }
      assert.equal(contents[0], contents[1], 'an empty workspace is filled in the same way')
    }),
    { numRuns: 60 },
  )
})
