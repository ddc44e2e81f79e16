import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { NEW_ACCOUNTS_MAX } from '../../../src/limits.js'
import { WARNINGS_LISTED_MAX } from '../../../src/statements/import/import-report.js'
import {
  FIELD_CODE_POINTS_MAX,
  StatementError,
  type StatementEvent,
  type StatementTransaction,
} from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { withWorkspace } from '../../fixtures/files.js'
import {
  amount,
  balance,
  booking,
  DAY_MS,
  FIRST_DAY,
  giro,
  IBAN,
  importEvents,
  NOW,
} from '../../fixtures/statement-events.js'

test('a file creates account and transactions; the same file again changes nothing', async (t) => {
  await withWorkspace(async (file) => {
    const events = [
      giro,
      balance('opening', '100', 0),
      booking('-20.5', 1, {
        purpose: 'Miete',
        counterpart: { name: 'Müller', iban: 'DE02120300000000202051', mandateReference: 'M1' },
        paypal: { invoiceNumber: 'R1', fee: amount('0.35') },
        originalAmount: amount('-23.1'),
        originalCurrency: 'USD',
      }),
      booking('-20.5', 1, { purpose: 'Miete' }),
      balance('closing', '59', 1),
    ]
    const first = await importEvents(file, events)
    t.match(first, { added: 2, unchanged: 0, updated: 0, skipped: 0, warnings: [] })
    t.same([...first.accountIds], [1])
    const rows = [...file.transactionsOldestFirst()]
    t.match(rows[0], {
      accountId: 1,
      amountUnscaled: -205,
      amountScale: 1,
      counterpartName: 'Müller',
      mandateReference: 'M1',
      paypalFeeUnscaled: 35,
      originalAmountUnscaled: -231,
      originalCurrency: 'USD',
      bookedAt: FIRST_DAY + DAY_MS,
      importedAt: NOW,
      createdAt: NOW,
      updatedAt: NOW,
      categoryId: null,
    })
    t.match(file.accounts(), [
      { iban: IBAN, blz: '37040044', balanceUnscaled: 59, balanceScale: 0 },
    ])
    const before = file.version()
    const second = await importEvents(file, events, { now: NOW + 1 })
    t.match(second, { added: 0, unchanged: 2, warnings: [] })
    t.same(file.version(), before, 'no row was written')
    t.same([...file.transactionsOldestFirst()], rows)
  })
})

test('overlapping files give their union, in any order: a naive twin', async () => {
  const kinds = fc.record({
    text: fc.constantFrom('-1', '-2.50', '3'),
    day: fc.nat({ max: 3 }),
    purpose: fc.option(fc.constantFrom('Kaffee', 'KAFFEE', 'Kaf fee', 'Tee'), { nil: undefined }),
    bankReference: fc.option(fc.constantFrom('R1', 'R2'), { nil: undefined }),
    account: fc.constantFrom(IBAN, 'DE02120300000000202051'),
  })
  const files = fc.array(fc.array(kinds, { maxLength: 12 }), { maxLength: 4 })
  type Kind = typeof kinds extends fc.Arbitrary<infer T> ? T : never
  const keyOf = (kind: Kind): string => {
    const words = kind.bankReference ?? `${(kind.purpose ?? '').replace(/\s/g, '').toLowerCase()} `
    return JSON.stringify([kind.account, kind.text, kind.day, words])
  }
  await assertProperty(
    fc.asyncProperty(files, (lists) =>
      withWorkspace(async (file) => {
        // The rule, naively: of each key there are as many as in the file with the most.
        const most = new Map<string, number>()
        for (const list of lists) {
          const counts = new Map<string, number>()
          for (const kind of list) counts.set(keyOf(kind), (counts.get(keyOf(kind)) ?? 0) + 1)
          let added = 0
          for (const [key, count] of counts) {
            added += Math.max(0, count - (most.get(key) ?? 0))
            most.set(key, Math.max(count, most.get(key) ?? 0))
          }
          const events = list.flatMap(({ text, day, purpose, bankReference, account }) => [
            { kind: 'account', account: { iban: account } } as const,
            booking(text, day, {
              ...(purpose === undefined ? {} : { purpose }),
              ...(bankReference === undefined ? {} : { bankReference }),
            }),
          ])
          const report = await importEvents(file, events)
          assert.equal(report.added, added)
          assert.equal(report.unchanged, list.length - added)
        }
        const total = [...most.values()].reduce((sum, count) => sum + count, 0)
        assert.equal(file.transactionCount(), total)
      }),
    ),
    { numRuns: 60 },
  )
})

test('a refused entry fails the whole file, or is skipped and listed', async (t) => {
  const refused: StatementEvent = {
    kind: 'refused',
    fault: { position: 'line 12', field: 'Betrag', message: '"1,2,3" is no amount' },
  }
  await withWorkspace(async (file) => {
    const before = file.version()
    await t.rejects(importEvents(file, [giro, booking('1', 0), refused]), {
      message: 'line 12, Betrag: "1,2,3" is no amount (--lenient skips it)',
    })
    t.same(file.version(), before, 'nothing was imported in part')
    const many = Array.from({ length: WARNINGS_LISTED_MAX + 5 }, () => refused)
    const report = await importEvents(file, [giro, booking('1', 0), ...many], { lenient: true })
    t.match(report, { added: 1, skipped: WARNINGS_LISTED_MAX + 5 })
    t.equal(report.warnings[0], 'skipped line 12, Betrag: "1,2,3" is no amount')
    t.equal(report.warnings.length, WARNINGS_LISTED_MAX + 1)
    t.equal(report.warnings.at(-1), 'and 5 more warnings')
  })
})

test('an entry that cannot be stored is refused with its position and field', async (t) => {
  const cases: [Partial<StatementTransaction>, RegExp][] = [
    [{ purpose: 'x'.repeat(FIELD_CODE_POINTS_MAX + 1) }, /^entry 1, purpose: has more than 10000/],
    [{ counterpart: { name: 'a\ud800' } }, /^entry 1, name: contains a lone surrogate/],
    [{ purpose: 'a\0b' }, /^entry 1, purpose: contains a NUL character \(U\+0000\)/],
    [{ currency: 'eur' }, /^entry 1, currency: "eur" is not a currency/],
    [{ currency: '' }, /^entry 1, currency: the currency is missing; specify one/],
  ]
  await withWorkspace(async (file) => {
    for (const [more, message] of cases) {
      await t.rejects(importEvents(file, [giro, booking('1', 0, more)]), { message })
    }
    const widest = booking('1', 0, { purpose: '😀'.repeat(FIELD_CODE_POINTS_MAX) })
    t.match(await importEvents(file, [giro, widest]), { added: 1 })
  })
})

test('account and currency that the file lacks are requested', async (t) => {
  await withWorkspace(async (file) => {
    await t.rejects(importEvents(file, [booking('1', 0)]), { message: /--account IBAN/ })
    const nameless: StatementEvent = { kind: 'account', account: { accountNumber: '7' } }
    await t.rejects(importEvents(file, [nameless]), {
      message:
        'account 7: the file does not name a currency; specify one, for example --currency EUR',
    })
    await t.rejects(importEvents(file, [nameless]), StatementError)
    t.match(await importEvents(file, [booking('1', 0)], { account: IBAN }), { added: 1 })
    t.match(await importEvents(file, [nameless], { currency: 'CHF' }), { added: 0 })
    const [first, second] = file.accounts()
    t.match(first, { iban: IBAN, currency: 'EUR', accountNumber: '532013000' })
    t.match(second, { accountNumber: '7', currency: 'CHF' })
  })
})

test('a statement that does not add up is imported with a warning', async (t) => {
  await withWorkspace(async (file) => {
    const report = await importEvents(file, [
      giro,
      balance('opening', '100', 0),
      booking('-20', 0),
      balance('closing', '90', 0),
      giro,
      balance('opening', '90', 1),
      booking('1', 1),
      balance('closing', '91', 1),
    ])
    t.match(report, { added: 2 })
    t.equal(report.warnings.length, 1)
    t.match(
      report.warnings[0],
      /opening balance 100 and entries -20 do not add up to the closing balance 90/,
    )
  })
})

test("only the newest closing balance becomes the account's balance", async (t) => {
  await withWorkspace(async (file) => {
    const balanceNow = (): number | null | undefined => file.accounts()[0]?.balanceUnscaled
    const day = (n: number, closing: string): StatementEvent[] => [
      giro,
      booking('1', n, { purpose: `day ${n}` }),
      balance('closing', closing, n),
    ]
    await importEvents(file, [...day(6, '60'), ...day(5, '50')])
    t.equal(balanceNow(), 60, 'the latest day, not the last of the file')
    await importEvents(file, day(3, '30'))
    t.equal(balanceNow(), 60, 'an older statement does not set it back')
    await importEvents(file, [giro, balance('closing', '61', 9)])
    t.equal(balanceNow(), 60, 'a statement without new rows changes nothing')
    await importEvents(file, day(6, '77'))
    t.equal(balanceNow(), 60, 'nor does a known one')
    await importEvents(file, [giro, booking('2', 6), balance('closing', '62', 6)])
    t.equal(balanceNow(), 62, 'another statement of the same day')
    await importEvents(file, [giro, booking('2', 8)])
    await importEvents(file, [giro, booking('2', 7), balance('closing', '64', 7)])
    t.equal(balanceNow(), 62, 'not when a later booking is known')
  })
})

test('a file with more new accounts than a group of companies has is refused', async (t) => {
  const events = Array.from({ length: NEW_ACCOUNTS_MAX + 1 }, (_, i): StatementEvent[] => [
    { kind: 'account', account: { accountNumber: `N${i}`, currency: 'EUR' } },
    booking('1', 1),
  ])
  const allowed = events.slice(1).flat()
  await withWorkspace(async (file) => {
    for (const lenient of [false, true]) {
      await t.rejects(importEvents(file, events.flat(), { lenient }), {
        message: /^account N1000: the file creates more than 1000 accounts.*--many-accounts/,
      })
      t.same(file.accounts(), [])
    }
    t.match(await importEvents(file, allowed), { added: NEW_ACCOUNTS_MAX })
    t.match(await importEvents(file, events.flat()), { added: 1 }, 'existing ones do not count')
  })
  await withWorkspace(async (file) => {
    const report = await importEvents(file, events.flat(), { allowsManyAccounts: true })
    t.equal(report.added, NEW_ACCOUNTS_MAX + 1)
  })
})

test('a statement in more currencies than banks have is refused', async (t) => {
  const currencyOf = (i: number): string =>
    `A${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`
  const bookings = (count: number): StatementEvent[] =>
    Array.from({ length: count }, (_, i) => booking('1', 1, { currency: currencyOf(i) }))
  await withWorkspace(async (file) => {
    await t.rejects(importEvents(file, [giro, ...bookings(101)]), {
      message: /^account DE89.*: a statement of it has more than 100 currencies; check the file/,
    })
    t.match(await importEvents(file, [giro, ...bookings(100)]), { added: 100 })
  })
})
