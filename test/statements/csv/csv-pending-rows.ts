import { test } from 'tap'
import type { Amount } from '../../../src/money.js'
import { addAmounts } from '../../../src/money.js'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { eventsIn, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: 'paypal', currency: 'EUR' }
const HEADER = 'Datum,Name,Typ,Status,Währung,Brutto,Gebühr,Netto,Transaktionscode,Guthaben\n'
const HOLD = 'Einbehaltung für offene Autorisierung'
const DEPOSIT = 'Bankgutschrift auf PayPal-Konto'

function row(type: string, status: string, net: string, balance: string, fee = '0,00'): string {
  return `13.07.2025,x,${type},${status},EUR,"${net}","${fee}","${net}",T1,"${balance}"\n`
}

async function codesAndSum(rows: readonly string[]): Promise<[count: number, sum: string]> {
  const found = transactionsOf(await eventsIn(readCsv, HEADER + rows.join(''), OWN))
  return [found.length, sumOf(found)]
}

test('pending rows are booked if the balance moved by them, whatever their type', async (t) => {
  const rows = [
    row('Zahlung', 'Abgeschlossen', '-10,00', '38,53'),
    row(HOLD, 'Ausstehend', '-13,21', '25,32'),
    row('Rückbuchung allgemeiner Einbehaltung', 'Abgeschlossen', '13,21', '38,53'),
    row('Zahlung', 'Abgeschlossen', '-24,77', '13,76'),
    row(DEPOSIT, 'Ausstehend', '5,00', '13,76'),
    row('Zahlung', 'Ausstehend', '-3,76', '10,00'),
    row('Zahlung', 'Abgelehnt', '-1,00', '10,00'),
  ]
  t.strictSame(await codesAndSum(rows), [5, '-38.53'])
  const events = await eventsIn(readCsv, HEADER + rows.join(''), OWN)
  let balance: Amount | undefined
  for (const { amount, balanceAfter } of transactionsOf(events)) {
    if (balance !== undefined) t.strictSame(addAmounts(balance, amount), balanceAfter)
    balance = balanceAfter
  }
  const left = events.flatMap((event) => (event.kind === 'warning' ? [event] : []))
  t.strictSame(
    left.map(({ position, message }) => `${position}: ${message}`),
    [
      'line 6: not booked (Status: Ausstehend), skipped',
      'line 8: not booked (Status: Abgelehnt), skipped',
    ],
  )
})

test('without a balance before or after them, the type of pending rows decides', async (t) => {
  const rows = [
    row(DEPOSIT, 'Ausstehend', '5,00', ''),
    row(HOLD, 'Ausstehend', '-3,00', ''),
    row('Zahlung', 'Ausstehend', '-2,00', ''),
  ]
  t.strictSame(await codesAndSum(rows), [2, '2'])
  t.strictSame(await codesAndSum([row(HOLD, 'Ausstehend', '-3,00', '7,00')]), [1, '-3'])
  const unclear = [
    row('Zahlung', 'Abgeschlossen', '-1,00', '9,00'),
    row('Zahlung', 'Ausstehend', '-2,00', '5,00'),
    row(HOLD, 'Ausstehend', '-3,00', '1,00'),
  ]
  t.strictSame(await codesAndSum(unclear), [2, '-4'])
})

test('balances of another currency decide nothing', async (t) => {
  const dollars = row('Zahlung', 'Abgeschlossen', '-1,00', '9,00').replace(',EUR,', ',USD,')
  const rows = [
    row('Zahlung', 'Abgeschlossen', '-1,00', '20,00'),
    dollars,
    row('Zahlung', 'Ausstehend', '-2,00', '18,00'),
  ]
  t.strictSame(await codesAndSum(rows), [3, '-4'])
})
