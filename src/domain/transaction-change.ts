import type { ResourceId } from './account.js'
import type { Transaction } from './transaction.js'

/** A transaction as it is now: a new one, or in place of the same id. */
interface UpsertChange {
  kind: 'upsert'
  transaction: Transaction
}

/** The end of a transaction, or of access to it. */
interface DeleteChange {
  kind: 'delete'
  id: ResourceId
}

/** A change of a transaction. */
export type TransactionChange = UpsertChange | DeleteChange

/** A page of changes of transactions (docs/extensions/changes.md). */
export interface TransactionChanges {
  /** In the order of their commits. */
  changes: TransactionChange[]
  /** The `since` of the next page. */
  cursor: string
  /** Whether there are more changes already. */
  hasMore: boolean
}
