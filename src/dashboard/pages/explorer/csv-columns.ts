import type { MatchedTransaction } from '../../../domain/matched-transaction.js'
import type { Transaction } from '../../../domain/transaction.js'
import type { CsvColumn } from '../../csv-text.js'

/** Transactions of a CSV download, some 30 MB of text; larger exports go through the REST API. */
export const EXPORTED_ROWS_MAX = 100_000

/** Every field of a transaction, in the contract's order. */
export const TRANSACTION_CSV_COLUMNS: readonly CsvColumn<Transaction>[] = [
  { name: 'id', read: (row) => row.id },
  { name: 'accountId', read: (row) => row.accountId },
  { name: 'account.accountNumber', read: (row) => row.account.accountNumber },
  { name: 'account.name', read: (row) => row.account.name },
  { name: 'account.iban', read: (row) => row.account.iban },
  { name: 'account.bankName', read: (row) => row.account.bankName },
  { name: 'amount', read: (row) => row.amount },
  { name: 'currency', read: (row) => row.currency },
  { name: 'category.id', read: (row) => row.category.id },
  { name: 'category.name', read: (row) => row.category.name },
  { name: 'parentCategory.id', read: (row) => row.parentCategory.id },
  { name: 'parentCategory.name', read: (row) => row.parentCategory.name },
  { name: 'counterpart.accountNumber', read: (row) => row.counterpart.accountNumber },
  { name: 'counterpart.name', read: (row) => row.counterpart.name },
  { name: 'counterpart.iban', read: (row) => row.counterpart.iban },
  { name: 'counterpart.bic', read: (row) => row.counterpart.bic },
  { name: 'counterpart.bankName', read: (row) => row.counterpart.bankName },
  { name: 'counterpart.mandateReference', read: (row) => row.counterpart.mandateReference },
  { name: 'counterpart.creditorId', read: (row) => row.counterpart.creditorId },
  { name: 'counterpart.customerReference', read: (row) => row.counterpart.customerReference },
  { name: 'createdAt', read: (row) => row.createdAt },
  { name: 'updatedAt', read: (row) => row.updatedAt },
  { name: 'importDate', read: (row) => row.importDate },
  { name: 'bookingDate', read: (row) => row.bookingDate },
  { name: 'valueDate', read: (row) => row.valueDate },
  { name: 'type', read: (row) => row.type },
  { name: 'purpose', read: (row) => row.purpose },
  { name: 'endToEndReference', read: (row) => row.endToEndReference },
  { name: 'originalAmount', read: (row) => row.originalAmount },
  { name: 'originalCurrency', read: (row) => row.originalCurrency },
  { name: 'sepaPurposeCode', read: (row) => row.sepaPurposeCode },
  { name: 'primanota', read: (row) => row.primanota },
  { name: 'paypal.invoiceNumber', read: (row) => row.paypal?.invoiceNumber },
  { name: 'paypal.fee', read: (row) => row.paypal?.fee },
  { name: 'paypal.net', read: (row) => row.paypal?.net },
]

/** A match: score and evidence, then the transaction. */
export const MATCH_COLUMNS: readonly CsvColumn<MatchedTransaction>[] = [
  { name: 'score', read: (row) => row.score },
  { name: 'explanation.field', read: (row) => row.explanation?.field },
  { name: 'explanation.matched', read: (row) => row.explanation?.matched },
  { name: 'explanation.kind', read: (row) => row.explanation?.kind },
  { name: 'explanation.adjustments', read: (row) => row.explanation?.adjustments.join(' ') },
  ...TRANSACTION_CSV_COLUMNS,
]
