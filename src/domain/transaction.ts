import type { CurrencyCode, InstantText, ResourceId } from './account.js'
import type { CategoryName } from './category.js'

/** The own account inside a transaction. */
export interface TransactionAccount {
  accountNumber?: string
  name?: string
  iban?: string
  bankName?: string
}

/** The counterpart of a payment; `{}` if nothing is known. */
export interface Counterpart {
  accountNumber?: string
  name?: string
  iban?: string
  bic?: string
  bankName?: string
  /** SEPA mandate reference. */
  mandateReference?: string
  /** SEPA creditor identifier. */
  creditorId?: string
  customerReference?: string
}

/** Details of a PayPal payment. */
export interface PayPal {
  invoiceNumber?: string
  fee?: number
  net?: number
}

/**
 * A booked transaction (docs/contract/resources.md, "Transaction"). A field without a value is left
 * out, never null; `account`, `category`, `parentCategory` and `counterpart` are always there.
 */
export interface Transaction {
  id: ResourceId
  accountId: ResourceId
  account: TransactionAccount
  /** Signed; negative for outgoing. An exact decimal of at most 15 digits. */
  amount: number
  currency: CurrencyCode
  /** The detailed category, or the broad one when no detailed category fits. */
  category: CategoryName
  /** The broader category, `{}` when no detailed category was found. */
  parentCategory: CategoryName
  counterpart: Counterpart
  createdAt: InstantText
  updatedAt: InstantText
  importDate: InstantText
  bookingDate?: InstantText
  valueDate?: InstantText
  /** Transaction type text of the bank. */
  type?: string
  /** Payment purpose text. */
  purpose?: string
  endToEndReference?: string
  originalAmount?: number
  originalCurrency?: CurrencyCode
  /** ISO 20022 external purpose code, for example SALA. */
  sepaPurposeCode?: string
  /** The bank's journal number. */
  primanota?: string
  paypal?: PayPal
}
