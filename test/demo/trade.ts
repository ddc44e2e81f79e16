import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { dayOf } from '../../src/demo/calendar.js'
import { centsOf } from '../../src/demo/draft.js'
import {
  collection,
  customerPayment,
  returnedCollection,
  supplierPayment,
  supplierRefund,
  takings,
} from '../../src/demo/trade.js'
import { FRIDAY, foundedCompany, repeatedly } from '../fixtures/demo-company.js'

test('customers pay, and one payment in twelve names several invoices', async (t) => {
  const company = foundedCompany(t, 1)
  const rows = repeatedly(500, () => customerPayment(company, FRIDAY)).map(({ row }) => row)
  for (const row of rows) t.ok(centsOf(row) > 0 && row.counterpartIban !== null)
  const several = rows.filter(
    ({ purpose }) => (purpose?.match(/20\d\d[-/]\d{4}/g) ?? []).length > 1,
  )
  t.ok(several.length > 10, `${several.length}`)
})

test('a company with less money buys less', async (t) => {
  const spent = (balanceCents: number): number => {
    const company = foundedCompany(t, 2)
    company.accounts.giro.balanceCents = balanceCents
    const made = repeatedly(200, () => supplierPayment(company, FRIDAY))
    return made.reduce((sum, { row }) => sum - centsOf(row), 0)
  }
  t.ok(spent(1_000_000) > 0)
  t.ok(spent(1_000_000) * 3 < spent(60_000_000))
  t.ok(spent(0) < 0, 'without money it waits for customers')
})

test('suppliers refund, and the shop has takings', async (t) => {
  const company = foundedCompany(t, 3)
  const [refund] = supplierRefund(company, FRIDAY)
  t.match(refund?.row.purpose, /^Gutschrift /)
  const made = repeatedly(50, () => takings(company, FRIDAY))
  for (const { row } of [...made]) t.ok(centsOf(row) > 0)
  const cash = made.filter(({ row }) => row.type === 'BARGELDEINZAHLUNG')
  t.ok(cash.length > 0 && cash.length < made.length)
  for (const { row } of cash) t.equal(centsOf(row) % 500, 0, 'banknotes')
})

test('a returned debit was collected days before, and its charges are deducted', async (t) => {
  const company = foundedCompany(t, 4)
  const nothing = returnedCollection(company, FRIDAY)
  t.equal(nothing[0]?.row.type, 'LASTSCHRIFTEINZUG', 'nothing to return, so one more is collected')
  const tooEarly = returnedCollection(company, FRIDAY)
  t.equal(tooEarly[0]?.row.type, 'LASTSCHRIFTEINZUG')
  const all = [...nothing, ...tooEarly, ...repeatedly(40, () => collection(company, FRIDAY))]
  const collected = new Map(all.map(({ row }) => [row.endToEndReference, row]))
  const later = dayOf(FRIDAY.number + 5)
  for (let i = 0; i < 30; i++) {
    const [returned, fee] = returnedCollection(company, later)
    const before = collected.get(returned?.row.endToEndReference ?? '')
    assert(returned !== undefined && before !== undefined, 'it was collected')
    t.ok(collected.delete(before.endToEndReference), 'it comes back once')
    t.equal(returned.row.mandateReference, before.mandateReference)
    t.match(returned.row.purpose, /03\.05\.2024/)
    const lost = -centsOf(returned.row) - (fee === undefined ? 0 : centsOf(fee.row))
    t.ok([300, 450, 810].includes(lost - centsOf(before)))
    if (fee === undefined) t.equal(returned.row.originalAmountUnscaled, -before.amountUnscaled)
  }
})

test('a return comes within eight weeks or not at all', async (t) => {
  const company = foundedCompany(t, 5)
  collection(company, FRIDAY)
  const late = returnedCollection(company, dayOf(FRIDAY.number + 60))
  t.equal(late[0]?.row.type, 'LASTSCHRIFTEINZUG')
})
