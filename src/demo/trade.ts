import { type Day, germanDate } from './calendar.js'
import type { Company } from './company.js'
import type { Customer } from './counterparts.js'
import { nameParty, type Posting, postingOf, setOriginal } from './draft.js'
import { type Invoice, invoiceNumber } from './invoices.js'
import {
  collectionPurpose,
  collectiveRemittanceOf,
  germanAmount,
  lessDiscount,
  type Remittance,
  remittanceOf,
  supplierPurpose,
} from './wording.js'

/** The bank's charges for a returned direct debit, in cents. */
const RETURN_CHARGES = [300, 450, 810]

/** Collected invoices that are kept for a return. */
const COLLECTED_MAX = 64

/** Days in which the payer's bank may return a direct debit. */
const RETURN_DAYS = { first: 2, last: 56 }

/** Below this balance the company of size 1 pays no supplier. */
const RESERVE_CENTS = 1_000_000

const RETURN_REASONS = [
  'AC04 Konto aufgeloest',
  'AM04 Deckungsfehler',
  'MD01 kein gueltiges Mandat',
  'MD06 Widerspruch durch Zahler',
  'MS03 sonstige Gruende',
]

/** A customer pays one invoice, or several at once. */
export function customerPayment(company: Company, day: Day): Posting[] {
  const { random } = company
  const invoice = company.invoices.settle(day)
  if (random.chance(80)) return [collectivePayment(company, day, invoice)]
  const kind = random.below(100)
  const discounted = kind < 12 ? lessDiscount(invoice.cents) : invoice.cents
  const cents = kind === 99 ? Math.round(invoice.cents / 2) : discounted
  const { customer } = invoice
  return [incoming(company, day, { customer, cents, remittance: remittanceOf(invoice, random) })]
}

function collectivePayment(company: Company, day: Day, oldest: Invoice): Posting {
  const { random } = company
  const invoices = [oldest]
  for (let more = random.between(1, 3); more > 0; more--) {
    invoices.push(company.invoices.issue(oldest.customer, day))
  }
  const cents = invoices.reduce((sum, invoice) => sum + invoice.cents, 0)
  const { customer } = oldest
  const remittance = collectiveRemittanceOf(invoices, random)
  return incoming(company, day, { customer, cents, remittance })
}

interface IncomingPayment {
  readonly customer: Customer
  readonly cents: number
  readonly remittance: Remittance
}

function incoming(
  company: Company,
  day: Day,
  { customer, cents, remittance }: IncomingPayment,
): Posting {
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents,
    dayNumber: day.number,
    type: company.random.chance(150) ? 'ECHTZEIT-GUTSCHRIFT' : 'GUTSCHR. UEBERWEISUNG',
    category: 'Rechnungen',
    purpose: remittance.purpose,
  })
  nameParty(posting.row, customer)
  posting.row.endToEndReference = remittance.endToEndReference
  posting.row.customerReference = remittance.customerReference
  return posting
}

/**
 * The company pays an invoice. So that its balances stay in bounds it buys more when it has money,
 * and when it has none it waits for a customer instead.
 */
export function supplierPayment(company: Company, day: Day): Posting[] {
  const { random, accounts } = company
  if (accounts.giro.balanceCents < RESERVE_CENTS * company.size)
    return customerPayment(company, day)
  const supplier = random.pick(company.counterparts.suppliers)
  const number = company.nextSupplierInvoice(supplier, day)
  const targetCents = 15_000_000 * company.size
  const wealthCents = accounts.giro.balanceCents + accounts.savings.balanceCents
  const percent = Math.min(400, Math.max(20, Math.floor((wealthCents * 100) / targetCents)))
  const listed = random.chance(700)
    ? random.between(4_000, 160_000)
    : random.between(90_000, 800_000)
  const posting = postingOf({
    accountId: accounts.giro.row.id,
    currency: 'EUR',
    cents: -Math.round((listed * percent) / 100),
    dayNumber: day.number,
    type: random.chance(800) ? 'ONLINE-UEBERWEISUNG' : 'SAMMELUEBERWEISUNG',
    category: supplier.category,
    purpose: supplierPurpose(supplier, { number, day }, random),
  })
  nameParty(posting.row, supplier)
  if (random.chance(600)) {
    const own = `ZA${day.year % 100}-${String(company.nextNumber()).padStart(6, '0')}`
    posting.row.endToEndReference = random.chance(650) ? own : number
  }
  return [posting]
}

/** A refund by a supplier. */
export function supplierRefund(company: Company, day: Day): Posting[] {
  const { random } = company
  const supplier = random.pick(company.counterparts.suppliers)
  const number = company.nextSupplierInvoice(supplier, day)
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: random.between(900, 64_000),
    dayNumber: day.number,
    type: 'GUTSCHR. UEBERWEISUNG',
    category: 'Erstattung',
    purpose: `Gutschrift ${number} Kd. ${supplier.customerNumber}`,
  })
  nameParty(posting.row, supplier)
  return [posting]
}

/** A direct debit of an invoice, from a customer who has signed a mandate. */
export function collection(company: Company, day: Day): Posting[] {
  const invoice = company.invoices.settle(day)
  company.collected.push({ invoice, on: day })
  if (company.collected.length > COLLECTED_MAX) company.collected.shift()
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: invoice.cents,
    dayNumber: day.number,
    type: 'LASTSCHRIFTEINZUG',
    category: 'Rechnungen',
    purpose: collectionPurpose(invoice),
  })
  nameParty(posting.row, invoice.customer)
  posting.row.mandateReference = invoice.customer.mandateReference
  posting.row.creditorId = company.creditorId
  posting.row.endToEndReference = invoiceNumber(invoice)
  return [posting]
}

/** The return of a recent collection, its charges inside the amount or booked separately. */
export function returnedCollection(company: Company, day: Day): Posting[] {
  const { random } = company
  const at = company.collected.findLastIndex(({ on }) => {
    const age = day.number - on.number
    return age >= RETURN_DAYS.first && age <= RETURN_DAYS.last
  })
  const [collected] = at < 0 ? [] : company.collected.splice(at, 1)
  if (collected === undefined) return collection(company, day)
  const { invoice, on } = collected
  const charge = random.pick(RETURN_CHARGES)
  const separate = random.chance(400)
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: -(invoice.cents + (separate ? 0 : charge)),
    dayNumber: day.number,
    type: 'RUECKLASTSCHRIFT',
    category: 'Rückläufer',
    purpose:
      `RETOURE SEPA-LASTSCHRIFT VOM ${germanDate(on)}, ` +
      `${random.pick(RETURN_REASONS)} ${invoiceNumber(invoice)}` +
      (separate ? '' : ` ENTGELT ${germanAmount(charge)} EUR`),
  })
  nameParty(posting.row, invoice.customer)
  posting.row.mandateReference = invoice.customer.mandateReference
  posting.row.creditorId = company.creditorId
  posting.row.endToEndReference = invoiceNumber(invoice)
  if (!separate) {
    setOriginal(posting.row, -invoice.cents, 'EUR')
    return [posting]
  }
  const fee = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: -charge,
    dayNumber: day.number,
    type: 'ENTGELT',
    category: 'Rückläufer',
    purpose: `Ruecklastschriftentgelt ${invoiceNumber(invoice)}`,
  })
  return [posting, fee]
}

/** The shop's takings: coins over the counter, or a day of the card terminal. */
export function takings(company: Company, day: Day): Posting[] {
  const { random } = company
  const cash = random.chance(300)
  const cents = random.between(12_000, 240_000)
  const posting = postingOf({
    accountId: company.accounts.giro.row.id,
    currency: 'EUR',
    cents: cash ? cents - (cents % 500) : cents,
    dayNumber: day.number,
    type: cash ? 'BARGELDEINZAHLUNG' : 'GUTSCHR. UEBERWEISUNG',
    category: 'Ladenkasse',
    purpose: cash ? `SB-Einzahlung ${random.digits(4)}` : `UMSATZ TID ${random.digits(8)}`,
  })
  if (cash) return [posting]
  const terminal = company.counterparts.creditors.find(({ category }) => category === 'Bankgebühr')
  if (terminal !== undefined) nameParty(posting.row, terminal)
  return [posting]
}
