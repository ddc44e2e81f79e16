import { compactCode } from '../../iban.js'
import { type EpochMs, parseInstant } from '../../instant.js'
import { type Amount, parseAmount } from '../../money.js'
import type { AccountRow, TransactionRow } from '../../store/columns.js'
import type { NewRow } from '../../store/workspace-writer.js'
import { faultOfText } from '../import/statement-row.js'
import { StatementError } from '../statement.js'
import { type AccountLine, quoted, type TransactionLine } from './ndjson-resource.js'

/**
 * The row of an account line.
 * @param now for dates that are not in the line
 * @throws StatementError that names line and member, when a text, amount or date cannot be stored
 */
export function rowOfAccountLine(
  position: string,
  line: AccountLine,
  currency: string,
  now: EpochMs,
): NewRow<AccountRow> {
  const text = (field: 'holderName' | 'accountNumber' | 'name' | 'bankName' | 'blz') =>
    textOf(position, field, line[field])
  const balance = amountOf(position, 'balance', line.balance)
  const available = amountOf(position, 'availableFunds', line.availableFunds)
  const overdraft = amountOf(position, 'overdraft', line.overdraft)
  return {
    id: line.id ?? null,
    currency,
    holderName: text('holderName'),
    accountNumber: text('accountNumber'),
    name: text('name'),
    bankName: text('bankName'),
    iban: codeOf(position, 'iban', line.iban),
    bic: codeOf(position, 'bic', line.bic),
    blz: text('blz'),
    balanceUnscaled: balance?.unscaled ?? null,
    balanceScale: balance?.scale ?? null,
    availableFundsUnscaled: available?.unscaled ?? null,
    availableFundsScale: available?.scale ?? null,
    overdraftUnscaled: overdraft?.unscaled ?? null,
    overdraftScale: overdraft?.scale ?? null,
    createdAt: instantOf(position, 'createdAt', line.createdAt) ?? now,
    updatedAt: instantOf(position, 'updatedAt', line.updatedAt) ?? now,
  }
}

/**
 * The row of a transaction line, without account and categories, which are looked up.
 * @throws StatementError that names line and member, when a text, amount or date cannot be stored
 */
export function rowOfTransactionLine(
  position: string,
  line: TransactionLine,
  currency: string,
  now: EpochMs,
): NewRow<TransactionRow> {
  const other = line.counterpart ?? {}
  const amount = amountOf(position, 'amount', line.amount)
  const original = amountOf(position, 'originalAmount', line.originalAmount)
  const fee = amountOf(position, 'paypal.fee', line.paypal?.fee)
  const net = amountOf(position, 'paypal.net', line.paypal?.net)
  return {
    id: line.id ?? null,
    accountId: 0,
    amountUnscaled: amount?.unscaled ?? 0,
    amountScale: amount?.scale ?? 0,
    currency,
    categoryId: null,
    parentCategoryId: null,
    counterpartAccountNumber: textOf(position, 'counterpart.accountNumber', other.accountNumber),
    counterpartName: textOf(position, 'counterpart.name', other.name),
    counterpartIban: codeOf(position, 'counterpart.iban', other.iban),
    counterpartBic: codeOf(position, 'counterpart.bic', other.bic),
    counterpartBankName: textOf(position, 'counterpart.bankName', other.bankName),
    mandateReference: textOf(position, 'counterpart.mandateReference', other.mandateReference),
    creditorId: textOf(position, 'counterpart.creditorId', other.creditorId),
    customerReference: textOf(position, 'counterpart.customerReference', other.customerReference),
    createdAt: instantOf(position, 'createdAt', line.createdAt) ?? now,
    updatedAt: instantOf(position, 'updatedAt', line.updatedAt) ?? now,
    importedAt: instantOf(position, 'importDate', line.importDate) ?? now,
    bookedAt: instantOf(position, 'bookingDate', line.bookingDate) ?? null,
    valuedAt: instantOf(position, 'valueDate', line.valueDate) ?? null,
    type: textOf(position, 'type', line.type),
    purpose: textOf(position, 'purpose', line.purpose),
    endToEndReference: textOf(position, 'endToEndReference', line.endToEndReference),
    originalAmountUnscaled: original?.unscaled ?? null,
    originalAmountScale: original?.scale ?? null,
    originalCurrency: line.originalCurrency ?? null,
    sepaPurposeCode: textOf(position, 'sepaPurposeCode', line.sepaPurposeCode),
    primanota: textOf(position, 'primanota', line.primanota),
    paypalInvoiceNumber: textOf(position, 'paypal.invoiceNumber', line.paypal?.invoiceNumber),
    paypalFeeUnscaled: fee?.unscaled ?? null,
    paypalFeeScale: fee?.scale ?? null,
    paypalNetUnscaled: net?.unscaled ?? null,
    paypalNetScale: net?.scale ?? null,
  }
}

/** The text, or null for an empty or absent one. */
function textOf(position: string, field: string, text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const message = faultOfText(text)
  if (message !== undefined) throw new StatementError({ position, field, message })
  return text
}

function codeOf(position: string, field: string, text: string | undefined): string | null {
  const kept = textOf(position, field, text)
  return kept === null ? null : compactCode(kept) || null
}

function amountOf(position: string, field: string, value: number | undefined): Amount | undefined {
  if (value === undefined) return undefined
  // The number of the line and its double are the same decimal (json-numbers.ts), so this is exact.
  const amount = parseAmount(String(value))
  if (typeof amount !== 'string') return amount
  throw new StatementError({ position, field, message: `${value} ${amount}` })
}

function instantOf(position: string, field: string, text: string | undefined): EpochMs | undefined {
  if (text === undefined) return undefined
  const at = parseInstant(text)
  if (at !== undefined) return at
  throw new StatementError({ position, field, message: `${quoted(text)} is not a valid date` })
}
