import { type Day, dayOf, germanDate, twoDigits } from './calendar.js'
import type { Supplier } from './counterparts.js'
import { type Invoice, invoiceNumber, paddedSequence, yearAndNumber } from './invoices.js'
import { type Random, spread, type WeightedValue } from './random.js'

/** The payer's texts; null = none. */
export interface Remittance {
  readonly purpose: string | null
  readonly endToEndReference: string | null
  readonly customerReference: string | null
}

type WritePurpose = (invoice: Invoice, random: Random) => string | null

/** `1.234,56` of 123456, without sign. */
export function germanAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${whole},${digits.slice(-2)}`
}

/** The paid amount of an invoice less 2 % early-payment discount. */
export function lessDiscount(cents: number): number {
  return cents - Math.round(cents / 50)
}

const INTACT: readonly WeightedValue<WritePurpose>[] = [
  [16, invoiceNumber],
  [8, (invoice) => `Rechnung ${yearAndNumber(invoice, '')}`],
  [8, (invoice) => `Rg.Nr. ${yearAndNumber(invoice, '/')}`],
  [7, (i) => `RE${i.issued.year} ${paddedSequence(i)} v. ${germanDate(i.issued)}`],
  [8, (i) => `Kd-Nr ${i.customer.number} RE ${yearAndNumber(i, '-')}`],
  [6, (i) => `Rechnung ${invoiceNumber(i)} vom ${germanDate(i.issued)}`],
  [5, (invoice) => yearAndNumber(invoice, '-')],
  [4, (invoice) => `Re.-Nr. ${yearAndNumber(invoice, '-')} Kunde ${invoice.customer.number}`],
  [4, (invoice) => `re ${yearAndNumber(invoice, '-')} danke`],
  [3, (invoice) => `INVOICE RE${yearAndNumber(invoice, '')}`],
  [3, (invoice) => `Facture ${yearAndNumber(invoice, '-')}`],
  [
    3,
    (invoice) => `RECHNUNGSNR. ${yearAndNumber(invoice, ' ')} KUNDENNR. ${invoice.customer.number}`,
  ],
  [
    3,
    (i) => `RG ${yearAndNumber(i, '.')} / ${germanDate(i.issued)} / ${germanAmount(i.cents)} EUR`,
  ],
  [6, (i, random) => `Ihre Rechnung ${invoiceNumber(i)} unsere Bestellung ${random.digits(6)}`],
  [
    6,
    (i) => `Zahlung zu ${invoiceNumber(i)} v. ${germanDate(i.issued)}, Kunde ${i.customer.number}`,
  ],
  [8, bookkeepersPurpose],
]

const DAMAGED: readonly WeightedValue<WritePurpose>[] = [
  [2, (invoice) => `RE ${invoice.issued.year}-${invoice.sequence}`],
  [2, (i) => `RE-${String(i.issued.year).slice(0, 2)} ${yearAndNumber(i, '-').slice(2)}`],
  [2, (invoice) => invoiceNumber(invoice).replaceAll('0', 'O')],
  [1, (invoice) => invoiceNumber(invoice).replaceAll('1', 'I')],
  [2, (invoice) => `Rechnugn ${yearAndNumber(invoice, '-')}`],
  [1, (i, random) => withSwappedDigits(invoiceNumber(i), random)],
  [3, (i) => `Ueberweisung fuer unsere Bestellung ${invoiceNumber(i)}`.slice(0, -2)],
]

const ABSENT: readonly WeightedValue<WritePurpose>[] = [
  [5, () => null],
  [2, (invoice) => `Kundennummer ${invoice.customer.number}`],
  [2, (_, random) => `Abschlag ${random.between(1, 4)}. Rate`],
  [
    2,
    (_, random) => random.pick(['Danke', 'Zahlung', 'wie besprochen', 'Restbetrag', 'Anzahlung']),
  ],
]

const PURPOSES = spread([...INTACT, ...DAMAGED, ...ABSENT])

/** A bookkeeping program's text: long, upper case, cut after 140 characters. */
function bookkeepersPurpose(invoice: Invoice, random: Random): string {
  const text =
    `RECHNUNG ${invoiceNumber(invoice)} VOM ${germanDate(invoice.issued)} KUNDENNR. ` +
    `${invoice.customer.number} AUFTRAG A-${random.digits(5)} BELEG ${random.digits(7)} ` +
    `BETRAG ${germanAmount(invoice.cents)} ABZGL. SKONTO`
  return text.slice(0, 140)
}

/** Two neighbouring digits of the last four change places. */
function withSwappedDigits(text: string, random: Random): string {
  const at = text.length - random.between(2, 4)
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}

/** One payment of one invoice. */
export function remittanceOf(invoice: Invoice, random: Random): Remittance {
  if (random.chance(60)) {
    // The reference is in its own field, and nowhere else.
    const purpose = random.chance(500) ? null : 'Siehe Referenz'
    return remittance(purpose, invoiceNumber(invoice), null)
  }
  const purpose = random.pick(PURPOSES)(invoice, random)
  const customerReference = random.chance(40) ? `K${invoice.customer.number}` : null
  return remittance(purpose, paymentReference(invoice, random), customerReference)
}

/** One payment of two to four invoices, the oldest first. */
export function collectiveRemittanceOf(invoices: readonly Invoice[], random: Random): Remittance {
  const [first] = invoices
  const numbers = invoices.map(invoiceNumber)
  const shared = first === undefined ? '' : `RE-${first.issued.year}-`
  const sameYear = invoices.every((invoice) => invoice.issued.year === first?.issued.year)
  const written = [
    numbers.join(', '),
    `${numbers.slice(0, -1).join(', ')} u. ${numbers.at(-1)}`,
    `Rechnungen ${invoices.map((invoice) => yearAndNumber(invoice, '/')).join(' + ')}`,
  ]
  if (sameYear) written.push(shared + invoices.map(paddedSequence).join('/'))
  return remittance(random.pick(written), null, null)
}

function remittance(
  purpose: string | null,
  endToEndReference: string | null,
  customerReference: string | null,
): Remittance {
  return { purpose, endToEndReference, customerReference }
}

/** The end-to-end reference of the payer's program; mostly none. */
function paymentReference(invoice: Invoice, random: Random): string | null {
  const kind = random.below(100)
  if (kind < 15) return `ZV${random.digits(14)}`
  if (kind < 25) return yearAndNumber(invoice, '')
  if (kind < 38) return `${invoice.customer.number}-${random.digits(5)}`
  return null
}

/** The number of a supplier's invoice as printed. @param sequence its own count */
export function supplierInvoiceNumber(supplier: Supplier, sequence: number, year: number): string {
  const padded = String(sequence).padStart(4, '0')
  if (supplier.numbering === 'inv') return `INV-${String(sequence).padStart(6, '0')}`
  if (supplier.numbering === 'year-slash') return `RG ${year}/${padded}`
  if (supplier.numbering === 'facture') return `Facture ${year}-${padded}`
  if (supplier.numbering === 'factuur') return `Factuur ${year}${padded}`
  if (supplier.numbering === 'short-year') return `${twoDigits(year % 100)}-${padded}`
  return String(4_400_000_000 + sequence * 17)
}

/** The company's purpose of a collection. */
export function collectionPurpose(invoice: Invoice): string {
  return `Rechnung ${invoiceNumber(invoice)} vom ${germanDate(invoice.issued)}, vielen Dank`
}

/**
 * The company's purpose of a payment to a supplier.
 * @param number as the supplier prints it @param day of the payment
 */
export function supplierPurpose(
  supplier: Supplier,
  { number, day }: { number: string; day: Day },
  random: Random,
): string {
  const bare = supplier.numbering === 'plain' || supplier.numbering === 'short-year'
  const named = bare ? `Rechnung ${number}` : number
  const kind = random.below(100)
  if (kind < 20) return named
  if (kind < 45) return `${named} KdNr. ${supplier.customerNumber}`
  if (kind < 75) {
    const printed = germanDate(dayOf(day.number - random.between(6, 30)))
    return `${named} vom ${printed} Kunde ${supplier.customerNumber}`
  }
  if (kind < 85) return `${named} abzgl. 2% Skonto, Kd ${supplier.customerNumber}`
  if (kind < 92) return `Kd. ${supplier.customerNumber}, ${number}`
  return number
}
