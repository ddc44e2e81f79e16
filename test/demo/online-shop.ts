import { test } from 'tap'
import { centsOf } from '../../src/demo/draft.js'
import { paypalRefund, paypalSale } from '../../src/demo/online-shop.js'
import { FRIDAY, foundedCompany, repeatedly } from '../fixtures/demo-company.js'

test('gross minus fee is net', async (t) => {
  const company = foundedCompany(t, 1)
  const sales = repeatedly(100, () => paypalSale(company, FRIDAY))
  const refunds = repeatedly(100, () => paypalRefund(company, FRIDAY))
  for (const { row } of [...sales, ...refunds]) {
    const fee = (row.paypalFeeUnscaled ?? 0) * 10 ** (2 - (row.paypalFeeScale ?? 0))
    const net = (row.paypalNetUnscaled ?? 0) * 10 ** (2 - (row.paypalNetScale ?? 0))
    t.equal(centsOf(row) + fee, net)
    t.equal(row.counterpartIban, null)
  }
  for (const { row } of sales) t.ok(centsOf(row) > 0 && (row.paypalFeeUnscaled ?? 0) < 0)
  for (const { row } of refunds) t.ok(centsOf(row) < 0 && (row.paypalFeeUnscaled ?? 0) > 0)
})

test('most sales have an invoice number, which is unique', async (t) => {
  const company = foundedCompany(t, 2)
  const numbers = repeatedly(200, () => paypalSale(company, FRIDAY))
    .map(({ row }) => row.paypalInvoiceNumber)
    .filter((number) => number !== null)
  t.ok(numbers.length > 100 && numbers.length < 200)
  t.equal(new Set(numbers).size, numbers.length)
})
