import type { EpochMs } from '../instant.js'

/** An account as the store keeps it; null = no value. Amounts are unscaled integer and scale. */
export interface AccountRow {
  id: number
  currency: string
  holderName: string | null
  accountNumber: string | null
  name: string | null
  bankName: string | null
  /** Compact, upper case. */
  iban: string | null
  bic: string | null
  blz: string | null
  balanceUnscaled: number | null
  balanceScale: number | null
  availableFundsUnscaled: number | null
  availableFundsScale: number | null
  overdraftUnscaled: number | null
  overdraftScale: number | null
  createdAt: EpochMs
  updatedAt: EpochMs
}

/** A category as the store keeps it; `parentId` null = a broad category. */
export interface CategoryRow {
  id: number
  name: string
  parentId: number | null
}

/** A transaction as the store keeps it; null = no value. */
export interface TransactionRow {
  id: number
  accountId: number
  amountUnscaled: number
  amountScale: number
  currency: string
  categoryId: number | null
  parentCategoryId: number | null
  counterpartAccountNumber: string | null
  counterpartName: string | null
  /** Compact, upper case. */
  counterpartIban: string | null
  counterpartBic: string | null
  counterpartBankName: string | null
  mandateReference: string | null
  creditorId: string | null
  customerReference: string | null
  createdAt: EpochMs
  updatedAt: EpochMs
  importedAt: EpochMs
  bookedAt: EpochMs | null
  valuedAt: EpochMs | null
  type: string | null
  purpose: string | null
  endToEndReference: string | null
  originalAmountUnscaled: number | null
  originalAmountScale: number | null
  originalCurrency: string | null
  sepaPurposeCode: string | null
  primanota: string | null
  paypalInvoiceNumber: string | null
  paypalFeeUnscaled: number | null
  paypalFeeScale: number | null
  paypalNetUnscaled: number | null
  paypalNetScale: number | null
}

/** Property of a row -> column of its table, in the order in which they are read and written. */
export type Columns<Row> = readonly (readonly [property: keyof Row & string, column: string])[]

export const ACCOUNT_COLUMNS: Columns<AccountRow> = [
  ['id', 'id'],
  ['currency', 'currency'],
  ['holderName', 'holder_name'],
  ['accountNumber', 'account_number'],
  ['name', 'name'],
  ['bankName', 'bank_name'],
  ['iban', 'iban'],
  ['bic', 'bic'],
  ['blz', 'blz'],
  ['balanceUnscaled', 'balance_unscaled'],
  ['balanceScale', 'balance_scale'],
  ['availableFundsUnscaled', 'available_funds_unscaled'],
  ['availableFundsScale', 'available_funds_scale'],
  ['overdraftUnscaled', 'overdraft_unscaled'],
  ['overdraftScale', 'overdraft_scale'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
]

export const CATEGORY_COLUMNS: Columns<CategoryRow> = [
  ['id', 'id'],
  ['name', 'name'],
  ['parentId', 'parent_id'],
]

export const TRANSACTION_COLUMNS: Columns<TransactionRow> = [
  ['id', 'id'],
  ['accountId', 'account_id'],
  ['amountUnscaled', 'amount_unscaled'],
  ['amountScale', 'amount_scale'],
  ['currency', 'currency'],
  ['categoryId', 'category_id'],
  ['parentCategoryId', 'parent_category_id'],
  ['counterpartAccountNumber', 'counterpart_account_number'],
  ['counterpartName', 'counterpart_name'],
  ['counterpartIban', 'counterpart_iban'],
  ['counterpartBic', 'counterpart_bic'],
  ['counterpartBankName', 'counterpart_bank_name'],
  ['mandateReference', 'mandate_reference'],
  ['creditorId', 'creditor_id'],
  ['customerReference', 'customer_reference'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
  ['importedAt', 'import_date'],
  ['bookedAt', 'booking_date'],
  ['valuedAt', 'value_date'],
  ['type', 'type'],
  ['purpose', 'purpose'],
  ['endToEndReference', 'end_to_end_reference'],
  ['originalAmountUnscaled', 'original_amount_unscaled'],
  ['originalAmountScale', 'original_amount_scale'],
  ['originalCurrency', 'original_currency'],
  ['sepaPurposeCode', 'sepa_purpose_code'],
  ['primanota', 'primanota'],
  ['paypalInvoiceNumber', 'paypal_invoice_number'],
  ['paypalFeeUnscaled', 'paypal_fee_unscaled'],
  ['paypalFeeScale', 'paypal_fee_scale'],
  ['paypalNetUnscaled', 'paypal_net_unscaled'],
  ['paypalNetScale', 'paypal_net_scale'],
]

/** `holder_name AS holderName, …`: columns of a SELECT, so that a row has our properties. */
export function selectList<Row>(columns: Columns<Row>): string {
  return columns.map(([property, column]) => `${column} AS ${property}`).join(', ')
}

/** The INSERT of a row; its parameters are the row's properties. */
export function insertStatement<Row>(table: string, columns: Columns<Row>): string {
  const names = columns.map(([, column]) => column)
  const values = columns.map(([property]) => `@${property}`)
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`
}

/** The INSERT of a row; its parameters are the values of its columns, then those of `more`. */
export function insertByPosition<Row>(
  table: string,
  columns: Columns<Row>,
  more: readonly string[],
): string {
  const names = [...columns.map(([, column]) => column), ...more]
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
}

/** `holder_name = @holderName, …`: assignments of an UPDATE; the id is left alone. */
export function assignmentList<Row>(columns: Columns<Row>): string {
  return columns
    .filter(([property]) => property !== 'id')
    .map(([property, column]) => `${column} = @${property}`)
    .join(', ')
}
