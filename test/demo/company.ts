import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { dayOf } from '../../src/demo/calendar.js'
import { FRIDAY, foundedCompany } from '../fixtures/demo-company.js'

test("a supplier's numbers increase with gaps, and may restart each year", async (t) => {
  const company = foundedCompany(t, 1)
  const nextJanuary = dayOf(20_090)
  const yearly = company.counterparts.suppliers.find((s) => s.numbering === 'year-slash')
  const endless = company.counterparts.suppliers.find((s) => s.numbering === 'inv')
  assert(yearly !== undefined && endless !== undefined, 'both kinds occur')
  const count = (number: string): number => Number(number.slice(-4))
  const first = count(company.nextSupplierInvoice(yearly, FRIDAY))
  const second = count(company.nextSupplierInvoice(yearly, FRIDAY))
  t.ok(second > first && second <= first + 9)
  t.match(company.nextSupplierInvoice(yearly, nextJanuary), /^RG 2025\/000[1-9]$/)
  const last = count(company.nextSupplierInvoice(endless, FRIDAY))
  t.ok(count(company.nextSupplierInvoice(endless, nextJanuary)) > last)
})

test('own numbers are unique', async (t) => {
  const company = foundedCompany(t, 1)
  t.same([company.nextNumber(), company.nextNumber(), company.nextNumber()], [1, 2, 3])
})

test('a company of twenty bookings a day has size 1 and goes shopping', async (t) => {
  const company = foundedCompany(t, 1)
  t.equal(company.size, 1)
  t.match(company.creditorId, /^DE\d{2}ZZZ00004711815$/)
  const frequent = company.shops.filter(({ name }) => name === 'FRISCHMARKT SAGT DANKE').length
  t.equal(frequent, 9)
})
