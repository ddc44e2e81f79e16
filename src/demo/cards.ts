import { type Day, dayOf, germanDate, isoDate, shopTime, twoDigits } from './calendar.js'
import type { Company } from './company.js'
import { decimalsOf, type Posting, postingOf, setOriginal } from './draft.js'
import type { Random } from './random.js'
import type { ForeignMerchant } from './words.js'

/** Days between a purchase and its booking. */
const BOOKING_DELAYS = [0, 1, 1, 1, 2, 2, 3]

/** A purchase with the debit card: a name and no account on the other side. */
export function cardPayment(company: Company, day: Day): Posting[] {
  const { random } = company
  const merchant = random.pick(company.shops)
  const cents = -random.between(merchant.low, merchant.high)
  const bought = dayOf(day.number - random.pick(BOOKING_DELAYS))
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents,
    dayNumber: day.number,
    type: random.pick(CARD_TYPES),
    category: merchant.category,
    purpose: cardPurpose(merchant.name, company.words.names.towns, bought, random),
  })
  posting.row.counterpartName = merchant.name
  if (random.chance(110)) posting.row.endToEndReference = `${random.digits(12)}`
  return [posting]
}

const CARD_TYPES = ['KARTENZAHLUNG', 'KARTENZAHLUNG', 'KARTENZAHLUNG', 'LASTSCHRIFT KARTE']

function cardPurpose(
  shop: string,
  towns: readonly string[],
  bought: Day,
  random: Random,
): string | null {
  const kind = random.below(100)
  if (kind < 8) return null
  if (kind < 60) {
    const terminal = `${random.digits(8)}//${random.pick(towns)}/DE`
    const at = `${isoDate(bought)}T${shopTime(random)}:${twoDigits(random.below(60))}`
    return `${shop}. ${terminal} ${at}`
  }
  if (kind < 80) {
    const expiry = `${bought.year + random.between(1, 4)}-${twoDigits(random.between(1, 12))}`
    return `${isoDate(bought)}T${shopTime(random)} Debitk.${random.between(1, 6)} ${expiry}`
  }
  if (kind < 93) {
    return `DATUM ${germanDate(bought)}, ${shopTime(random).replace(':', '.')} UHR`
  }
  return `${random.pick(towns).toUpperCase()} KFN ${random.between(1, 6)}`
}

/**
 * A purchase with the USD card; outside the United States with the amount in the shop's currency.
 */
export function usdCardPayment(company: Company, day: Day): Posting[] {
  const { random, words } = company
  const merchant = random.pick(words.merchants.foreign)
  const original = -random.between(merchant.low, merchant.high)
  const cents = convert(company, original, merchant.currency, 'USD')
  const posting = postingOf({
    accountId: company.accounts.card.row.id,
    currency: 'USD',
    cents,
    dayNumber: day.number,
    type: 'Kartenumsatz',
    category: merchant.category,
    purpose: foreignPurpose(merchant, random),
  })
  posting.row.counterpartName = merchant.name
  if (merchant.currency !== 'USD') setOriginal(posting.row, original, merchant.currency)
  return [posting]
}

/** A purchase abroad with the debit card of the current account, and the bank's fee for it. */
export function foreignCardPayment(company: Company, day: Day): Posting[] {
  const { random, words } = company
  const merchant = random.pick(words.merchants.foreign)
  const original = -random.between(merchant.low, merchant.high)
  const cents = convert(company, original, merchant.currency, 'EUR')
  const fee = Math.max(150, Math.round(-cents / 100))
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents,
    dayNumber: day.number,
    type: 'KARTENZAHLUNG',
    category: merchant.category,
    purpose: foreignPurpose(merchant, random),
  })
  posting.row.counterpartName = merchant.name
  if (merchant.currency === 'EUR') return [posting]
  setOriginal(posting.row, original, merchant.currency)
  const charge = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: -fee,
    dayNumber: day.number,
    type: 'ENTGELT',
    category: 'Bankgebühr',
    purpose: `Auslandseinsatzentgelt ${merchant.name}`,
  })
  return [posting, charge]
}

function foreignPurpose(merchant: ForeignMerchant, random: Random): string {
  if (random.chance(250)) return merchant.place
  return `${merchant.name} ${merchant.place} ${random.digits(6)}`
}

/**
 * Converts `unscaled` of one currency to cents of another, at a rate that moves by 3 % either way.
 * @param unscaled at the scale of `from` @param to EUR or USD
 */
export function convert(company: Company, unscaled: number, from: string, to: string): number {
  if (from === to) return unscaled
  const rates = company.words.merchants.perTenThousandEuro
  const cents = unscaled * 10 ** (2 - decimalsOf(from))
  const parityInHundredths = (rates[to] ?? 10_000) * company.random.between(97, 103)
  return Math.round((cents * parityInHundredths) / (100 * (rates[from] ?? 10_000)))
}

/** A shop's check whether the card is valid: nothing is paid. */
export function cardCheck(company: Company, day: Day): Posting[] {
  const { random } = company
  const merchant = random.pick(company.shops)
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: 0,
    dayNumber: day.number,
    type: 'KARTENPRUEFUNG',
    category: null,
    purpose: null,
  })
  posting.row.counterpartName = merchant.name
  return [posting]
}
