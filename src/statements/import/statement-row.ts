import type { EpochMs } from '../../instant.js'
import type { TransactionRow } from '../../store/columns.js'
import type { NewRow } from '../../store/workspace-writer.js'
import type { StatementAccount, StatementFault, StatementTransaction } from '../statement.js'
import { FIELD_CODE_POINTS_MAX } from '../statement.js'

const CURRENCY = /^[A-Z]{3}$/
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The fault of a text that cannot be stored, as the end of a sentence, or undefined: it is too
 * long, it has half a surrogate pair, which every engine would silently replace, or U+0000, which
 * PostgreSQL cannot store.
 */
export function faultOfText(text: string): string | undefined {
  if (text.length > FIELD_CODE_POINTS_MAX && [...text].length > FIELD_CODE_POINTS_MAX) {
    return `has more than ${FIELD_CODE_POINTS_MAX} characters`
  }
  if (text.includes('\0')) return 'contains a NUL character (U+0000)'
  return LONE_SURROGATE.test(text) ? 'contains a lone surrogate' : undefined
}

/** The fault of an account in a file that cannot be stored, or undefined. */
export function faultOfAccount(account: StatementAccount): StatementFault | undefined {
  for (const [field, text] of Object.entries(account)) {
    const fault = typeof text === 'string' ? faultOfText(text) : undefined
    if (fault !== undefined) return { position: 'account', field, message: fault }
  }
  return faultOfCurrency('account', 'currency', account.currency)
}

/** The fault of a transaction in a file that cannot be stored, or undefined. */
export function faultOfTransaction(transaction: StatementTransaction): StatementFault | undefined {
  const { position } = transaction
  for (const part of [transaction, transaction.counterpart, transaction.paypal ?? {}]) {
    for (const field in part) {
      const text: unknown = part[field as keyof typeof part]
      const fault = typeof text === 'string' ? faultOfText(text) : undefined
      if (fault !== undefined) return { position, field, message: fault }
    }
  }
  return (
    faultOfCurrency(position, 'currency', transaction.currency) ??
    faultOfCurrency(position, 'originalCurrency', transaction.originalCurrency) ??
    faultOfDates(transaction)
  )
}

/** The fault of a transaction without any date, which no list by date would contain. */
function faultOfDates(transaction: StatementTransaction): StatementFault | undefined {
  const { position, bookedAt, valuedAt } = transaction
  if (bookedAt !== undefined || valuedAt !== undefined) return undefined
  const message =
    'is missing, and so is the value date; one of them is expected, for example 2024-12-31; ' +
    'ask the bank for a file with dates'
  return { position, field: 'booking date', message }
}

function faultOfCurrency(
  position: string,
  field: string,
  currency: string | undefined,
): StatementFault | undefined {
  if (currency === undefined || CURRENCY.test(currency)) return undefined
  const message =
    currency === ''
      ? 'the currency is missing; specify one, for example --currency EUR'
      : `${JSON.stringify(currency)} is not a currency; three capital letters are expected`
  return { position, field, message }
}

/**
 * The row that gives a transaction its identity: without an assumed booking date, so that files
 * from before the assumption are recognized.
 */
export function rowAsWritten(
  row: NewRow<TransactionRow>,
  { bookedAt }: StatementTransaction,
): NewRow<TransactionRow> {
  return bookedAt === undefined ? { ...row, bookedAt: null } : row
}

/**
 * The row of a statement's transaction; a bank file has no category. It is booked on the value date
 * if the file has no booking date.
 */
export function rowOfTransaction(
  transaction: StatementTransaction,
  accountId: number,
  now: EpochMs,
): NewRow<TransactionRow> {
  const { counterpart, paypal } = transaction
  return {
    id: null,
    accountId,
    amountUnscaled: transaction.amount.unscaled,
    amountScale: transaction.amount.scale,
    currency: transaction.currency,
    categoryId: null,
    parentCategoryId: null,
    counterpartAccountNumber: counterpart.accountNumber ?? null,
    counterpartName: counterpart.name ?? null,
    counterpartIban: counterpart.iban ?? null,
    counterpartBic: counterpart.bic ?? null,
    counterpartBankName: counterpart.bankName ?? null,
    mandateReference: counterpart.mandateReference ?? null,
    creditorId: counterpart.creditorId ?? null,
    customerReference: counterpart.customerReference ?? null,
    createdAt: now,
    updatedAt: now,
    importedAt: now,
    bookedAt: transaction.bookedAt ?? transaction.valuedAt ?? null,
    valuedAt: transaction.valuedAt ?? null,
    type: transaction.type ?? null,
    purpose: transaction.purpose ?? null,
    endToEndReference: transaction.endToEndReference ?? null,
    originalAmountUnscaled: transaction.originalAmount?.unscaled ?? null,
    originalAmountScale: transaction.originalAmount?.scale ?? null,
    originalCurrency: transaction.originalCurrency ?? null,
    sepaPurposeCode: transaction.sepaPurposeCode ?? null,
    primanota: transaction.primanota ?? null,
    paypalInvoiceNumber: paypal?.invoiceNumber ?? null,
    paypalFeeUnscaled: paypal?.fee?.unscaled ?? null,
    paypalFeeScale: paypal?.fee?.scale ?? null,
    paypalNetUnscaled: paypal?.net?.unscaled ?? null,
    paypalNetScale: paypal?.net?.scale ?? null,
  }
}
