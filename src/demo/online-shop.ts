import type { Day } from './calendar.js'
import type { Company } from './company.js'
import { type Posting, postingOf, trimScale } from './draft.js'

/** Cents and per ten thousand that PayPal keeps of a payment. */
const PAYPAL_FEE = { fixedCents: 35, perTenThousand: 249 }

/** A sale of the online shop: the amount is gross, the net is the gain of the account. */
export function paypalSale(company: Company, day: Day): Posting[] {
  const { random, words } = company
  const product = random.pick(words.products)
  const cents = random.between(990, 18_900)
  return [paypalPosting(company, day, { cents, type: 'Website-Zahlung', product })]
}

/** A refund of a returned purchase. */
export function paypalRefund(company: Company, day: Day): Posting[] {
  const { random, words } = company
  const product = `Erstattung ${random.pick(words.products)}`
  const cents = -random.between(990, 12_900)
  return [paypalPosting(company, day, { cents, type: 'Rückzahlung', product })]
}

interface PaypalPayment {
  readonly cents: number
  readonly type: string
  readonly product: string
}

function paypalPosting(
  company: Company,
  day: Day,
  { cents, type, product }: PaypalPayment,
): Posting {
  const { random } = company
  const buyer = random.pick(company.counterparts.people)
  const order = `W${day.year % 100}${random.digits(5)}`
  const posting = postingOf({
    accountId: company.accounts.paypal.row.id,
    currency: 'EUR',
    cents,
    dayNumber: day.number,
    type,
    category: cents < 0 ? 'Erstattung' : 'Onlineshop',
    purpose: random.chance(500) ? `Bestellung ${order}, ${product}` : product,
  })
  const fee = Math.round((Math.abs(cents) * PAYPAL_FEE.perTenThousand) / 10_000)
  const feeCents = cents < 0 ? fee : -(fee + PAYPAL_FEE.fixedCents)
  const { row } = posting
  row.counterpartName = buyer.name
  if (random.chance(300)) row.counterpartAccountNumber = buyer.email
  if (random.chance(650)) {
    row.paypalInvoiceNumber = `WEB-${day.year}-${String(company.nextNumber()).padStart(5, '0')}`
  }
  ;[row.paypalFeeUnscaled, row.paypalFeeScale] = trimScale(feeCents, 2)
  ;[row.paypalNetUnscaled, row.paypalNetScale] = trimScale(cents + feeCents, 2)
  return posting
}
