import type { Account } from '../../domain/account.js'
import type { MatchedTransaction } from '../../domain/matched-transaction.js'
import type { Transaction } from '../../domain/transaction.js'
import type { TransactionGroup } from '../../domain/transaction-group.js'

/** An item of an answer: any JSON object. */
export type Item = Record<string, unknown>

/**
 * The fields of a transaction that most questions need: a third of the tokens of all. Members
 * without a value are left out, as in REST; the booking date is a day.
 */
export function compactTransaction(row: Transaction & Partial<MatchedTransaction>): Item {
  const item: Item = { id: row.id, accountId: row.accountId }
  put(item, 'bookingDate', row.bookingDate?.slice(0, DAY_CHARS))
  put(item, 'amount', row.amount)
  put(item, 'currency', row.currency)
  put(item, 'counterpartName', row.counterpart.name)
  put(item, 'counterpartIban', row.counterpart.iban)
  put(item, 'purpose', row.purpose)
  put(item, 'categoryName', row.category.name)
  put(item, 'score', row.score)
  put(item, 'explanation', row.explanation)
  return item
}

const DAY_CHARS = 'YYYY-MM-DD'.length

/** A group with its dates as days. */
export function compactGroup(row: TransactionGroup): Item {
  const item: Item = { ...row }
  put(item, 'firstBookingDate', row.firstBookingDate?.slice(0, DAY_CHARS))
  put(item, 'lastBookingDate', row.lastBookingDate?.slice(0, DAY_CHARS))
  return item
}

/** The fields of an account that most questions need. */
export function compactAccount(row: Account): Item {
  const item: Item = { id: row.id }
  put(item, 'name', row.name)
  put(item, 'holderName', row.holderName)
  put(item, 'bankName', row.bankName)
  put(item, 'iban', row.iban)
  // An IBAN includes it.
  if (row.iban === undefined) put(item, 'accountNumber', row.accountNumber)
  put(item, 'currency', row.currency)
  put(item, 'balance', row.balance)
  put(item, 'availableFunds', row.availableFunds)
  return item
}

function put(item: Item, name: string, value: unknown): void {
  if (value !== undefined) item[name] = value
}
