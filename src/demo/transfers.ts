import { type Day, twoDigits } from './calendar.js'
import { convert } from './cards.js'
import type { Company } from './company.js'
import { nameParty, type Posting, postingOf, setOriginal } from './draft.js'
import type { DemoAccount } from './own-accounts.js'

/** Moves money between two own accounts in one currency: two bookings, one reference. */
function transfer(
  company: Company,
  day: Day,
  {
    from,
    to,
    cents,
    purpose,
  }: { from: DemoAccount; to: DemoAccount; cents: number; purpose: string },
): Posting[] {
  const reference = ownReference(company)
  const side = (account: DemoAccount, other: DemoAccount, signed: number): Posting => {
    const posting = postingOf({
      accountId: account.row.id,
      currency: account.row.currency,
      cents: signed,
      dayNumber: day.number,
      type: signed < 0 ? 'UMBUCHUNG' : 'GUTSCHR. UMBUCHUNG',
      category: 'Umbuchung',
      purpose,
    })
    if (other.asParty === null) posting.row.counterpartName = other.row.name
    else nameParty(posting.row, other.asParty)
    posting.row.endToEndReference = reference
    return posting
  }
  return [side(from, to, -cents), side(to, from, cents)]
}

function ownReference(company: Company): string {
  return `UMB-${String(company.nextNumber()).padStart(6, '0')}`
}

/** Moves a surplus to the savings account; when money is short, some comes back. */
export function savingsTransfer(company: Company, day: Day): Posting[] {
  const { giro, savings } = company.accounts
  const comfortableCents = 6_000_000 * company.size
  const spareCents = giro.balanceCents - comfortableCents
  const wanted = Math.max(100_000, Math.floor(Math.abs(spareCents) / 200_000) * 100_000)
  if (spareCents < 0 && savings.balanceCents > wanted) {
    return transfer(company, day, {
      from: savings,
      to: giro,
      cents: wanted,
      purpose: 'Rueckholung',
    })
  }
  return transfer(company, day, { from: giro, to: savings, cents: wanted, purpose: 'Ruecklage' })
}

/** A payout of most of the PayPal balance. */
export function paypalPayout(company: Company, day: Day): Posting[] {
  const { giro, paypal } = company.accounts
  const cents = paypal.balanceCents - company.random.between(5_000, 20_000)
  if (cents < 5_000) return savingsTransfer(company, day)
  return transfer(company, day, { from: paypal, to: giro, cents, purpose: 'PAYPAL AUSZAHLUNG' })
}

/** The current account settles the debt of the USD card: two bookings in two currencies. */
export function cardSettlement(company: Company, day: Day): Posting[] {
  const { giro, card } = company.accounts
  const owedCents = -card.balanceCents
  if (owedCents <= 0) return []
  const euroCents = convert(company, owedCents, 'USD', 'EUR')
  const reference = ownReference(company)
  const purpose = `Kartenabrechnung ${twoDigits(day.month)}/${day.year}`
  const debit = postingOf({
    accountId: giro.row.id,
    currency: 'EUR',
    cents: -euroCents,
    dayNumber: day.number,
    type: 'KREDITKARTENABRECHN.',
    category: 'Umbuchung',
    purpose,
  })
  const credit = postingOf({
    accountId: card.row.id,
    currency: 'USD',
    cents: owedCents,
    dayNumber: day.number,
    type: 'Ausgleich',
    category: 'Umbuchung',
    purpose,
  })
  setOriginal(debit.row, -owedCents, 'USD')
  setOriginal(credit.row, euroCents, 'EUR')
  for (const [posting, other] of [[debit, card] as const, [credit, giro] as const]) {
    if (other.asParty !== null) nameParty(posting.row, other.asParty)
    posting.row.endToEndReference = reference
  }
  return [debit, credit]
}
