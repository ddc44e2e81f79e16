import { followCategoryRule } from '../category-rule.js'
import { TRANSACTION_COLUMNS, type TransactionRow } from '../columns.js'
import type { AddedRow } from '../workspace-writer.js'
import type { BinaryFields } from './binary-fields.js'
import type { BinaryRows } from './binary-rows.js'

/** Columns of a SELECT of transactions, in the order that {@link transactionRowOf} reads. */
export const COPIED_COLUMNS: string = TRANSACTION_COLUMNS.map(([, column]) => column).join(', ')

/** Reads {@link COPIED_COLUMNS}: the members of an object literal are evaluated in order. */
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

/** The statement for rows of {@link addTransaction}. */
export const COPY_TRANSACTIONS: string = `COPY kontor.transactions
  (workspace, ${COPIED_COLUMNS}, identity) FROM STDIN (FORMAT binary)`

/** Property of a transaction -> bytes of its column, if that is an integer. */
const WIDTHS = TRANSACTION_COLUMNS.map(
  ([property]) => [property, property.endsWith('Scale') ? 2 : 8] as const,
)

/** Adds a row of {@link COPY_TRANSACTIONS}. @param no number of the workspace */
export function addTransaction(
  rows: BinaryRows,
  no: number,
  id: number,
  { row, identity }: AddedRow,
): void {
  rows.begin(WIDTHS.length + 2)
  rows.integer(no, 4)
  for (const [property, byteCount] of WIDTHS) {
    const value = property === 'id' ? id : row[property]
    if (value === null) rows.null()
    else if (typeof value === 'string') rows.text(value)
    else rows.integer(value, byteCount)
  }
  if (identity === null) rows.null()
  else rows.bytes(identity)
}
