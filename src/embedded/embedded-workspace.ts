import { strict as assert } from 'node:assert'
import { setMaxListeners } from 'node:events'
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
import { messageOf } from '../errors.js'
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
import { changeLoop } from './change-loop.js'
import type { FollowedChange, ItemPage, KontorWorkspace } from './handles.js'
import { closedError, errorFor, KontorError } from './kontor-error.js'
import {
  type AccountsOptions,
  type BoundsOptions,
  type ChangesOptions,
  encoded,
  type FilterOptions,
  type ListOptions,
  type MatchOptions,
  type PageOptions,
  rawQueryOf,
  type SummaryOptions,
} from './queries.js'

/** What a workspace opens with. */
interface WorkspaceOpening {
  readonly id: string
  /** null = all. */
  readonly accountIds: readonly number[] | null
  /** Each workspace is a caller of its own. */
  readonly credentialId: string
}

/** The callers of an open workspace, which hold its memory. */
interface Callers {
  /** Sees the latest snapshot. */
  readonly latest: OperationCaller
  /** Sees the latest one with indexes: the next one is still being indexed for a while. */
  readonly indexed: OperationCaller
}

/** Calls operations on one workspace, whose snapshot stays in memory. */
export class EmbeddedWorkspace implements KontorWorkspace {
  readonly id: string
  readonly #reads: ReadService
  readonly #release: () => void
  readonly #closing = new AbortController()
  /** undefined = closed: a program may keep the object for long. */
  #callers: Callers | undefined

  private constructor(reads: ReadService, snapshot: Snapshot, access: Access, release: () => void) {
    this.id = access.workspaceId
    this.#reads = reads
    this.#release = release
    // One for each match under way.
    setMaxListeners(0, this.#closing.signal)
    const { parts } = reads
    // The program has the data, whichever file they are in.
    const credentials = { noteWorkspaceFile: () => undefined }
    const service = openOperationService({ ...parts, credentials })
    let indexed = snapshot
    const find = (id: string): Snapshot => {
      const latest = parts.snapshots.find(id)
      if (latest !== undefined && isIndexed(latest)) indexed = latest
      return indexed
    }
    const indexedParts = { ...service.parts, snapshots: { ...parts.snapshots, find } }
    const caller = { access, signal: this.#closing.signal }
    this.#callers = {
      latest: { ...caller, service },
      indexed: { ...caller, service: { ...service, parts: indexedParts } },
    }
  }

  /**
   * Loads the workspace with its indexes, however long that takes.
   * @param onClosed called once   @throws KontorError `workspace_unavailable`
   */
  static async open(
    reads: ReadService,
    opening: WorkspaceOpening,
    onClosed: () => void,
  ): Promise<EmbeddedWorkspace> {
    const { id } = opening
    const unpin = reads.snapshots.pin(id)
    const release = (): void => {
      unpin()
      onClosed()
    }
    try {
      const snapshot = await reads.snapshots.loadIndexed(id)
      const access = accessOf(opening, snapshot.version.uid)
      return new EmbeddedWorkspace(reads, snapshot, access, release)
    } catch (error) {
      unpin()
      const message = `Workspace ${id} cannot be loaded: ${messageOf(error)}`
      throw new KontorError('workspace_unavailable', message, { cause: error })
    }
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

  async match(reference: string, query: MatchOptions = {}): Promise<ItemPage<MatchedTransaction>> {
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

  async summary(query: SummaryOptions = {}): Promise<ItemPage<TransactionGroup>> {
    return this.#pageLater(...bounded('summary', query))
  }

  async suggestions(text: string, limit?: number): Promise<Suggestion[]> {
    const { body } = await this.#call(requestOf(named('getSuggestions'), { query: text, limit }))
    return body as Suggestion[]
  }

  changes(query: ChangesOptions = {}): AsyncIterableIterator<FollowedChange> {
    const read = async (page: object, signal: AbortSignal): Promise<TransactionChanges> => {
      const { body } = await this.#call(requestOf(named('getTransactionChanges'), page), signal)
      return body as TransactionChanges
    }
    return changeLoop(read, query, this.#closing.signal)
  }

  close(): void {
    if (this.#callers === undefined) return
    this.#callers = undefined
    this.#release()
    this.#closing.abort(closedError(`Workspace ${this.id}`))
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
    const { indexed, latest } = this.#open
    try {
      const caller = request.operation.verb === 'search' ? indexed : latest
      const { reading, page } = callOperationHere(caller, request, parsed)
      return { body: reading, total: page?.total }
    } catch (error) {
      throw errorFor(error)
    }
  }

  async #call(request: OperationRequest, signal = this.#closing.signal): Promise<Answer> {
    const caller = { ...this.#open.latest, signal }
    try {
      const { reading, page } = await callOperation(caller, request, parsed)
      return { body: reading, total: page?.total }
    } catch (error) {
      // Threads that end with the workspace reject what they were doing.
      signal.throwIfAborted()
      throw errorFor(error)
    }
  }

  /** @throws KontorError when the workspace is closed, or its file is another one */
  get #open(): Callers {
    this.#closing.signal.throwIfAborted()
    assert(this.#callers !== undefined, 'a workspace that is not closed has callers')
    // A call that loads would answer from a file that the program has not opened.
    if (this.#reads.snapshots.find(this.id) === undefined) {
      const what = `Workspace ${this.id} is not in memory, because its file was removed or replaced`
      throw new KontorError('workspace_unavailable', `${what}; open it again.`)
    }
    return this.#callers
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
    segments: segments.map((segment) => encoded('an id', segment)),
  }
}

/** The operation of a verb within the bounds of the query, and the rest of the query. */
function bounded<Query extends BoundsOptions>(
  verb: VerbName,
  query: Query,
): [NamedOperation, object] {
  const { account, counterpartIban, ...rest } = query
  if (account !== undefined && counterpartIban !== undefined) {
    const message = 'account and counterpartIban cannot be combined; give one of them.'
    throw new KontorError('invalid_parameter', message)
  }
  const place = account ?? counterpartIban
  const bounds =
    account !== undefined ? 'account' : counterpartIban === undefined ? 'workspace' : 'counterpart'
  const name = account === undefined ? 'counterpartIban' : 'account'
  const segments = place === undefined ? [] : [encoded(name, place)]
  return [{ operation: transactionOperation(verb, bounds), segments }, rest]
}

function requestOf(operation: NamedOperation, query: object, body?: Uint8Array): OperationRequest {
  const request = { ...operation, query: rawQueryOf(query), hitsKey: '' }
  return body === undefined ? request : { ...request, body }
}

/** @param uid of the file */
function accessOf({ id, credentialId, accountIds }: WorkspaceOpening, uid: string): Access {
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
