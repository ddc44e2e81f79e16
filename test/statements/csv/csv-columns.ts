import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import {
  columnsText,
  parseColumns,
  profileOfColumns,
  writtenColumnAt,
} from '../../../src/statements/csv/csv-columns.js'
import { columnPlaces } from '../../../src/statements/csv/csv-layout.js'
import { columnKey } from '../../../src/statements/csv/csv-profile.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { eventsIn, faultsOf, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

function columns(text: string): ReadOptions {
  return { account: '4711', currency: 'EUR', columns: parseColumns(text) }
}

function warningsOf(events: readonly StatementEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'warning' ? [`${event.position}: ${event.message}`] : [],
  )
}

test('several columns fill one field of text', async (t) => {
  const table =
    'Datum;Bedrag;Naam;Omschrijving-1;Omschrijving-2;Omschrijving-3\n' +
    '2018-03-14;+50,00;Loterij;Gewonnen; ;Trekking 10-03\n'
  const purpose = 'purpose=Omschrijving-1+Omschrijving-2+Omschrijving-3'
  const options = columns(`bookingDate=Datum,amount=Bedrag,counterpartName=Naam,${purpose}`)
  const [found] = transactionsOf(await eventsIn(readCsv, table, options))
  t.equal(found?.purpose, 'Gewonnen Trekking 10-03')
  t.equal(found?.counterpart.name, 'Loterij')
  const whole = 'Datum;Bedrag;BAR-Entgelt+Buchungsreferenz;a: b\n2018-03-14;1,00;x;y\n'
  const named = columns('bookingDate=Datum,amount=Bedrag,purpose=BAR-Entgelt+Buchungsreferenz')
  t.equal(transactionsOf(await eventsIn(readCsv, whole, named))[0]?.purpose, 'x', 'its own name')
  const colon = columns('bookingDate=Datum,amount=Bedrag,purpose=a: b')
  t.equal(transactionsOf(await eventsIn(readCsv, whole, colon))[0]?.purpose, 'y')
})

test('a file without a header is mapped by numbers', async (t) => {
  const rows =
    '18.09.2017;HOFER;16.09.2017;33,87;O\n19.09.2017;EVN AG;19.09.2017;14,00;O\n' +
    '20.09.2017;Gehalt;20.09.2017;24,00;I\n'
  const mapping = 'bookingDate=#1,valueDate=#3,amount=#4,purpose=#2,direction=#5:O|I'
  const events = await eventsIn(readCsv, rows, columns(mapping))
  t.equal(sumOf(transactionsOf(events)), '-23.87')
  t.strictSame(warningsOf(events), [])
  t.match(transactionsOf(events)[0], {
    position: 'line 1',
    purpose: 'HOFER',
    bookedAt: Date.UTC(2017, 8, 18),
    valuedAt: Date.UTC(2017, 8, 16),
  })
  const headed = await eventsIn(readCsv, `a;b;c;d;e\n${rows}`, columns(mapping))
  t.equal(sumOf(transactionsOf(headed)), '-23.87')
  t.strictSame(warningsOf(headed), [
    'line 1: this line before the first date is taken for a heading, and skipped: ' +
      '"a | b | c | d | e"',
  ])
  const short = await eventsIn(readCsv, `${rows}21.09.2017;x;21.09.2017\n`, columns(mapping))
  t.match(faultsOf(short), [{ position: 'line 4', message: /^has 3 columns, expected 5/u }])
  const wrong = await eventsIn(readCsv, rows.replace('33,87', '33x'), columns(mapping))
  t.match(faultsOf(wrong), [{ position: 'line 1', field: '#4' }])
  await t.rejects(eventsIn(readCsv, 'a;b\nc;d\n', columns('bookingDate=#1,amount=#2')), {
    message: /^line 1: no row has a date in the date column of --columns/u,
  })
})

test('a number also names a column of a table with a header', async (t) => {
  const table = 'Datum;;Betrag\n2024-01-13;Miete;-5,00\n'
  const options = columns('bookingDate=Datum,amount=Betrag,purpose=#2')
  t.equal(transactionsOf(await eventsIn(readCsv, table, options))[0]?.purpose, 'Miete')
})

test('a filter leaves out rows that are not booked', async (t) => {
  const table =
    'Date;Amount;State\n2024-01-13;1.00;COMPLETED\n2024-01-13;2.00;PENDING\n' +
    '2024-01-13;4.00;Settled\n2024-01-13;8.00;\n'
  const read = (filter: string): Promise<StatementEvent[]> =>
    eventsIn(readCsv, table, columns(`bookingDate=Date,amount=Amount,${filter}`))
  const booked = await read('booked=State:completed|settled')
  t.equal(sumOf(transactionsOf(booked)), '5')
  t.strictSame(warningsOf(booked), [
    'line 3: not booked (State: PENDING), skipped',
    'line 5: not booked (State: ), skipped',
  ])
  t.equal(sumOf(transactionsOf(await read('unbooked=State:pending'))), '13')
})

test('a wrong right side of --columns is named', async (t) => {
  const base = 'bookingDate=a,amount=b'
  const wrong: [string, RegExp][] = [
    [`${base},booked=State`, /booked needs a text after the column, such as booked=State:DONE/u],
    [`${base},direction=x:out`, /direction takes two words, debit first/u],
    [`${base},valueDate="a"+"b"`, /valueDate takes one column/u],
    [`${base},purpose=a+`, /purpose names no column/u],
    [`${base},purpose="a`, /cannot read "purpose=\\"a"/u],
    [`${base},purpose=a|b`, /cannot read "purpose=a\|b"/u],
    ['bookingDate=a,debit=b,credit=c,direction=d', /direction goes with amount/u],
  ]
  for (const [text, message] of wrong) {
    t.throws(() => parseColumns(text), { name: 'CommandError', kind: 'usage', message }, text)
  }
})

test('a column is found by its text in --columns', async (t) => {
  const name = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '#', ...',="+:|;\'') })
  assertProperty(
    fc.property(fc.array(name, { minLength: 3, maxLength: 6 }), (header) => {
      const written = header.map((_, place) => writtenColumnAt(header, place))
      const places = columnPlaces(header)
      const [date = '', amount = '', ...others] = written
      const text = columnsText([
        ['bookingDate', date],
        ['amount', amount],
        ['purpose', others.join('+')],
      ])
      assert.ok(!text.includes("'"), 'a shell takes it in single quotes')
      const has = (column: string): boolean => places.has(columnKey(column))
      const { signature } = profileOfColumns(parseColumns(text), has)
      const found = signature.map((column) => places.get(columnKey(column)))
      assert.deepEqual(found, [...header.keys()], text)
    }),
    { numRuns: 500 },
  )
  t.pass('names with every sign of the syntax, twice, or none')
})
