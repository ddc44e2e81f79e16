import type { Day } from './calendar.js'
import { creditorIdOf } from './check-digits.js'
import { type Counterparts, makeCounterparts, type Supplier } from './counterparts.js'
import { type Invoice, type InvoiceBook, openInvoiceBook } from './invoices.js'
import type { DemoAccounts } from './own-accounts.js'
import { type Random, spread } from './random.js'
import { supplierInvoiceNumber } from './wording.js'
import type { Merchant, Words } from './words.js'

/** The company on a day of its history: its counterparts and its open items. */
export interface Company {
  readonly random: Random
  readonly words: Words
  readonly accounts: DemoAccounts
  readonly counterparts: Counterparts
  /** Shops, as often as its people go there. */
  readonly shops: readonly Merchant[]
  readonly invoices: InvoiceBook
  /** The creditor identifier of its own direct debits. */
  readonly creditorId: string
  /** 1 at twenty bookings a banking day, 2 at forty, and so on. */
  readonly size: number
  /** Collected invoices that may still be returned, the oldest first. */
  readonly collected: Collected[]
  /** The number of the next invoice of a supplier, as the supplier prints it. */
  nextSupplierInvoice(supplier: Supplier, day: Day): string
  /** A number that is unique within the company; counts from 1. */
  nextNumber(): number
}

/** An invoice that was collected by direct debit on a day. */
interface Collected {
  readonly invoice: Invoice
  readonly on: Day
}

/** Bookings of a banking day of a company of size 1. */
const DAILY_BOOKINGS = 20

/** Customer payments among the bookings of a company of size 1, a banking day. */
const DAILY_INVOICES = 4

/** Creates the company of a workspace. @param perDay bookings a banking day, on average */
export function createCompany(
  random: Random,
  words: Words,
  accounts: DemoAccounts,
  { firstDay, perDay }: { firstDay: Day; perDay: number },
): Company {
  const counterparts = makeCounterparts(random, words)
  const size = Math.max(1, Math.round(perDay / DAILY_BOOKINGS))
  const customers = [...counterparts.businesses, ...counterparts.businesses, ...counterparts.people]
  let number = 0
  return {
    random,
    words,
    accounts,
    counterparts,
    shops: spread(words.merchants.euro.map((merchant) => [merchant.weight, merchant])),
    invoices: openInvoiceBook(random, customers, size * DAILY_INVOICES, firstDay),
    creditorId: creditorIdOf('DE', words.own.creditorNumber),
    size,
    collected: [],
    nextSupplierInvoice: supplierNumbers(random),
    nextNumber: () => {
      number += 1
      return number
    },
  }
}

/** Suppliers invoice others in between, so the numbers the company sees have gaps. */
function supplierNumbers(random: Random): Company['nextSupplierInvoice'] {
  const last = new Map<Supplier, { year: number; sequence: number }>()
  return (supplier, day) => {
    const before = last.get(supplier) ?? { year: day.year, sequence: random.between(20, 900) }
    const restarts = supplier.numbering !== 'inv' && supplier.numbering !== 'plain'
    const from = before.year !== day.year && restarts ? 0 : before.sequence
    const sequence = from + random.between(1, 9)
    last.set(supplier, { year: day.year, sequence })
    return supplierInvoiceNumber(supplier, sequence, day.year)
  }
}
