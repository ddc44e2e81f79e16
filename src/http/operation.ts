import type { Access } from '../auth/access.js'
import type { Scope } from '../domain/key-scope.js'
import type { Listing } from '../query/listing.js'
import type { MatchRequest, Ranking } from '../query/match-ranking.js'
import type { QueryCache } from '../query/query-cache.js'
import type { AccountEntry, Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'

/** The data and services an operation computes its answer from. */
export interface OperationContext {
  readonly snapshot: Snapshot
  readonly access: Access
  /** The variable segments of the path after the workspace id, as sent, in order. */
  readonly segments: readonly string[]
  readonly queryCache: QueryCache
  readonly buffer: BodyBuffer
  /** Ranks within the request's budget. Rejects with ApiError `budget_exceeded`. */
  rank(query: MatchRequest): Ranking | Promise<Ranking>
  /** The latest snapshot; undefined = the workspace was evicted from memory. */
  current(): Snapshot | undefined
}

/** The body of a 200, and the position of the page when it is a list. */
export interface OperationResult {
  /** Valid until the buffer's next body. */
  readonly bytes: Uint8Array
  readonly page?: { readonly offset: number; readonly limit: number; readonly total: number }
  /**
   * The transactions that the page is a part of, `total` of them; from a match in no order, and
   * only when the call asked for them.
   */
  readonly hits?: Listing | undefined
  /** The accounts that the page is a part of. */
  readonly accounts?: readonly AccountEntry[]
}

/**
 * One operationId of the contract. The exchange around it authenticates, finds the snapshot and
 * writes the fields; an operation reads its query and renders its body.
 */
export interface Operation<Query = unknown> {
  readonly id: string
  /** `/v1/:workspaceId/…`; a segment that begins with a colon is variable. */
  readonly pattern: string
  /** The scope a credential needs; undefined = any valid credential is enough. */
  readonly scope: Scope | undefined
  /** Whether it has a time budget, which waiting for the workspace uses up as well. */
  readonly isMatch?: true
  /** @throws ApiError 400 */
  parse(rawQuery: string): Query
  /** The terms a query searches for; absent = an operation that never searches. */
  searches?(query: Query): readonly Term[]
  /** A promise rejects with the same. @throws ApiError 400; a match also 409, 503 */
  run(context: OperationContext, query: Query): OperationResult | Promise<OperationResult>
}

/** An operation with its query type hidden: a row of the table of operations. */
export interface AnyOperation {
  readonly id: string
  readonly pattern: string
  readonly scope: Scope | undefined
  readonly isMatch: boolean
  /** Reads the query. @throws ApiError 400 */
  bind(rawQuery: string): BoundQuery
}

/** A query that has been parsed. */
export interface BoundQuery {
  /** The terms it searches for. */
  readonly terms: readonly Term[]
  /** Whether it needs a snapshot with text and match indexes. */
  readonly needsIndexes: boolean
  /** Renders the body, as {@link Operation.run} does. */
  execute(context: OperationContext): OperationResult | Promise<OperationResult>
}

const NO_TERMS: readonly Term[] = []

/** The operation as a row of a table. */
export function operation<Query>(row: Operation<Query>): AnyOperation {
  const { id, pattern, scope, isMatch = false } = row
  return {
    id,
    pattern,
    scope,
    isMatch,
    bind: (rawQuery) => {
      const query = row.parse(rawQuery)
      const terms = row.searches?.(query) ?? NO_TERMS
      const needsIndexes = isMatch || terms.length > 0
      return { terms, needsIndexes, execute: (context) => row.run(context, query) }
    },
  }
}
