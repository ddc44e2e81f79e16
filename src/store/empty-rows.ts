import type { EpochMs } from '../instant.js'
import type { AccountRow, TransactionRow } from './columns.js'
import type { NewRow } from './workspace-writer.js'

/** A new account without values, except those that every account has. */
export function emptyAccountRow(currency: string, createdAt: EpochMs): NewRow<AccountRow> {
  return {
    id: null,
    currency,
    holderName: null,
    accountNumber: null,
    name: null,
    bankName: null,
    iban: null,
    bic: null,
    blz: null,
    balanceUnscaled: null,
    balanceScale: null,
    availableFundsUnscaled: null,
    availableFundsScale: null,
    overdraftUnscaled: null,
    overdraftScale: null,
    createdAt,
    updatedAt: createdAt,
  }
}

/** A new transaction of 0 without values, except those that every transaction has. */
export function emptyTransactionRow(
  accountId: number,
  currency: string,
  createdAt: EpochMs,
): NewRow<TransactionRow> {
  return {
    id: null,
    accountId,
    amountUnscaled: 0,
    amountScale: 0,
    currency,
    categoryId: null,
    parentCategoryId: null,
    counterpartAccountNumber: null,
    counterpartName: null,
    counterpartIban: null,
    counterpartBic: null,
    counterpartBankName: null,
    mandateReference: null,
    creditorId: null,
    customerReference: null,
    createdAt,
    updatedAt: createdAt,
    importedAt: createdAt,
    bookedAt: null,
    valuedAt: null,
    type: null,
    purpose: null,
    endToEndReference: null,
    originalAmountUnscaled: null,
    originalAmountScale: null,
    originalCurrency: null,
    sepaPurposeCode: null,
    primanota: null,
    paypalInvoiceNumber: null,
    paypalFeeUnscaled: null,
    paypalFeeScale: null,
    paypalNetUnscaled: null,
    paypalNetScale: null,
  }
}
