import { formatInstant } from '../instant.js'
import { formatAmount } from '../money.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../store/columns.js'

// Only this file knows the order of members, which are optional, and how values are printed. A
// value that is null or an empty text is left out, never printed as null.

function text(name: string, value: string | null): string {
  return value === null || value === '' ? '' : `,"${name}":${JSON.stringify(value)}`
}

function amount(name: string, unscaled: number | null, scale: number | null): string {
  return unscaled === null ? '' : `,"${name}":${formatAmount(unscaled, scale ?? 0)}`
}

/** Members printed by {@link text} and {@link amount} begin with a comma; the first one's goes. */
function object(members: string): string {
  return `{${members.slice(1)}}`
}

/** The Account resource as JSON. */
export function accountJson(row: AccountRow): string {
  return (
    `{"id":${row.id},"currency":${JSON.stringify(row.currency)}` +
    text('holderName', row.holderName) +
    text('accountNumber', row.accountNumber) +
    text('name', row.name) +
    text('bankName', row.bankName) +
    text('iban', row.iban) +
    text('bic', row.bic) +
    text('blz', row.blz) +
    amount('balance', row.balanceUnscaled, row.balanceScale) +
    amount('availableFunds', row.availableFundsUnscaled, row.availableFundsScale) +
    amount('overdraft', row.overdraftUnscaled, row.overdraftScale) +
    `,"createdAt":"${formatInstant(row.createdAt)}","updatedAt":"${formatInstant(row.updatedAt)}"}`
  )
}

/** The Category resource as JSON. @param parent null = a broad category */
export function categoryJson(row: CategoryRow, parent: CategoryRow | null): string {
  const name = JSON.stringify(row.name)
  return `{"id":${row.id},"name":${name},"parentCategory":${categoryNameJson(parent)}}`
}

/** The category inside a transaction. @param row null = none, printed as `{}` */
export function categoryNameJson(row: CategoryRow | null): string {
  return row === null ? '{}' : `{"id":${row.id},"name":${JSON.stringify(row.name)}}`
}

/** The own account inside a transaction. @param row null = unknown, printed as `{}` */
export function transactionAccountJson(row: AccountRow | null): string {
  if (row === null) return '{}'
  return object(
    text('accountNumber', row.accountNumber) +
      text('name', row.name) +
      text('iban', row.iban) +
      text('bankName', row.bankName),
  )
}

/** Parts of transactions that come from the resources they name, rendered once for all rows. */
export interface SharedFragments {
  /** Prints an instant with its quotes; may remember the last ones. */
  readonly instant: (ms: number) => string
  /** {@link transactionAccountJson} of the account. */
  readonly account: (id: number) => string
  /** {@link categoryNameJson} of the category; null = none. */
  readonly category: (id: number | null) => string
}

/** The Transaction resource as JSON (docs/contract/resources.md, "Transaction" and "Values"). */
export function transactionJson(row: TransactionRow, shared: SharedFragments): string {
  return (
    `{"id":${row.id},"accountId":${row.accountId},"account":${shared.account(row.accountId)}` +
    `,"amount":${formatAmount(row.amountUnscaled, row.amountScale)}` +
    `,"currency":${JSON.stringify(row.currency)}` +
    `,"category":${shared.category(row.categoryId)}` +
    `,"parentCategory":${shared.category(row.parentCategoryId)}` +
    `,"counterpart":${counterpartJson(row)}` +
    `,"createdAt":${shared.instant(row.createdAt)},"updatedAt":${shared.instant(row.updatedAt)}` +
    `,"importDate":${shared.instant(row.importedAt)}` +
    (row.bookedAt === null ? '' : `,"bookingDate":${shared.instant(row.bookedAt)}`) +
    (row.valuedAt === null ? '' : `,"valueDate":${shared.instant(row.valuedAt)}`) +
    text('type', row.type) +
    text('purpose', row.purpose) +
    text('endToEndReference', row.endToEndReference) +
    amount('originalAmount', row.originalAmountUnscaled, row.originalAmountScale) +
    text('originalCurrency', row.originalCurrency) +
    text('sepaPurposeCode', row.sepaPurposeCode) +
    text('primanota', row.primanota) +
    paypalJson(row) +
    '}'
  )
}

/** Fragments of the resources that a rendered transaction names. */
export interface NamedFragments {
  readonly account: string
  readonly category: string
  readonly parentCategory: string
}

/**
 * A copy of a rendered transaction with other fragments.
 * @param former the present fragments   @param now the new ones
 */
export function replaceFragments(
  row: Uint8Array,
  former: NamedFragments,
  now: NamedFragments,
): Uint8Array {
  // Before the fragments are numbers and a currency code: the only commas are those between
  // members, and one length after the amount.
  const accountAt = row.indexOf(COMMA, row.indexOf(COMMA) + 1) + ',"account":'.length
  const amountAt = accountAt + Buffer.byteLength(former.account)
  const currencyAt = row.indexOf(COMMA, amountAt + 1)
  const categoryAt = currencyAt + ',"currency":"XXX","category":'.length
  const categoryEnd = categoryAt + Buffer.byteLength(former.category)
  const parentAt = categoryEnd + ',"parentCategory":'.length
  const parentEnd = parentAt + Buffer.byteLength(former.parentCategory)
  return Buffer.concat([
    row.subarray(0, accountAt),
    Buffer.from(now.account),
    row.subarray(amountAt, categoryAt),
    Buffer.from(now.category),
    row.subarray(categoryEnd, parentAt),
    Buffer.from(now.parentCategory),
    row.subarray(parentEnd),
  ])
}

const COMMA = 0x2c

function counterpartJson(row: TransactionRow): string {
  return object(
    text('accountNumber', row.counterpartAccountNumber) +
      text('name', row.counterpartName) +
      text('iban', row.counterpartIban) +
      text('bic', row.counterpartBic) +
      text('bankName', row.counterpartBankName) +
      text('mandateReference', row.mandateReference) +
      text('creditorId', row.creditorId) +
      text('customerReference', row.customerReference),
  )
}

function paypalJson(row: TransactionRow): string {
  const members =
    text('invoiceNumber', row.paypalInvoiceNumber) +
    amount('fee', row.paypalFeeUnscaled, row.paypalFeeScale) +
    amount('net', row.paypalNetUnscaled, row.paypalNetScale)
  return members === '' ? '' : `,"paypal":${object(members)}`
}
