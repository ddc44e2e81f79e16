import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { Account } from '../domain/account.js'
import type { BatchMatch, BatchMatchRequest } from '../domain/batch-match.js'
import type { Category } from '../domain/category.js'
import { SCOPES } from '../domain/key-scope.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { Transaction } from '../domain/transaction.js'
import type { TransactionChanges } from '../domain/transaction-change.js'
import type { TransactionGroup } from '../domain/transaction-group.js'
import { ApiError } from '../errors.js'
import {
  callOperation,
  callOperationHere,
  type OperationCaller,
  type OperationRequest,
} from '../http/call-operation.js'
import type { VerbName } from '../http/operation.js'
import type { NamedOperation } from '../http/operation-call.js'
import { operationOfId, transactionOperation } from '../http/operations/table.js'
import type { ReadService } from '../http/read-service.js'
import { openOperationService } from '../http/service-state.js'
import { formatInstant } from '../instant.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { FollowedChange, ItemPage, KontorWorkspace } from './handles.js'
import { errorFor } from './kontor-error.js'
import {
  type AccountsOptions,
  type BoundsOptions,
  type ChangesOptions,
  type FilterOptions,
  type ListOptions,
  type MatchOptions,
  type PageOptions,
  rawQueryOf,
  type SummaryOptions,
} from './queries.js'

/** Changes of a page, and seconds that a page waits for the first one. */
const CHANGES_PAGE = { limit: 250, wait: 30 }

const FOR_EVER = new AbortController().signal

/** Handles opened by this process: each is a caller of its own. */
let openedCount = 0

/** Calls operations on one workspace, whose snapshot stays in memory. */
export class EmbeddedWorkspace implements KontorWorkspace {
  readonly #caller: OperationCaller
  readonly #unpin: () => void
  /** The latest snapshot with indexes: after a reload the next one is still being indexed. */
  #indexed: Snapshot

  private constructor(
    private readonly reads: ReadService,
    snapshot: Snapshot,
    { access, unpin }: { readonly access: Access; readonly unpin: () => void },
  ) {
    this.#indexed = snapshot
    this.#unpin = unpin
    const { parts } = reads
    const snapshots = { ...parts.snapshots, find: () => this.#latest() }
    // The program has the data, whichever file they are in.
    const credentials = { noteWorkspaceFile: () => undefined }
    const service = openOperationService({ ...parts, snapshots, credentials })
    this.#caller = { service, access, signal: FOR_EVER }
  }

  /**
   * Loads the workspace with its indexes.
   * @param accountIds null = all
   * @throws ApiError when it cannot be loaded
   */
  static async open(
    reads: ReadService,
    id: string,
    accountIds: readonly number[] | null,
  ): Promise<EmbeddedWorkspace> {
    const unpin = reads.snapshots.pin(id)
    try {
      openedCount += 1
      const credentialId = `embedded:${openedCount}`
      const request = { workspaceId: id, credentialId }
      const snapshot = await reads.parts.snapshots.loadIndexed(request)
      const access = accessOf({ id, uid: snapshot.version.uid, credentialId, accountIds })
      return new EmbeddedWorkspace(reads, snapshot, { access, unpin })
    } catch (error) {
      unpin()
      throw error
    }
  }

  get id(): string {
    return this.#caller.access.workspaceId
  }

  accounts(query: AccountsOptions = {}): ItemPage<Account> {
    return this.#page(named('getAccounts'), query)
  }

  account(identifier: number | string): Account {
    return this.#one(named('getAccount', identifier))
  }

  categories(query: PageOptions = {}): ItemPage<Category> {
    return this.#page(named('getCategories'), query)
  }

  category(id: number): Category {
    return this.#one(named('getCategory', id))
  }

  transaction(id: number): Transaction {
    return this.#one(named('getTransaction', id))
  }

  transactions(query: ListOptions = {}): ItemPage<Transaction> {
    const verb = query.query === undefined ? 'list' : 'search'
    return this.#page(...bounded(verb, query))
  }

  match(reference: string, query: MatchOptions = {}): Promise<ItemPage<MatchedTransaction>> {
    return this.#pageLater(...bounded('match', { ...query, query: reference }))
  }

  async matchAll(
    request: BatchMatchRequest,
    query: FilterOptions & BoundsOptions = {},
  ): Promise<BatchMatch[]> {
    const [operation, rest] = bounded('batchMatch', query)
    const { body } = await this.#call(
      requestOf(operation, rest, Buffer.from(JSON.stringify(request))),
    )
    return body as BatchMatch[]
  }

  summary(query: SummaryOptions = {}): Promise<ItemPage<TransactionGroup>> {
    return this.#pageLater(...bounded('summary', query))
  }

  async suggestions(text: string, limit?: number): Promise<Suggestion[]> {
    const { body } = await this.#call(requestOf(named('getSuggestions'), { query: text, limit }))
    return body as Suggestion[]
  }

  async *changes(query: ChangesOptions = {}): AsyncGenerator<FollowedChange, void> {
    const { accountIds, follow = true, signal = FOR_EVER } = query
    let { since } = query
    for (;;) {
      const page = { since, accountIds, ...CHANGES_PAGE, wait: follow ? CHANGES_PAGE.wait : 0 }
      const request = requestOf(named('getTransactionChanges'), page)
      const { body } = await this.#call(request, signal)
      const { changes, cursor, hasMore } = body as TransactionChanges
      const last = changes.pop()
      for (const change of changes) yield change
      if (last !== undefined) yield { ...last, cursor }
      since = cursor
      if (!hasMore && !follow) return
    }
  }

  close(): void {
    this.#unpin()
  }

  /** @throws ApiError when the workspace is not in memory any more */
  #latest(): Snapshot {
    const { id } = this
    const current = this.reads.snapshots.find(id)
    if (current === undefined) {
      const state = this.reads.snapshots.stateOf(id)
      const reason = state.kind === 'failed' ? state.reason : 'its file was removed or replaced'
      const message = `Workspace ${id} is not in memory any more: ${reason}.`
      throw new ApiError('workspace_unavailable', message)
    }
    if (isIndexed(current)) this.#indexed = current
    return this.#indexed
  }

  #one<Item>(operation: NamedOperation): Item {
    return this.#callHere(requestOf(operation, {})).body as Item
  }

  #page<Item>(operation: NamedOperation, query: object): ItemPage<Item> {
    return pageOf(this.#callHere(requestOf(operation, query)))
  }

  async #pageLater<Item>(operation: NamedOperation, query: object): Promise<ItemPage<Item>> {
    return pageOf(await this.#call(requestOf(operation, query)))
  }

  #callHere(request: OperationRequest): Answer {
    try {
      const { reading, page } = callOperationHere(this.#caller, request, parsed)
      return { body: reading, total: page?.total }
    } catch (error) {
      throw errorFor(error)
    }
  }

  async #call(request: OperationRequest, signal = FOR_EVER): Promise<Answer> {
    try {
      const { reading, page } = await callOperation({ ...this.#caller, signal }, request, parsed)
      return { body: reading, total: page?.total }
    } catch (error) {
      throw errorFor(error)
    }
  }
}

interface Answer {
  readonly body: unknown
  readonly total: number | undefined
}

function pageOf<Item>({ body, total }: Answer): ItemPage<Item> {
  assert(total !== undefined, 'a list has a count')
  return { items: body as Item[], total }
}

function parsed(bytes: Uint8Array): unknown {
  // Rows are in shared memory, which a Buffer can read and a TextDecoder cannot.
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
}

function named(id: string, ...segments: readonly (number | string)[]): NamedOperation {
  return {
    operation: operationOfId(id),
    segments: segments.map((segment) => encodeURIComponent(segment)),
  }
}

/** The operation of a verb within the bounds of the query, and the rest of the query. */
function bounded<Query extends BoundsOptions>(
  verb: VerbName,
  query: Query,
): [NamedOperation, object] {
  const { account, counterpartIban, ...rest } = query
  if (account !== undefined && counterpartIban !== undefined) {
    throw errorFor(
      new ApiError('invalid_parameter', 'account and counterpartIban cannot be combined.'),
    )
  }
  const place = account ?? counterpartIban
  const bounds =
    account !== undefined ? 'account' : counterpartIban === undefined ? 'workspace' : 'counterpart'
  const segments = place === undefined ? [] : [encodeURIComponent(place)]
  return [{ operation: transactionOperation(verb, bounds), segments }, rest]
}

function requestOf(operation: NamedOperation, query: object, body?: Uint8Array): OperationRequest {
  const request = { ...operation, query: rawQueryOf(query), hitsKey: '' }
  return body === undefined ? request : { ...request, body }
}

interface Handle {
  readonly id: string
  readonly uid: string
  readonly credentialId: string
  readonly accountIds: readonly number[] | null
}

function accessOf({ id, uid, credentialId, accountIds }: Handle): Access {
  return {
    workspaceId: id,
    // Account ids of another file are those of other accounts.
    workspaceUid: accountIds === null ? null : uid,
    scopes: new Set(SCOPES),
    accountIds: accountIds === null ? null : new Set(accountIds),
    ...{ credentialId, tag: credentialId, expiresAtMs: Number.POSITIVE_INFINITY, key: null },
    keyScope: {
      ...{ workspaceId: id, type: 'apiKey', scopes: [...SCOPES], name: credentialId },
      accounts: accountIds === null ? null : [...accountIds],
      createdAt: formatInstant(0),
    },
  }
}
