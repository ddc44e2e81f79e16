import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { centsOf } from '../../src/demo/draft.js'
import { cardSettlement, paypalPayout, savingsTransfer } from '../../src/demo/transfers.js'
import { FRIDAY, foundedCompany } from '../fixtures/demo-company.js'

test('an amount that leaves one account arrives on the other', async (t) => {
  const company = foundedCompany(t, 1)
  company.accounts.paypal.balanceCents = 99_999
  for (const [out, back] of [savingsTransfer(company, FRIDAY), paypalPayout(company, FRIDAY)]) {
    assert(out !== undefined && back !== undefined, 'a transfer has two sides')
    t.equal(centsOf(out.row) + centsOf(back.row), 0)
    t.ok(centsOf(out.row) < 0)
    t.equal(out.row.endToEndReference, back.row.endToEndReference)
    t.not(out.row.accountId, back.row.accountId)
  }
})

test('money goes where it is needed', async (t) => {
  const company = foundedCompany(t, 2)
  const { giro, savings, paypal } = company.accounts
  giro.balanceCents = 20_000_000
  t.equal(savingsTransfer(company, FRIDAY)[0]?.row.accountId, giro.row.id)
  giro.balanceCents = 0
  t.equal(savingsTransfer(company, FRIDAY)[0]?.row.accountId, savings.row.id)
  paypal.balanceCents = 6_000
  t.not(paypalPayout(company, FRIDAY)[0]?.row.accountId, paypal.row.id, 'too little to pay out')
})

test('the card is settled in its own currency', async (t) => {
  const company = foundedCompany(t, 3)
  t.same(cardSettlement(company, FRIDAY), [], 'nothing is owed')
  company.accounts.card.balanceCents = -108_700
  const [debit, credit] = cardSettlement(company, FRIDAY)
  assert(debit !== undefined && credit !== undefined, 'a settlement has two sides')
  t.equal(centsOf(credit.row), 108_700)
  t.same([debit.row.originalAmountUnscaled, debit.row.originalCurrency], [-1087, 'USD'])
  t.same(
    [credit.row.originalAmountUnscaled, credit.row.originalAmountScale],
    [-debit.row.amountUnscaled, debit.row.amountScale],
  )
  t.equal(credit.row.originalCurrency, 'EUR')
})
