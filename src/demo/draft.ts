import type { TransactionRow } from '../store/columns.js'
import { emptyTransactionRow } from '../store/empty-rows.js'
import type { NewRow } from '../store/workspace-writer.js'
import { midnightOf } from './calendar.js'
import type { Party } from './counterparts.js'

/** A transaction that is not yet written: it has no id. */
export type DraftTransaction = NewRow<TransactionRow>

/** The fields of every booking. */
export interface Booking {
  readonly accountId: number
  readonly currency: string
  /** Signed, in cents. */
  readonly cents: number
  readonly dayNumber: number
  readonly type: string
  /** Name of a detailed or broad category, null = not filed. */
  readonly category: string | null
  readonly purpose: string | null
}

/** A row to be written, and the name of the category it will be filed under. */
export interface Posting {
  readonly category: string | null
  readonly row: DraftTransaction
}

/**
 * The posting with every other field empty; `stampImport` of filing.ts sets the importer's
 * instants.
 */
export function postingOf(booking: Booking): Posting {
  const bookedAt = midnightOf(booking.dayNumber)
  const row = emptyTransactionRow(booking.accountId, booking.currency, bookedAt)
  row.bookedAt = bookedAt
  row.valuedAt = bookedAt
  row.type = booking.type
  row.purpose = booking.purpose
  ;[row.amountUnscaled, row.amountScale] = trimScale(booking.cents, 2)
  return { category: booking.category, row }
}

/** The unscaled amount and scale without trailing zeros, as the store keeps amounts. */
export function trimScale(unscaled: number, scale: number): [unscaled: number, scale: number] {
  let digits = unscaled
  let decimals = scale
  while (decimals > 0 && digits % 10 === 0) {
    digits /= 10
    decimals -= 1
  }
  return [digits === 0 ? 0 : digits, decimals]
}

/** The amount of a row of {@link postingOf} in cents. */
export function centsOf(row: DraftTransaction): number {
  return row.amountUnscaled * 10 ** (2 - row.amountScale)
}

/** Sets the counterpart of a row. */
export function nameParty(row: DraftTransaction, party: Party): void {
  row.counterpartName = party.name
  row.counterpartIban = party.iban
  row.counterpartBic = party.bic
  row.counterpartBankName = party.bankName
}

/** Sets the amount paid in another currency. @param unscaled at the scale of `currency` */
export function setOriginal(row: DraftTransaction, unscaled: number, currency: string): void {
  const [digits, scale] = trimScale(unscaled, decimalsOf(currency))
  row.originalAmountUnscaled = digits
  row.originalAmountScale = scale
  row.originalCurrency = currency
}

/** Decimals of the currencies of the demo (ISO 4217). */
export function decimalsOf(currency: string): number {
  return currency === 'JPY' ? 0 : 2
}
