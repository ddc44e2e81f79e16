import { test } from 'tap'
import { guessColumns } from '../../../src/statements/csv/csv-guess.js'
import { guessTable } from '../../../src/statements/csv/csv-guess-table.js'

/** The suggested mapping, and what it could not place. */
function guessOf(text: string): { readonly columns: string; readonly doubts: readonly string[] } {
  const table = guessTable(text)
  if (table === undefined) throw new Error('no table found')
  const { columnsText, ambiguities } = guessColumns(table, true)
  return { columns: columnsText, doubts: ambiguities }
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
  t.strictSame(all.doubts, [])
  const mixed = `${moved}04.02.2024;Kino;-7,00;39,00;ausstehend\n`
  t.strictSame(guessOf(STATES + mixed).doubts, [
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
