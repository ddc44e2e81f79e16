import { strict as assert } from 'node:assert'
import { type Day, dayOf } from './calendar.js'
import type { Customer } from './counterparts.js'
import type { Random } from './random.js'

/** An invoice of the company that a customer has not paid yet. */
export interface Invoice {
  readonly customer: Customer
  readonly issued: Day
  /** Counts from 1 in every year. */
  readonly sequence: number
  readonly cents: number
}

/** The invoices that are open on a day; always as many as at the beginning. */
export interface InvoiceBook {
  /** Numbers a new invoice, which the caller settles itself. */
  issue(customer: Customer, day: Day): Invoice
  /** Settles any open one; a new one takes its place. */
  settle(day: Day): Invoice
}

/** Days an invoice stays open, on average. */
const OPEN_DAYS = 20

/**
 * @param customers recipients of the invoices @param perDay invoices a banking day, at least 1
 */
export function openInvoiceBook(
  random: Random,
  customers: readonly Customer[],
  perDay: number,
  firstDay: Day,
): InvoiceBook {
  let year = firstDay.year
  let sequence = Math.round(perDay * (firstDay.month - 1) * 21) + random.between(11, 99)
  const issue = (customer: Customer, day: Day): Invoice => {
    if (day.year !== year) {
      year = day.year
      sequence = 0
    }
    sequence += 1
    return { customer, issued: day, sequence, cents: invoiceCents(random) }
  }
  const open = Array.from({ length: Math.max(1, Math.round(perDay * OPEN_DAYS)) }, () => {
    const issued = dayOf(firstDay.number - random.between(0, 2 * OPEN_DAYS))
    const earlier = issued.year === year ? issued : firstDay
    return issue(random.pick(customers), earlier)
  })
  return {
    issue,
    settle: (day) => {
      const at = random.below(open.length)
      const invoice = open[at]
      assert(invoice !== undefined, 'below(n) < n')
      open[at] = issue(random.pick(customers), day)
      return invoice
    },
  }
}

/** Many small ones, a few large ones; a quarter in whole euros. */
function invoiceCents(random: Random): number {
  const size = random.below(100)
  if (size < 25) return random.between(30, 900) * 100
  if (size < 72) return random.between(4_900, 95_000)
  if (size < 96) return random.between(95_000, 620_000)
  return random.between(620_000, 2_400_000)
}

/** `2024-0815`, the core of all spellings of the number. */
export function yearAndNumber(invoice: Invoice, separator: string): string {
  return `${invoice.issued.year}${separator}${paddedSequence(invoice)}`
}

/** `0815` */
export function paddedSequence(invoice: Invoice): string {
  return String(invoice.sequence).padStart(4, '0')
}

/** The number as the company prints it: `RE-2024-0815`. */
export function invoiceNumber(invoice: Invoice): string {
  return `RE-${yearAndNumber(invoice, '-')}`
}
