import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { ImportOptions } from '../../../src/statements/import/import-options.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importNdjson } from '../../../src/statements/ndjson/ndjson.js'
import { FIELD_CODE_POINTS_MAX, StatementError } from '../../../src/statements/statement.js'
import type { CategoryRow, TransactionRow } from '../../../src/store/columns.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { ANY_CHARACTER } from '../../fixtures/any-character.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { inPieces, withWorkspace } from '../../fixtures/files.js'
import { exported } from '../../fixtures/stored-workspace.js'

const NOW = 1_775_865_600_000
const IBAN = 'DE89370400440532013000'
const GIRO = { kind: 'account', id: 1, iban: IBAN, currency: 'EUR' }

function importLines(
  file: WorkspaceFile,
  lines: readonly (object | string)[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return importNdjson(file, inPieces(text.join('\n'), [97]), {
    now: NOW,
    lenient: false,
    update: true,
    ...options,
  })
}

function only(file: WorkspaceFile): TransactionRow | undefined {
  return [...file.transactionsOldestFirst()].at(-1)
}

test('a line is a transaction with all members of the contract', async (t) => {
  await withWorkspace(async (file) => {
    const at = '2026-01-31T00:00:00.000Z'
    const line = {
      id: 7,
      accountId: 1,
      amount: -1234.5,
      currency: 'EUR',
      counterpart: { name: 'Müller', iban: 'de02 1203 0000 0000 2020 51', creditorId: 'C1' },
      createdAt: '2026-02-01T10:11:12.131Z',
      updatedAt: '2026-02-02T10:11:12.131Z',
      importDate: '2026-02-03T10:11:12.131Z',
      bookingDate: at,
      valueDate: at,
      type: 'Lastschrift',
      purpose: 'RG-1 "😀"',
      endToEndReference: 'E1',
      originalAmount: -1300.25,
      originalCurrency: 'USD',
      sepaPurposeCode: 'RINP',
      primanota: '9310',
      paypal: { invoiceNumber: 'R1', fee: 0.35, net: -1234.15 },
    }
    t.match(await importLines(file, [GIRO, line]), {
      added: 1,
      unchanged: 0,
      updated: 0,
      skipped: 0,
    })
    t.match(only(file), {
      id: 7,
      accountId: 1,
      amountUnscaled: -12345,
      amountScale: 1,
      counterpartIban: 'DE02120300000000202051',
      creditorId: 'C1',
      createdAt: Date.parse(line.createdAt),
      updatedAt: Date.parse(line.updatedAt),
      importedAt: Date.parse(line.importDate),
      bookedAt: Date.parse(at),
      originalAmountUnscaled: -130025,
      paypalNetUnscaled: -123415,
      primanota: '9310',
      categoryId: null,
    })
  })
})

test('a known id: equal content is skipped, other content replaces all of it', async (t) => {
  await withWorkspace(async (file) => {
    const line = { id: 7, accountId: 1, amount: 1, currency: 'EUR', purpose: 'a', type: 'b' }
    await importLines(file, [GIRO, line])
    const same = await importLines(file, [GIRO, { ...line, amount: 1.0 }], { now: NOW + 5 })
    t.match(same, { added: 0, unchanged: 1, updated: 0 })
    t.match(only(file), { updatedAt: NOW }, 'omitted dates are no change')
    const { type: _, ...shorter } = line
    t.match(await importLines(file, [shorter], { now: NOW + 9 }), { updated: 1 })
    t.match(only(file), { type: null, createdAt: NOW, importedAt: NOW, updatedAt: NOW + 9 })
    const dated = { ...shorter, importDate: '2026-02-03T10:11:12.131Z' }
    t.match(await importLines(file, [dated]), { updated: 1 })
    t.match(only(file), { importedAt: Date.parse(dated.importDate) })
  })
})

test('the earliest instant differs from none', async (t) => {
  await withWorkspace(async (file) => {
    const line = { id: 7, accountId: 1, amount: 1, currency: 'EUR' }
    const dated = { ...line, bookingDate: '1970-01-01T00:00:00.000Z' }
    await importLines(file, [GIRO, line])
    t.match(await importLines(file, [dated]), { updated: 1 })
    t.equal(only(file)?.bookedAt, 0)
    t.match(await importLines(file, [dated]), { unchanged: 1 })
    t.match(await importLines(file, [line]), { updated: 1 })
    t.equal(only(file)?.bookedAt, null)
  })
})

test('transactions follow their category to another parent', async (t) => {
  const line = { accountId: 1, amount: 1, currency: 'EUR' }
  const detailed = (parentCategory: object): object => ({
    ...{ kind: 'category', id: 11, name: 'Strom', parentCategory },
  })
  await withWorkspace(async (file) => {
    const parents = (): unknown[] =>
      [...file.transactionsOldestFirst()].map((row) => [row.categoryId, row.parentCategoryId])
    await importLines(file, [
      ...[GIRO, { kind: 'category', id: 10, name: 'A' }, { kind: 'category', id: 20, name: 'B' }],
      ...[{ kind: 'category', id: 30, name: 'C' }, detailed({ id: 10 })],
      { ...line, id: 1, category: { id: 11 } },
      { ...line, id: 2, category: { id: 11 }, parentCategory: {} },
      { ...line, id: 3, category: { id: 11 }, parentCategory: { id: 30 } },
      { ...line, id: 4, category: { id: 10 } },
    ])
    await importLines(file, [detailed({ id: 20 })])
    t.same(parents(), [
      ...[
        [11, 20],
        [11, null],
        [11, 30],
        [10, null],
      ],
    ])
    const { sequence } = file.version()
    await importLines(file, [{ ...detailed({ id: 20 }), name: 'Gas' }])
    t.equal(file.version().sequence, sequence + 1, 'a new name does not affect transactions')
    await importLines(file, [detailed({})])
    t.same(parents(), [
      ...[
        [11, null],
        [11, null],
        [11, 30],
        [10, null],
      ],
    ])
    await importLines(file, [{ kind: 'category', id: 10, name: 'A', parentCategory: { id: 20 } }])
    t.same(parents()[3], [10, 20], 'a broad category that becomes a detailed one')
  })
})

test('no id follows the largest one', async (t) => {
  await withWorkspace(async (file) => {
    const line = { accountId: 1, amount: 1, currency: 'EUR' }
    await importLines(file, [GIRO, { ...line, id: Number.MAX_SAFE_INTEGER }])
    await t.rejects(importLines(file, [{ ...line, purpose: 'x' }]), {
      name: 'StoreError',
      message: /: no ids are left: a row already has the largest possible id$/,
    })
    t.equal(file.transactionCount(), 1)
  })
})

test('lines without an id are counted, not merged, and the same file adds nothing', async (t) => {
  await withWorkspace(async (file) => {
    const line = { account: { iban: IBAN }, amount: 1, currency: 'EUR', purpose: 'Kaffee' }
    const lines = [line, { ...line, purpose: 'KAFFEE' }, { ...line, amount: 2 }]
    t.match(await importLines(file, lines), { added: 3, unchanged: 0 })
    t.match(await importLines(file, lines), { added: 0, unchanged: 3 })
    t.match(await importLines(file, [...lines, line]), { added: 1, unchanged: 3 })
    t.match(file.accounts(), [{ id: 1, iban: IBAN, currency: 'EUR', createdAt: NOW }])
  })
})

test('lines with and without an id stay separate', async (t) => {
  await withWorkspace(async (file) => {
    const line = { accountId: 1, amount: 1, currency: 'EUR' }
    const lines = [GIRO, { ...line, id: 5 }, line, { ...line, id: 9 }, line]
    t.match(await importLines(file, lines), { added: 4 })
    t.match(await importLines(file, lines), { added: 0, unchanged: 4 })
    t.match(await importLines(file, [{ ...line, id: 20 }, line]), { added: 1, unchanged: 1 })
    const late = [line, line, line, line, line, { ...line, id: 21, purpose: 'other' }]
    await t.rejects(importLines(file, late), {
      message: /^line 6, id: an earlier line without an id/,
    })
  })
})

test('a transaction that moves to another account takes no identity in use', async (t) => {
  await withWorkspace(async (file) => {
    const line = { amount: 1, currency: 'EUR' }
    const other = { kind: 'account', id: 2, accountNumber: '7', currency: 'EUR' }
    await importLines(file, [GIRO, other, { ...line, id: 1, accountId: 1 }])
    await importLines(file, [{ ...line, id: 2, accountId: 2 }])
    t.match(await importLines(file, [{ ...line, id: 1, accountId: 2 }]), { updated: 1 })
    t.equal(only(file)?.accountId, 2)
    t.match(await importLines(file, [{ ...line, accountId: 2 }]), { added: 0, unchanged: 1 })
  })
})

test('categories are found and created by id, name and parent', async (t) => {
  const base = { accountId: 1, amount: 1, currency: 'EUR' }
  const tree = [
    { kind: 'category', id: 10, name: 'Wohnen' },
    { kind: 'category', id: 11, name: 'Strom', parentCategory: { id: 10 } },
    { kind: 'category', id: 20, name: 'Büro', parentCategory: {} },
    { kind: 'category', id: 21, name: 'Strom', parentCategory: { name: 'Büro' } },
    { kind: 'category', id: 22, name: 'Papier', parentCategory: { id: 20, name: 'Büro' } },
  ]
  const cases: [string, object, number | null, number | null][] = [
    ['nothing', {}, null, null],
    ['both empty', { category: {}, parentCategory: {} }, null, null],
    ['by id, the parent is the category’s', { category: { id: 11 } }, 11, 10],
    ['an explicit {} is no parent', { category: { id: 11 }, parentCategory: {} }, 11, null],
    ['a parent as given', { category: { id: 11 }, parentCategory: { id: 20 } }, 11, 20],
    ['by name, of one parent', { category: { name: 'Papier' } }, 22, 20],
    ['a broad one by name', { category: { name: 'Wohnen' } }, 10, null],
    [
      'by name under a parent',
      { category: { name: 'Strom' }, parentCategory: { name: 'Büro' } },
      21,
      20,
    ],
    ['a parent alone goes into category', { parentCategory: { name: 'Büro' } }, 20, null],
    ['also with an empty category', { category: {}, parentCategory: { name: 'Büro' } }, 20, null],
    ['new and broad', { category: { name: 'Neu' } }, 23, null],
    [
      'new, and so is its parent',
      { category: { name: 'A' }, parentCategory: { name: 'B' } },
      25,
      24,
    ],
    ['that one again', { category: { name: 'A' }, parentCategory: { name: 'B' } }, 25, 24],
    [
      'a name under another parent',
      { category: { name: 'A' }, parentCategory: { id: 10 } },
      26,
      10,
    ],
    ['new by id and name', { category: { id: 99, name: 'Z' }, parentCategory: { id: 10 } }, 99, 10],
  ]
  await withWorkspace(async (file) => {
    await importLines(file, [GIRO, ...tree])
    t.match(file.categories().at(-1), { id: 22, parentId: 20 })
    for (const [name, members, categoryId, parentCategoryId] of cases) {
      await importLines(file, [{ ...base, purpose: name, ...members }])
      t.match(only(file), { purpose: name, categoryId, parentCategoryId }, name)
    }
    const made = file.categories().slice(5)
    t.same(made, [
      { id: 23, name: 'Neu', parentId: null },
      { id: 24, name: 'B', parentId: null },
      { id: 25, name: 'A', parentId: 24 },
      { id: 26, name: 'A', parentId: 10 },
      { id: 99, name: 'Z', parentId: 10 },
    ] satisfies CategoryRow[])
    await importLines(file, tree)
    t.same(file.categories().slice(5), made, 'the same lines create nothing')
    await importLines(file, [{ kind: 'category', id: 11, name: 'Gas', parentCategory: { id: 20 } }])
    t.match(file.categories()[1], { id: 11, name: 'Gas', parentId: 20 })
    await importLines(file, [{ kind: 'category', name: 'Gas', parentCategory: { id: 20 } }])
    t.equal(file.categories().length, 10, 'an equal name under one parent is the same category')
  })
})

test('a wrong line is refused with place and reason, and no part is imported', async (t) => {
  const ok = { accountId: 1, amount: 1, currency: 'EUR' }
  const broad = { kind: 'category', id: 10, name: 'A' }
  const cases: [object | string, RegExp][] = [
    ['{"amount": 1', /^line 4: it is not JSON \(/],
    ['[1]', /^line 4: \[1\] is not a JSON object/],
    ['null', /^line 4: null is not a JSON object/],
    ['{"amount": 1, "x": "\0"}', /^line 4: it contains a NUL character/],
    [
      { kind: 'booking' },
      /kind: "booking" is not a kind; allowed are account, category, transaction/,
    ],
    [
      { ...ok, purpos: 'x' },
      /^line 4, purpos: transaction has no such member; did you mean purpose/,
    ],
    [{ ...ok, 'a "b': 1 }, /has no such member; allowed are .*currency/],
    [{ ...ok, counterpart: { ibn: 'x' } }, /^line 4, counterpart.ibn: .*did you mean iban\?/],
    [{ ...ok, amount: '1' }, /^line 4, amount: "1" is not allowed; a number without quotes/],
    [{ accountId: 1, currency: 'EUR' }, /^line 4, amount: it is missing/],
    [{ ...ok, purpose: null }, /^line 4, purpose: null is not allowed; a string/],
    [{ ...ok, id: 0 }, /^line 4, id: 0 is not allowed; a whole number from 1 to 9007199254740991/],
    [{ ...ok, id: 2 ** 53 }, /^line 4, id: /],
    [{ ...ok, bookingDate: '2026-01-31' }, /^line 4, bookingDate: .*"2026-01-31T00:00:00.000Z"/],
    [{ ...ok, bookingDate: '2026-02-30T00:00:00.000Z' }, /bookingDate: .* is not a valid date/],
    [{ ...ok, currency: 'eur' }, /^line 4, currency: "eur" is not allowed; three capital letters/],
    [{ accountId: 1, amount: 1 }, /^line 4, currency: it is missing; .*--currency/],
    [{ ...ok, amount: 0.000001 }, /^line 4, amount: 0.000001 has more than 5 decimals/],
    [{ ...ok, amount: 1e15 }, /^line 4, amount: 1000000000000000 has more than 15 digits/],
    ['{"accountId":1,"currency":"EUR","amount":0.10000000000000001}', /^line 4, amount: 0.1000/],
    ['{"accountId":1,"currency":"EUR","amount":1e999}', /^line 4, amount: 1e999 has more digits/],
    [
      { ...ok, accountId: 2 },
      /^line 4, accountId: neither the workspace nor an earlier line has account id 2/,
    ],
    [{ amount: 1, currency: 'EUR', account: { name: 'x' } }, /^line 4: the account is missing/],
    [{ ...ok, purpose: 'x'.repeat(FIELD_CODE_POINTS_MAX + 1) }, /purpose: has more than 10000/],
    [{ ...ok, purpose: '\ud800' }, /^line 4, purpose: contains a lone surrogate/],
    [{ ...ok, purpose: 'a\0' }, /^line 4, purpose: contains a NUL character \(U\+0000\)/],
    [{ ...ok, counterpart: { iban: '\0' } }, /^line 4, counterpart.iban: contains a NUL char/],
    [
      { amount: 1, currency: 'EUR', account: { iban: IBAN, name: '\0' } },
      /^line 4, account.name: contains a NUL character/,
    ],
    [{ ...ok, category: { name: '\0' } }, /^line 4, category: contains a NUL character/],
    [
      { ...ok, category: { id: 77 } },
      /^line 4, category: there is no category with id 77; add its name/,
    ],
    [
      { ...ok, category: { id: 10, name: 'B' } },
      /^line 4, category: category 10 has the name "A", not "B"/,
    ],
    [{ ...ok, category: { name: '' } }, /^line 4, category: a name must not be empty/],
    [{ ...ok, category: { name: 'twice' } }, /"twice" exists in several broader categories/],
    [{ kind: 'category', name: '' }, /^line 4, name: a name must not be empty/],
    [{ kind: 'category', id: 10, name: 'A', parentCategory: { id: 10 } }, /be its own parent/],
    [
      { kind: 'category', id: 9, name: 'A', parentCategory: { id: 9, name: 'A' } },
      /its own parent/,
    ],
    [{ kind: 'account', currency: 'EUR' }, /^line 4: the account must have an id, iban or/],
    [{ kind: 'account', id: 3 }, /^line 4, currency: it is missing/],
  ]
  const before = [
    broad,
    { kind: 'category', name: 'twice', parentCategory: { id: 10 } },
    { kind: 'category', name: 'twice', parentCategory: { name: 'C' } },
    GIRO,
  ]
  await withWorkspace(async (file) => {
    await importLines(file, before)
    const version = file.version()
    for (const [line, message] of cases) {
      await t.rejects(importLines(file, [ok, '', ok, line]), { message }, String(message))
      const lenient = await importLines(file, [line], { lenient: true })
      t.match(lenient, { added: 0, skipped: 1 })
      t.equal(lenient.warnings.length, 1)
      t.same(file.version(), version, 'nothing was written')
    }
  })
})

test('a category cannot be its own ancestor', async (t) => {
  await withWorkspace(async (file) => {
    await importLines(file, [
      { kind: 'category', id: 1, name: 'a', parentCategory: { id: 2, name: 'b' } },
      { kind: 'category', id: 2, name: 'b', parentCategory: { id: 3, name: 'c' } },
    ])
    const below = { kind: 'category', id: 3, name: 'c', parentCategory: { id: 1 } }
    await t.rejects(importLines(file, [below]), {
      message: /^line 1, parentCategory: .*its own parent/,
    })
  })
})

test('accounts are replaced by id, or by IBAN or number and currency', async (t) => {
  await withWorkspace(async (file) => {
    const rich = { ...GIRO, name: 'Giro', balance: -0.05, overdraft: 500, bic: 'COBADEFFXXX' }
    await importLines(file, [rich, { kind: 'account', accountNumber: 'p@x', currency: 'EUR' }])
    t.match(file.accounts()[0], { balanceUnscaled: -5, balanceScale: 2, name: 'Giro', blz: null })
    const version = file.version()
    await importLines(file, [rich, { kind: 'account', accountNumber: 'p@x', currency: 'EUR' }])
    t.same(file.version(), version, 'the same lines write nothing')
    await importLines(file, [{ kind: 'account', iban: IBAN, currency: 'EUR', holderName: 'H' }])
    t.match(file.accounts()[0], { id: 1, holderName: 'H', name: null, balanceUnscaled: null })
    await importLines(file, [{ kind: 'account', accountNumber: 'p@x', currency: 'USD' }])
    t.match(file.accounts(), [{ id: 1 }, { id: 2, currency: 'EUR' }, { id: 3, currency: 'USD' }])
    const dollars = { account: { accountNumber: 'p@x' }, amount: 1, currency: 'USD' }
    await importLines(file, [dollars])
    t.equal(only(file)?.accountId, 3)
    await importLines(file, [{ amount: 5, currency: 'EUR' }], { account: IBAN })
    t.equal(only(file)?.accountId, 1, '--account applies where a line names none')
  })
})

test('byte order mark, CRLF, empty lines and any cut of the text have no effect', async () => {
  const lines = [GIRO, { accountId: 1, amount: 1.25, currency: 'EUR', purpose: 'ä😀"\\u2028' }]
  const text = `\uFEFF\r\n${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n')}\r\n`
  await assertProperty(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lengths) =>
      withWorkspace(async (file) => {
        const report = await importNdjson(file, inPieces(text, lengths), {
          now: NOW,
          lenient: false,
        })
        assert.equal(report.added, 1)
        assert.equal(only(file)?.purpose, lines[1] === undefined ? '' : 'ä😀"\\u2028')
      }),
    ),
    { numRuns: 20 },
  )
})

test('random lines are imported or refused with a clear error, never in part', async () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(1, -0, 0.1, 'EUR', '2026-01-31T00:00:00.000Z', {}, { id: 1 }, { name: 'A' }),
  )
  const member = fc.constantFrom(
    'kind',
    'id',
    'accountId',
    'account',
    'amount',
    'currency',
    'name',
    'category',
    'parentCategory',
    'counterpart',
    'bookingDate',
    'purpose',
    'paypal',
    '__proto__',
  )
  const line = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
    fc.dictionary(member, value).map((object) => JSON.stringify(object)),
    fc
      .dictionary(member, value)
      .map((object) => JSON.stringify({ accountId: 1, amount: 1, currency: 'EUR', ...object })),
  )
  const onlyClear = (error: unknown): void => {
    assert.ok(error instanceof StatementError, String(error))
    assert.match(error.message, /^line \d+/)
    assert.ok(error.message.length < 500, error.message)
  }
  await assertProperty(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), (lines) =>
      withWorkspace(async (file) => {
        await importLines(file, [GIRO])
        const before = await exported(file)
        await importLines(file, lines).catch(async (error: unknown) => {
          onlyClear(error)
          assert.equal(await exported(file), before)
        })
        const report = await importLines(file, lines, { lenient: true })
        assert.equal(report.warnings.length, report.skipped)
      }),
    ),
    { numRuns: 150 },
  )
})
