import type { tags } from 'typia'

/** An instant on the wire: ISO 8601, UTC, with milliseconds. */
export type InstantText = string &
  tags.Pattern<'^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'>

/** The public number of a resource: a positive safe integer that never changes. */
export type ResourceId = number &
  tags.Type<'int64'> &
  tags.Minimum<1> &
  tags.Maximum<9007199254740991>

/** ISO 4217 currency code. */
export type CurrencyCode = string & tags.Pattern<'^[A-Z]{3}$'>

/**
 * A bank account of the workspace (docs/contract/resources.md, "Account"). A field without a value
 * is left out.
 */
export interface Account {
  id: ResourceId
  currency: CurrencyCode
  holderName?: string
  accountNumber?: string
  name?: string
  bankName?: string
  iban?: string
  bic?: string
  /** Bank code: the German Bankleitzahl, or the equivalent of the bank. */
  blz?: string
  /** Exact decimal of at most 15 digits, up to five of them decimals. */
  balance?: number
  availableFunds?: number
  overdraft?: number
  createdAt: InstantText
  updatedAt: InstantText
}
