import type { Account } from '../domain/account.js'
import type { BatchMatch, BatchMatchRequest } from '../domain/batch-match.js'
import type { Category } from '../domain/category.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { Transaction } from '../domain/transaction.js'
import type { TransactionChange } from '../domain/transaction-change.js'
import type { TransactionGroup } from '../domain/transaction-group.js'
import type {
  AccountsOptions,
  BoundsOptions,
  ChangesOptions,
  FilterOptions,
  ListOptions,
  MatchOptions,
  PageOptions,
  SummaryOptions,
} from './queries.js'

/** Options of `openKontor`. */
export interface KontorOptions {
  /** The data directory, as of `kontor serve --data-dir`. It must exist. */
  readonly dataDir: string
  /** Bytes that the workspaces in memory may take together; default: as of `kontor serve`. */
  readonly memoryBudgetBytes?: number
  /** Threads that score matches; default: the parallelism of the machine, up to four. */
  readonly matchThreads?: number
  /** Milliseconds that a match may take; default: 1,000. */
  readonly matchBudgetMs?: number
  /**
   * Receives what happens to workspaces: loads, reloads, failures; default: nothing does. Its
   * exception is an uncaught one of the program.
   */
  readonly onEvent?: (event: WorkspaceEvent) => void
}

/** An event of a workspace. */
export interface WorkspaceEvent {
  readonly kind: string
  readonly workspaceId: string
  readonly reason?: string
  readonly transactionCount?: number
  readonly durationMs?: number
}

/** An open data directory. */
export interface Kontor {
  /**
   * Loads a workspace and follows its file: calls see a commit within 300 ms. The workspace stays
   * in memory until it is closed.
   * @throws KontorError `not_found` when there is no such workspace, `workspace_unavailable` when
   *   it cannot be loaded, or is closed meanwhile
   */
  workspace(id: string, options?: WorkspaceOptions): Promise<KontorWorkspace>
  /** Closes all workspaces, ends threads, closes files and frees the memory. */
  close(): Promise<void>
}

/** Options of a workspace. */
export interface WorkspaceOptions {
  /** Ids of the only accounts that calls see, as of a key with accounts; absent = all. */
  readonly accounts?: readonly number[]
}

/** A page of a list. */
export interface ItemPage<Item> {
  readonly items: Item[]
  /** Count of the whole list. */
  readonly total: number
}

/**
 * A workspace in memory. Each call throws KontorError, or rejects with it, where the REST operation
 * would answer with an error; `internal` is a fault of kontor.
 */
export interface KontorWorkspace {
  readonly id: string
  accounts(query?: AccountsOptions): ItemPage<Account>
  /** @param identifier id or IBAN */
  account(identifier: number | string): Account
  categories(query?: PageOptions): ItemPage<Category>
  category(id: number): Category
  transaction(id: number): Transaction
  transactions(query?: ListOptions): ItemPage<Transaction>
  /** The payments of a reference, the most likely first. */
  match(reference: string, query?: MatchOptions): Promise<ItemPage<MatchedTransaction>>
  /** The payments of up to 500 references. */
  matchAll(request: BatchMatchRequest, query?: FilterOptions & BoundsOptions): Promise<BatchMatch[]>
  summary(query?: SummaryOptions): Promise<ItemPage<TransactionGroup>>
  /** @param limit 1 to 20 */
  suggestions(text: string, limit?: number): Promise<Suggestion[]>
  /** Changes in the order of their commits, for a copy of the transactions. */
  changes(query?: ChangesOptions): AsyncIterableIterator<FollowedChange>
  /**
   * Ends loops over changes, rejects calls under way and later ones with `workspace_unavailable`,
   * and lets the workspace be evicted.
   */
  close(): void
}

/** A change, and where to go on from it. */
export type FollowedChange = TransactionChange & {
  /** To send as `since` once this change is applied; absent = a later change has it. */
  readonly cursor?: string
}
