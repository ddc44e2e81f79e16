import { test } from 'tap'
import {
  cardCheck,
  cardPayment,
  convert,
  foreignCardPayment,
  usdCardPayment,
} from '../../src/demo/cards.js'
import { centsOf } from '../../src/demo/draft.js'
import { FRIDAY, foundedCompany, repeatedly } from '../fixtures/demo-company.js'

test('a card payment has a name and no account', async (t) => {
  const company = foundedCompany(t, 1)
  const rows = repeatedly(300, () => cardPayment(company, FRIDAY)).map(({ row }) => row)
  for (const row of rows) {
    t.ok(row.counterpartName)
    t.equal(row.counterpartIban, null)
    t.ok(centsOf(row) < 0)
    t.ok((row.purpose?.length ?? 0) <= 140)
  }
  const purposes = rows.map(({ purpose }) => purpose ?? '')
  t.ok(
    purposes.some((text) => /^[A-Z0-9+ .-]+\. \d{8}\/\/\S+\/DE 2024-0\d-\d\dT[\d:]{8}$/.test(text)),
  )
  t.ok(purposes.some((text) => /Debitk\.\d 20\d\d-\d\d$/.test(text)))
  t.ok(purposes.includes(''), 'some have no text')
})

test('the USD card records the price of a shop outside the United States', async (t) => {
  const company = foundedCompany(t, 2)
  const rows = repeatedly(300, () => usdCardPayment(company, FRIDAY)).map(({ row }) => row)
  const currencies = new Set(rows.map(({ originalCurrency }) => originalCurrency))
  for (const currency of [null, 'EUR', 'GBP', 'CHF', 'JPY']) t.ok(currencies.has(currency))
  for (const row of rows) {
    t.equal(row.currency, 'USD')
    t.equal(row.originalCurrency === null, row.originalAmountUnscaled === null)
    t.not(row.originalCurrency, 'USD')
  }
})

test('a payment in another currency costs one per cent, booked next to it', async (t) => {
  const company = foundedCompany(t, 3)
  const made = Array.from({ length: 100 }, () => foreignCardPayment(company, FRIDAY))
  for (const [payment, fee] of made) {
    t.equal(payment?.row.originalCurrency === null, fee === undefined)
    if (payment === undefined || fee === undefined) continue
    t.ok(Math.abs(centsOf(fee.row)) >= 150)
    t.equal(fee.category, 'Bankgebühr')
  }
})

test('converting keeps the value within three per cent of the rate', async (t) => {
  const company = foundedCompany(t, 4)
  t.equal(convert(company, -4_999, 'EUR', 'EUR'), -4_999)
  for (let i = 0; i < 50; i++) {
    const cents = convert(company, 10_000, 'EUR', 'USD')
    t.ok(cents >= 10_543 && cents <= 11_197, String(cents))
    const yen = convert(company, 161_000, 'JPY', 'EUR')
    t.ok(yen >= 97_000 && yen <= 103_000, String(yen))
  }
})

test('a check of the card is a booking of zero', async (t) => {
  const [posting] = cardCheck(foundedCompany(t, 5), FRIDAY)
  t.equal(posting?.row.amountUnscaled, 0)
  t.equal(posting?.category, null)
})
