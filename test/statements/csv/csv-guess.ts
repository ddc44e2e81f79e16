import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { guessColumns } from '../../../src/statements/csv/csv-guess.js'
import { guessTable } from '../../../src/statements/csv/csv-guess-table.js'
import { refusalIn } from '../../fixtures/statement-texts.js'

/** The suggested mapping, and what it could not place. */
function guessOf(text: string): {
  readonly columns: string
  readonly ambiguities: readonly string[]
} {
  const table = guessTable(text)
  if (table === undefined) throw new Error('no table found')
  const { columnsText, ambiguities } = guessColumns(table, true)
  return { columns: columnsText, ambiguities }
}

const STATES = 'Datum;Zweck;Betrag;Saldo;Status\n'
const FIRST = '01.02.2024;Miete;-10,00;90,00;abgeschlossen\n'

test('the balances decide whether the rows of a state are booked', (t) => {
  const left =
    `${FIRST}02.02.2024;Tank;-50,00;90,00;ausstehend\n` +
    '03.02.2024;Brot;-1,00;89,00;abgeschlossen\n'
  t.match(guessOf(STATES + left).columns, /,booked=Status:abgeschlossen$/u)
  const moved =
    `${FIRST}02.02.2024;Tank;-50,00;40,00;ausstehend\n` +
    '03.02.2024;Brot;-1,00;39,00;abgeschlossen\n'
  const all = guessOf(STATES + moved)
  t.notMatch(all.columns, 'booked=', 'the pending row moved the balance')
  t.strictSame(all.ambiguities, [])
  const mixed = `${moved}04.02.2024;Kino;-7,00;39,00;ausstehend\n`
  t.strictSame(guessOf(STATES + mixed).ambiguities, [
    'the balances in column Saldo follow neither from all rows nor from those that ' +
      'booked=Status:abgeschlossen keeps; specify which rows are booked by the texts of column ' +
      'Status',
  ])
  const without = mixed.replaceAll(/;[0-9,]+;(?=a)/gu, ';;')
  t.match(guessOf(STATES + without).columns, 'booked=Status:abgeschlossen', 'no balance')
  t.end()
})

test('the balances decide about states in a table of debits and credits', (t) => {
  const header = 'Datum;Zweck;Soll;Haben;Saldo;Status\n'
  const rows =
    '01.02.2024;Miete;10,00;;90,00;gebucht\n02.02.2024;Tank;50,00;;40,00;vorgemerkt\n' +
    '03.02.2024;Lohn;;5,00;45,00;gebucht\n'
  t.notMatch(guessOf(header + rows).columns, 'booked=')
  const left = rows.replace('40,00', '90,00').replace('45,00', '95,00')
  t.match(guessOf(header + left).columns, /,booked=Status:gebucht$/u)
  const debits = left.replace(';5,00;95,00', '5,00;;85,00')
  t.match(guessOf(header + debits).columns, /,booked=Status:gebucht$/u, 'no credit in the rows')
  t.end()
})

test('a column of amounts has its own decimal mark', (t) => {
  const bourso =
    'jour;texte;amount;balance\n2024-01-15;CB;-12,50;987.50\n' +
    '2024-01-14;VIR;"1 000,00";1000.00\n'
  t.equal(guessOf(bourso).columns, 'bookingDate=jour,amount=amount,purpose=texte', 'no balance')
  const times = 'Tag;Zeit;Betrag;Text\n02.01.2024;10.30;-1,50;Brot\n03.01.2024;11.45;2,50;Lohn\n'
  t.match(guessOf(times).columns, 'amount=Betrag', 'times are no amounts')
  t.end()
})

test('amounts of a card, mostly without a minus, are charges or not: the caller decides', (t) => {
  const chargeNote = (column: string): readonly RegExp[] => [
    new RegExp(`^column ${column} may have the charges of a card, .* map charge=${column};`, 'u'),
  ]
  const rows = '14/01/2024,REWE,"23,45"\n13/01/2024,ZAHLUNG ERHALTEN,"-150,00"\n'
  t.match(guessOf(`Datum,Text,Betrag\n${rows}`).ambiguities, chargeNote('Betrag'))
  const held = rows.replaceAll(',"', ',MAX,"').replace('ZAHLUNG ERHALTEN', 'x')
  t.match(guessOf(`Datum,Text,Karteninhaber,Betrag\n${held}`).ambiguities, chargeNote('Betrag'))
  const debits = `${held}12/01/2024,DB,MAX,"-9,00"\n`
  t.strictSame(guessOf(`Datum,Text,Karteninhaber,Betrag\n${debits}`).ambiguities, [])
  const other = rows.replace('ZAHLUNG ERHALTEN', 'Miete')
  t.strictSame(guessOf(`Datum,Text,Betrag\n${other}`).ambiguities, [])
  t.end()
})

test('the name of the own account is no counterpart', (t) => {
  const table =
    'Datum;Omschrijving;Rekening naam;Bedrag\n2024-01-05;Opname;Spaarrekening;-1,00\n' +
    '2024-01-04;Inleg;Spaarrekening;5,00\n'
  t.equal(guessOf(table).columns, 'bookingDate=Datum,amount=Bedrag,purpose=Omschrijving')
  t.end()
})

test('the rows of a refusal have the currency of their amounts', async (t) => {
  const table = 'Data;Opis;Kwota\n05/01-2024;Biedronka;-12,50 PLN\n06/01-2024;Lohn;1 500,00 PLN\n'
  const message = (await refusalIn(readCsv, table, { account: '4711' })) ?? ''
  t.match(message, '\n  2024-01-05 | -12.5 PLN | Biedronka\n  2024-01-06 | 1500 PLN | Lohn\n')
  t.notMatch(message, 'add --currency')
  const other = (await refusalIn(readCsv, table, { account: '4711', currency: 'EUR' })) ?? ''
  t.match(other, '"-12,50 PLN" is not in EUR; specify --currency PLN')
})
