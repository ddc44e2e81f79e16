// What the balances of a whole file prove, and the balance that an account gets.
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import type { StatementEvent, StatementTransaction } from '../../../src/statements/statement.js'
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
} from '../../fixtures/statement-events.js'
import { eventsIn } from '../../fixtures/statement-texts.js'

const UNPROVED = { result: 'unproved' }

/** A row of a table with a balance after each row. */
function row(
  line: number,
  [text, balanceAfter, day]: readonly [amount: string, balanceAfter: string, day: number],
  more: Partial<StatementTransaction> = {},
): StatementEvent {
  const position = `line ${line}`
  return booking(text, day, { balanceAfter: amount(balanceAfter), position, ...more })
}

test('the result is that of all statements and accounts of the file', async (t) => {
  const day = (n: number, opening: string, closing: string): StatementEvent[] => [
    giro,
    balance('opening', opening, n - 1),
    booking('1', n),
    balance('closing', closing, n),
  ]
  const other: StatementEvent = { kind: 'account', account: { accountNumber: '7' } }
  const cases: [string, StatementEvent[], object][] = [
    ['one statement', day(1, '5', '6'), { result: 'proved' }],
    ['statements that meet', [...day(1, '5', '6'), ...day(2, '6', '7')], { result: 'proved' }],
    [
      'a missing day',
      [...day(1, '5', '6'), ...day(3, '8', '9')],
      { result: 'gaps', at: 'statement of 2026-01-04' },
    ],
    [
      'a wrong one and a missing day',
      [...day(1, '5', '6'), ...day(3, '8', '9'), ...day(4, '9', '11')],
      { result: 'contradicted', at: 'statement of 2026-01-05' },
    ],
    [
      'by value date',
      [
        ...[giro, balance('opening', '5', 0), booking('1', 1)],
        booking('2', 1, { valuedAt: FIRST_DAY + 2 * DAY_MS }),
        balance('closing', '6', 1),
      ],
      { result: 'proved' },
    ],
    ['a closing balance alone', [giro, booking('1', 1), balance('closing', '6', 1)], UNPROVED],
    ['no balance', [giro, booking('1', 1)], UNPROVED],
    ['one account without', [...day(1, '5', '6'), other, booking('1', 1)], UNPROVED],
    ['no rows and no balance', [giro], UNPROVED],
    [
      'a statement without entries',
      [giro, balance('opening', '5', 0), balance('closing', '5', 1)],
      { result: 'proved' },
    ],
  ]
  for (const [name, events, expected] of cases) {
    await withWorkspace(async (file) => {
      t.strictSame((await importEvents(file, events)).balances, expected, name)
    })
  }
})

test('a gap between two statements is a warning with both days and the difference', async (t) => {
  await withWorkspace(async (file) => {
    const { warnings } = await importEvents(file, [
      giro,
      ...[balance('opening', '100', 0), booking('1', 0), balance('closing', '101', 0)],
      giro,
      ...[balance('opening', '98.5', 2), booking('1', 2), balance('closing', '99.5', 2)],
    ])
    t.same(warnings, [
      `account ${IBAN}, statement of 2026-01-03: its opening balance is not the closing balance ` +
        'of the statement of 2026-01-01 before it: the difference is -2.5 EUR; a statement ' +
        'between them may be missing',
    ])
  })
})

test('a table with the newest row first proves its rows and gives the balance', async (t) => {
  await withWorkspace(async (file) => {
    const table = [giro, row(2, ['-3', '104', 2]), row(3, ['2', '107', 1]), row(4, ['5', '105', 0])]
    const report = await importEvents(file, table)
    t.match(report, { added: 3, warnings: [], balances: { result: 'proved' } })
    t.match(file.accounts(), [{ balanceUnscaled: 104, balanceScale: 0 }])
    await importEvents(file, [giro, row(2, ['1', '100', 0]), row(3, ['9', '99', 0])])
    t.match(file.accounts(), [{ balanceUnscaled: 104 }], 'an older table does not set it back')
    await importEvents(file, [giro, row(2, ['1', '105', 3]), row(3, ['-3', '104', 2])])
    t.match(file.accounts(), [{ balanceUnscaled: 105 }], 'a newer one sets it')
  })
})

test('a wrong row gives a warning with its line; other currencies are separate', async (t) => {
  await withWorkspace(async (file) => {
    const dollars = { currency: 'USD' }
    const { warnings, balances } = await importEvents(file, [
      giro,
      row(2, ['5', '105', 0]),
      row(3, ['70', '70', 0], dollars),
      row(4, ['2', '107', 1]),
      row(5, ['-3', '105', 2]),
      row(6, ['-20', '50', 2], dollars),
      row(7, ['4', '109', 3]),
      row(8, ['4', '113', 4]),
    ])
    t.same(warnings, [
      `account ${IBAN}, line 5: the balance 105 EUR does not follow from the balance 107 before ` +
        'it and the amount -3: the difference is 1',
    ])
    t.strictSame(balances, { result: 'contradicted', at: 'line 5' })
    t.match(file.accounts(), [{ balanceUnscaled: 113 }], 'the balance that the file states')
  })
})

test('the balance of PayPal moves by the amount minus the fee', async (t) => {
  await withWorkspace(async (file) => {
    const paypal = { fee: amount('-0.35'), net: amount('9.65') }
    const events = [giro, row(2, ['1', '1', 0]), row(3, ['10', '10.65', 1], { paypal })]
    t.match(await importEvents(file, events), { warnings: [], balances: { result: 'proved' } })
  })
})

test('rows before the first balance and after the last one are bridged or left open', async (t) => {
  await withWorkspace(async (file) => {
    const events = [
      giro,
      booking('7', 0),
      row(3, ['5', '105', 0]),
      booking('7', 1),
      row(5, ['1', '113', 1]),
    ]
    t.match(await importEvents(file, events), { warnings: [], balances: { result: 'proved' } })
    t.match(file.accounts(), [{ balanceUnscaled: 113 }])
  })
})

test('a row without a booking date is booked on its value date, and found again', async (t) => {
  await withWorkspace(async (file) => {
    const { transaction } = booking('5', 3) as { transaction: StatementTransaction }
    const { bookedAt, ...undated } = transaction
    const events: StatementEvent[] = [giro, { kind: 'transaction', transaction: undated }]
    const { warnings } = await importEvents(file, events)
    t.same(warnings, ['entry 1: has no booking date, so its value date 2026-01-04 is taken for it'])
    t.match([...file.transactionsOldestFirst()], [{ bookedAt, valuedAt: bookedAt }])
    t.match(await importEvents(file, events), { added: 0, unchanged: 1 })
    const { valuedAt: _, ...timeless } = undated
    const refused: StatementEvent[] = [giro, { kind: 'transaction', transaction: timeless }]
    await t.rejects(importEvents(file, refused), {
      message:
        'entry 1, booking date: is missing, and so is the value date; one of them is expected, ' +
        'for example 2024-12-31; ask the bank for a file with dates (--lenient skips it)',
    })
  })
})

test('a CSV file with balances names its first wrong row and gives the balance', async (t) => {
  const rows = [
    '2024-05-31,Rent,-12.50,94.50',
    '2024-05-30,Pay,100.00,107.00',
    '2024-05-30,Food,-3.00,7.00',
    '2024-05-29,Pay,10.00,10.00',
  ]
  const imported = async (lines: readonly string[]) => {
    const text = ['Date,Description,Amount,Balance', ...lines, ''].join('\n')
    const events = await eventsIn(readCsv, text, { account: IBAN, currency: 'EUR' })
    return withWorkspace(async (file) => {
      const { warnings, balances } = await importEvents(file, events, { account: IBAN })
      return { warnings, balances, accounts: file.accounts() }
    })
  }
  for (const lines of [rows, [...rows].reverse()]) {
    t.match(await imported(lines), {
      ...{ warnings: [], balances: { result: 'proved' } },
      accounts: [{ balanceUnscaled: 945, balanceScale: 1 }],
    })
  }
  const wrong = rows.map((line) => line.replace('100.00', '-100.00'))
  t.match(await imported(wrong), {
    balances: { result: 'contradicted', at: 'line 3' },
    warnings: [/^account DE\d+, line 3: the balance 107 EUR does not follow .* is 200$/],
  })
})
