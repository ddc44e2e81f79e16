import { followCategoryRule } from '../category-rule.js'
import { TRANSACTION_COLUMNS, type TransactionRow } from '../columns.js'
import type { BinaryFields } from './binary-fields.js'

/** Columns of a SELECT of transactions, in the order of {@link transactionRowOf}. */
export const COPIED_COLUMNS: string = TRANSACTION_COLUMNS.map(([, column]) => column).join(', ')

/** Takes {@link COPIED_COLUMNS}: the members of a literal are evaluated in their order. */
export function transactionRowOf(fields: BinaryFields): TransactionRow {
  return followCategoryRule({
    id: fields.integer(),
    accountId: fields.integer(),
    amountUnscaled: fields.integer(),
    amountScale: fields.integer(),
    currency: fields.text(),
    categoryId: fields.integerOrNull(),
    parentCategoryId: fields.integerOrNull(),
    counterpartAccountNumber: fields.textOrNull(),
    counterpartName: fields.textOrNull(),
    counterpartIban: fields.textOrNull(),
    counterpartBic: fields.textOrNull(),
    counterpartBankName: fields.textOrNull(),
    mandateReference: fields.textOrNull(),
    creditorId: fields.textOrNull(),
    customerReference: fields.textOrNull(),
    createdAt: fields.integer(),
    updatedAt: fields.integer(),
    importedAt: fields.integer(),
    bookedAt: fields.integerOrNull(),
    valuedAt: fields.integerOrNull(),
    type: fields.textOrNull(),
    purpose: fields.textOrNull(),
    endToEndReference: fields.textOrNull(),
    originalAmountUnscaled: fields.integerOrNull(),
    originalAmountScale: fields.integerOrNull(),
    originalCurrency: fields.textOrNull(),
    sepaPurposeCode: fields.textOrNull(),
    primanota: fields.textOrNull(),
    paypalInvoiceNumber: fields.textOrNull(),
    paypalFeeUnscaled: fields.integerOrNull(),
    paypalFeeScale: fields.integerOrNull(),
    paypalNetUnscaled: fields.integerOrNull(),
    paypalNetScale: fields.integerOrNull(),
  })
}
