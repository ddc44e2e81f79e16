import { test } from 'tap'
import type { Amount } from '../../../src/money.js'
import { addAmounts, formatAmount } from '../../../src/money.js'
import { readCsv } from '../../../src/statements/csv/csv.js'
import type { StatementTransaction } from '../../../src/statements/statement.js'
import { eventsIn, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: 'paypal', currency: 'EUR' }

/** The sum of the net amounts: that by which the balance moved. */
function netOf(transactions: readonly StatementTransaction[]): string {
  let sum: Amount = { unscaled: 0, scale: 0 }
  for (const { amount, paypal } of transactions) sum = addAmounts(sum, paypal?.net ?? amount) ?? sum
  return formatAmount(sum.unscaled, sum.scale)
}

// After two real files of PayPal, with other names, numbers and amounts.
const GERMAN =
  '"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto",' +
  '"Transaktionscode","Guthaben","Zugehöriger Transaktionscode","Auswirkung auf Guthaben"\n' +
  '"14.07.2025","08:00:00","CEST","Laden","Einbehaltung für offene Autorisierung",' +
  '"Ausstehend","EUR","-15,20","0,00","-15,20","A1","84,80","","Soll"\n' +
  '"14.07.2025","08:00:00","CEST","Laden","Zahlung","Ausstehend","EUR","-15,20","0,00",' +
  '"-15,20","A2","84,80","A1","Memo"\n' +
  '"15.07.2025","08:00:00","CEST","Laden","Rückbuchung allgemeiner Einbehaltung",' +
  '"Abgeschlossen","EUR","15,20","0,00","15,20","A3","100,00","A1","Haben"\n' +
  '"15.07.2025","08:00:00","CEST","Laden","Handyzahlung","Abgeschlossen","EUR","-15,20",' +
  '"-0,30","-15,50","A4","84,50","A1","Soll"\n'

const ENGLISH =
  '"Date","Time","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID",' +
  '"Balance","Balance Impact"\n' +
  '"10/19/2019","03:46","Radio","Subscription Payment","Completed","USD","-4.50","0.00","-4.50",' +
  '"B1","-4.50","Debit"\n' +
  '"10/19/2019","03:46","","Bank Deposit to PP Account ","Pending","USD","4.50","0.00","4.50",' +
  '"B2","0.00","Credit"\n' +
  '"10/20/2019","03:46","Ann","Order","Denied","USD","9.00","0.00","9.00","B3","0.00","Memo"\n'

test('rows that moved the balance are kept, whatever their status', async (t) => {
  const cases: [string, string, number][] = [
    [GERMAN, '-15.5', 3],
    [ENGLISH, '0', 2],
  ]
  for (const [text, net, count] of cases) {
    const events = await eventsIn(readCsv, text, OWN)
    const found = transactionsOf(events)
    t.equal(found.length, count)
    t.equal(netOf(found), net, 'as the balance moved')
    let balance = found[0]?.balanceAfter
    for (const { balanceAfter, paypal, amount } of found.slice(1)) {
      balance = addAmounts(balance ?? amount, paypal?.net ?? amount)
      t.strictSame(balance, balanceAfter, 'each row leads on to the next balance')
    }
    const warnings = events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []))
    t.match(warnings, [
      /^not booked \((?:Auswirkung auf Guthaben|Balance Impact): Memo\), skipped$/u,
    ])
  }
})

test('a statement in Spanish has the balance after each row, net of fees', async (t) => {
  const text =
    'Fecha,Descripción,Divisa,Bruto,Comisión,Neto,Saldo,Nombre\n' +
    '13/01/2024,Pago,EUR,"100,00","-3,20","96,80","96,80",Ana\n' +
    '14/01/2024,Retirada,EUR,"-50,00","0,00","-50,00","46,80",\n'
  const found = transactionsOf(await eventsIn(readCsv, text, { account: 'paypal' }))
  const balances = found.map(({ balanceAfter }) => balanceAfter)
  t.strictSame(balances, [
    { unscaled: 968, scale: 1 },
    { unscaled: 468, scale: 1 },
  ])
})
