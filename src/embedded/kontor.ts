// The entry of the package: the answers of the service within a Node.js program, without HTTP.
import type { Kontor, KontorOptions } from './handles.js'
import { openEmbedded } from './open-embedded.js'

export type { Account } from '../domain/account.js'
export type { BatchMatch, BatchMatchQuery, BatchMatchRequest } from '../domain/batch-match.js'
export type { Category } from '../domain/category.js'
export type { MatchedTransaction } from '../domain/matched-transaction.js'
export type { Suggestion } from '../domain/suggestion.js'
export type { Transaction } from '../domain/transaction.js'
export type { TransactionChange } from '../domain/transaction-change.js'
export type { TransactionGroup } from '../domain/transaction-group.js'
export type {
  FollowedChange,
  ItemPage,
  Kontor,
  KontorOptions,
  KontorWorkspace,
  WorkspaceEvent,
  WorkspaceOptions,
} from './handles.js'
export { KontorError } from './kontor-error.js'
export type {
  AccountsOptions,
  BoundsOptions,
  ChangesOptions,
  FilterOptions,
  InstantValue,
  ListOptions,
  MatchOptions,
  PageOptions,
  SummaryOptions,
} from './queries.js'

/**
 * Opens a data directory for reading within this process. Several processes may read one directory.
 * @throws Error when it does not exist or cannot be used
 */
export async function openKontor(options: KontorOptions): Promise<Kontor> {
  return openEmbedded(options)
}
