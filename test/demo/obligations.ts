import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { dayOf } from '../../src/demo/calendar.js'
import { centsOf } from '../../src/demo/draft.js'
import { dueObligations, obligationsOf } from '../../src/demo/obligations.js'
import { FRIDAY, foundedCompany } from '../fixtures/demo-company.js'

test('an obligation falls due once per period, weekend or not', async (t) => {
  const post = (): [] => []
  const monthly = { dayOfMonth: 4, everyMonths: 1, firstMonth: 1, post } as const
  const quarterly = { dayOfMonth: 30, everyMonths: 3, firstMonth: 3, post } as const
  const yearly = { dayOfMonth: 10, everyMonths: 12, firstMonth: 5, post } as const
  const all = [quarterly, monthly, yearly]
  const monday = FRIDAY.number + 3
  t.same(dueObligations(all, FRIDAY.number, monday), [monthly], 'Saturday the 4th')
  t.same(dueObligations(all, monday, monday), [], 'not twice')
  const newYear = 19_723
  const year = dueObligations(all, newYear - 1, newYear + 365)
  const count = (obligation: unknown): number => year.filter((one) => one === obligation).length
  t.same([count(monthly), count(quarterly), count(yearly)], [12, 4, 1])
})

test('a month has salaries, taxes, rent, direct debits and standing orders', async (t) => {
  const company = foundedCompany(t, 1)
  company.accounts.card.balanceCents = -5_000
  const obligations = obligationsOf(company, 2024)
  const due = dueObligations(obligations, FRIDAY.number, FRIDAY.number + 31)
  const rows = due.flatMap(({ post }) => post(company, FRIDAY)).map(({ row }) => row)
  const types = new Set(rows.map(({ type }) => type))
  for (const type of ['LOHN GEHALT', 'DAUERAUFTRAG', 'FOLGELASTSCHRIFT', 'DA-GUTSCHRIFT']) {
    t.ok(types.has(type), type)
  }
  const salaries = rows.filter(({ sepaPurposeCode }) => sepaPurposeCode === 'SALA')
  t.equal(salaries.length, 12)
  for (const row of salaries) t.match(row.purpose, /^Lohn\/Gehalt 05\/2024 Pers\.Nr\. 1\d{3}$/)
  t.ok(rows.some(({ sepaPurposeCode }) => sepaPurposeCode === 'TAXS'))
  for (const row of rows) t.equal(row.mandateReference === null, row.creditorId === null)
})

test('a mandate stays the same and a salary grows', async (t) => {
  const company = foundedCompany(t, 2)
  const nextYear = dayOf(FRIDAY.number + 365)
  for (const { post } of obligationsOf(company, 2024).slice(0, 40)) {
    const [before] = post(company, FRIDAY)
    const [after] = post(company, nextYear)
    assert(before !== undefined && after !== undefined, 'both are posted')
    t.equal(before.row.mandateReference, after.row.mandateReference)
    t.equal(before.row.counterpartIban, after.row.counterpartIban)
    if (before.row.sepaPurposeCode === 'SALA') t.ok(centsOf(after.row) < centsOf(before.row))
  }
})
