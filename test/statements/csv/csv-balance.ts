import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { balanceIn, kindAmong, kindBefore } from '../../../src/statements/csv/csv-balance.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import type { CsvNotation } from '../../../src/statements/csv/csv-notation.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { eventsIn, faultsOf, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

const GERMAN: CsvNotation = { days: 'dmy', decimalMark: 'comma', debitsNegative: false }

const OPTIONS: ReadOptions = {
  account: 'DE89370400440532013000',
  currency: 'EUR',
  columns: parseColumns('bookingDate=Datum,amount=Betrag,purpose=Text'),
}

function balancesOf(events: readonly StatementEvent[]): unknown[] {
  return events.flatMap((event) => (event.kind === 'balance' ? [event.balance] : []))
}

test('a line before the table with a balance is the closing balance', async (t) => {
  const table = 'Datum;Betrag;Text\n13.01.2024;-5,00;Brot\n'
  const cases: [string, unknown][] = [
    [
      '"Kontostand vom 31.01.2024:";"1.234,56 €"',
      { amount: { unscaled: 123456, scale: 2 }, currency: 'EUR', at: Date.UTC(2024, 0, 31) },
    ],
    ['Saldo;1172,12;CHF', { amount: { unscaled: 117212, scale: 2 }, currency: 'CHF' }],
    ['Kontostand: -7,50 EUR', { amount: { unscaled: -75, scale: 1 }, currency: 'EUR' }],
    [
      'Closing balance;31/01/2024;"+2.000,00"',
      { amount: { unscaled: 2000, scale: 0 }, currency: 'EUR', at: Date.UTC(2024, 0, 31) },
    ],
  ]
  for (const [line, balance] of cases) {
    const events = await eventsIn(readCsv, `${line}\n\n${table}`, OPTIONS)
    t.equal(sumOf(transactionsOf(events)), '-5')
    t.strictSame(balancesOf(events), [{ kind: 'closing', ...(balance as object) }], line)
    t.equal(events.at(-1)?.kind, 'balance', 'after the transactions')
  }
  const none = ['Saldoliste;7,00', 'Kontostand;unbekannt', 'Kontonummer;7']
  for (const line of none) {
    t.strictSame(balancesOf(await eventsIn(readCsv, `${line}\n${table}`, OPTIONS)), [], line)
  }
})

test('a line of totals below the table is not a booking', async (t) => {
  const columns = parseColumns('bookingDate=Date,debit=Débit,credit=Crédit,purpose=Libellé')
  const text =
    'Solde en fin de période;;;799,50;\nDate;Libellé;Débit;Crédit;Détail\n' +
    '02/02/2024;VIREMENT;;150,00;x\n20/02/2024;CB;-100,50;;y\n' +
    'Solde en début de période;;;750,00;\nTotal;;-100,50;150,00;\n'
  const events = await eventsIn(readCsv, text, { ...OPTIONS, columns })
  t.equal(sumOf(transactionsOf(events)), '49.5')
  t.strictSame(faultsOf(events), [])
  t.strictSame(balancesOf(events), [
    { kind: 'closing', amount: { unscaled: 7995, scale: 1 }, currency: 'EUR' },
    { kind: 'opening', amount: { unscaled: 750, scale: 0 }, currency: 'EUR' },
  ])
  t.match(
    events.filter(({ kind }) => kind === 'warning'),
    [{ message: /^a line of totals, not a booking \("Total \| -100,50/u, position: 'line 6' }],
  )
  const booking = `${text}21/02/2024;Total SA;-1,00;;\n`
  const named = await eventsIn(readCsv, booking, { ...OPTIONS, columns })
  t.equal(sumOf(transactionsOf(named)), '48.5', 'a row with a day is a booking')
  const positive = await eventsIn(readCsv, text.replace('Total;;-', 'Total;;'), {
    ...OPTIONS,
    columns,
  })
  t.equal(sumOf(transactionsOf(positive)), '49.5', 'a total does not decide the signs of debits')
})

test('balances around a table of two accounts belong to neither', async (t) => {
  const columns = parseColumns('bookingDate=Datum,amount=Betrag,accountNumber=Konto')
  const text = 'Saldo;5,00\nDatum;Betrag;Konto\n13.01.2024;1,00;7\n13.01.2024;2,00;8\n'
  t.strictSame(balancesOf(await eventsIn(readCsv, text, { currency: 'EUR', columns })), [])
})

test('a profile names the lines around its table with balances', async (t) => {
  const lines = [
    { begins: 'Alter Kontostand', kind: 'opening' },
    { begins: 'Neuer Kontostand', kind: 'closing' },
  ] as const
  const old = { line: 7, cells: ['Alter Kontostand', '', '5,00 EUR'] }
  t.equal(kindAmong(old, lines), 'opening')
  t.equal(kindBefore(old, lines), 'opening')
  t.equal(kindAmong(old, undefined), undefined, 'without names only before the table')
  t.equal(kindBefore({ line: 1, cells: ['Saldo', '5,00'] }, lines), undefined)
  t.strictSame(balanceIn(old, 'opening', GERMAN), {
    kind: 'opening',
    amount: { unscaled: 5, scale: 0 },
    currency: 'EUR',
  })
})

test('a column has the balance after each row', async (t) => {
  const columns = parseColumns('bookingDate=Datum,amount=Betrag,balanceAfter=Saldo')
  const text = 'Datum;Betrag;Saldo\n13.01.2024;-5,00;1.095,00\n14.01.2024;1,00;\n'
  const found = transactionsOf(await eventsIn(readCsv, text, { ...OPTIONS, columns }))
  t.strictSame(found[0]?.balanceAfter, { unscaled: 1095, scale: 0 })
  t.notOk('balanceAfter' in (found[1] ?? {}), 'absent where the cell is blank')
})

test('an own IBAN with wrong check digits gives one warning', async (t) => {
  const columns = parseColumns('bookingDate=Datum,amount=Betrag,accountIban=Konto')
  const row = (iban: string): string => `13.01.2024;-5,00;${iban}\n`
  const rows = ['DE89370400440532013001', 'DE89370400440532013000', 'DE89370400440532013001']
  const text = `Datum;Betrag;Konto\n${rows.map(row).join('')}`
  const events = await eventsIn(readCsv, text, { currency: 'EUR', columns })
  t.strictSame(
    events.filter(({ kind }) => kind === 'warning'),
    [
      {
        kind: 'warning',
        message:
          "the account's IBAN DE89370400440532013001 has wrong check digits or a wrong length",
        position: 'line 2',
      },
    ],
  )
})

test('a row whose only text names a balance is no booking, and has the sign it says', async (t) => {
  const columns = parseColumns('bookingDate=#1,purpose=Text,amount=Betrag,direction=#5')
  const table =
    'Tag;Text;Name;Betrag; \n13.01.2024;Brot;Bäcker;5,00;S\n14.01.2024;Endsaldo;Anna;1,00;H\n' +
    '01.01.2024;Anfangssaldo;;3,00;S\n;Endsaldo:;;7,00;S\n'
  const events = await eventsIn(readCsv, table, { ...OPTIONS, columns })
  t.equal(sumOf(transactionsOf(events)), '-4', 'a booking with a name stays one')
  t.strictSame(faultsOf(events), [])
  t.strictSame(balancesOf(events), [
    {
      ...{ kind: 'opening', amount: { unscaled: -3, scale: 0 }, currency: 'EUR' },
      at: Date.UTC(2024, 0, 1),
    },
    { kind: 'closing', amount: { unscaled: -7, scale: 0 }, currency: 'EUR' },
  ])
  const running =
    'Date,Description,Amount,Balance\n01/01/2024,Opening balance,,9.50\n' +
    '13/01/2024,Bread,-5.00,4.50\n'
  const found = await eventsIn(readCsv, running, { account: '4711', currency: 'EUR' })
  t.strictSame(faultsOf(found), [])
  t.equal(transactionsOf(found).length, 1)
  t.match(balancesOf(found), [{ kind: 'opening', amount: { unscaled: 95, scale: 1 } }])
})
