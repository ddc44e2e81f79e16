import type { CurrencyCode, InstantText, ResourceId } from './account.js'
import type { CategoryName } from './category.js'

/** An own account that transactions are grouped by. */
interface GroupAccount {
  id: ResourceId
  name?: string
  iban?: string
}

/** A counterpart that transactions are grouped by. */
interface GroupCounterpart {
  /** The most frequent name of its transactions. */
  name?: string
  iban?: string
}

/**
 * Exact sums of the transactions of a group (docs/extensions/sums.md, "Groups"). The fields grouped
 * by come first, those of the others are absent; and so is a field that the transactions lack.
 */
export interface TransactionGroup {
  month?: string
  quarter?: string
  year?: string
  day?: string
  category?: CategoryName
  parentCategory?: CategoryName
  account?: GroupAccount
  counterpart?: GroupCounterpart
  direction?: 'in' | 'out'
  currency: CurrencyCode
  /** Number of transactions, those of amount 0 included. */
  count: number
  /** Sum of the positive amounts: zero or positive. An exact decimal of any number of digits. */
  in: number
  /** Sum of the negative amounts: zero or negative. An exact decimal of any number of digits. */
  out: number
  /** `in` plus `out`. */
  net: number
  firstBookingDate?: InstantText
  lastBookingDate?: InstantText
}
