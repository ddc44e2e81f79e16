import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { Scope } from '../domain/key-scope.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { AccountView } from '../query/changed-rows.js'
import type { Listing } from '../query/listing.js'
import type { MatchBatch } from '../query/match-batch.js'
import type { MatchRequest, Ranking } from '../query/match-ranking.js'
import type { QueryCache } from '../query/query-cache.js'
import type { Group } from '../query/summary.js'
import type { StepwiseWork } from '../query/turns.js'
import type { AccountEntry, Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'
import type { PagePlace } from '../wire/links.js'
import {
  PATH_PARAMETERS,
  type PathParameter,
  type QueryParameter,
} from '../wire/parameter-table.js'
import type { QueryTable } from '../wire/raw-query.js'
import type { SuggestionQuery } from '../wire/suggestion-query.js'
import type { TAGS } from './operations/descriptions.js'

/** The data and services an operation computes its answer from. */
export interface OperationContext {
  readonly snapshot: Snapshot
  readonly access: Access
  /** The variable segments of the path after the workspace id, as sent, in order. */
  readonly segments: readonly string[]
  readonly queryCache: QueryCache
  readonly buffer: BodyBuffer
  /**
   * Does work on some rows: on many in turns, in a slot of the credential. Rejects with the
   * signal's reason when the caller disconnects, and with ApiError `workspace_unavailable` when too
   * many of the credential's callers wait.
   */
  addUp<Result>(rowCount: number, work: StepwiseWork<Result>): Result | Promise<Result>
  /** Ranks within the request's budget. Rejects with ApiError `budget_exceeded`. */
  rank(query: MatchRequest): Ranking | Promise<Ranking>
  /** Ranks all matches of a batch within the request's budget. Rejects likewise. */
  rankBatch(batch: MatchBatch): Promise<void>
  /** The texts that may be meant, counted. Rejects with ApiError `workspace_unavailable`. */
  suggest(query: SuggestionQuery): Promise<Suggestion[]>
  /** The latest snapshot; undefined = the workspace was evicted from memory. */
  current(): Snapshot | undefined
  /**
   * Waits until an account of the view has changed, or the time is over; `snapshot` and `access`
   * are the present ones then. Rejects with ApiError when the credential is not valid any more.
   * @returns time left; 0 = do not wait again
   */
  nextChange(view: AccountView, ms: number): Promise<number>
}

/** The body of a 200, and the position of the page when it is a list. */
export interface OperationResult {
  /** Valid until the buffer's next body. */
  readonly bytes: Uint8Array
  readonly page?: PagePlace
  /**
   * The transactions that the page is a part of, `total` of them; from a match in no order, and
   * only when the call asked for them.
   */
  readonly hits?: Listing | undefined
  /** The accounts that the page is a part of. */
  readonly accounts?: readonly AccountEntry[]
  /** The groups of a page of sums. */
  readonly groups?: readonly Group[]
}

/** How an operation on transactions finds them, or that it sums them. */
export type VerbName = 'list' | 'search' | 'match' | 'batchMatch' | 'summary'

/** The transactions that an operation ranges over. */
export type BoundsName = 'workspace' | 'account' | 'counterpart'

/** One operationId as the OpenAPI document describes it. */
export interface OperationDescription {
  readonly id: string
  /** A GET is answered to HEAD as well; a POST has a body, and its path is that of a GET. */
  readonly method: 'GET' | 'POST'
  /** `/v1/{workspaceId}/…`; a segment in braces is variable. */
  readonly path: string
  /** The scope a credential needs; undefined = any valid credential is enough. */
  readonly scope: Scope | undefined
  readonly tags: readonly (keyof typeof TAGS)[]
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly resource:
    | ('Account' | 'Transaction' | 'MatchedTransaction' | 'TransactionGroup')
    | ('BatchMatch' | 'Suggestion' | 'TransactionChanges' | 'Category' | 'KeyScope')
  /**
   * One resource, a list of them with count and links, a list of matches, likewise, an entry for
   * each query of the body, or all suggestions.
   */
  readonly answers: 'one' | 'list' | 'matches' | 'entries' | 'suggestions'
  /** Whether an answer may wait for the snapshot that it is computed from. */
  readonly waits?: boolean
  /** Of the operations on transactions; absent = another operation. */
  readonly verb?: VerbName
  readonly bounds?: BoundsName
}

/**
 * One operationId of the contract. The exchange around it authenticates, finds the snapshot and
 * writes the fields; an operation reads its query and renders its body.
 */
export interface Operation<Query = unknown> extends OperationDescription {
  /** The parameters of the query. */
  readonly table: QueryTable<never>
  /** @param body empty for a GET   @throws ApiError 400 */
  parse(rawQuery: string, body: Uint8Array): Query
  /** The terms a query searches for; absent = an operation that never searches. */
  searches?(query: Query): readonly Term[]
  /** Whether it looks texts up whatever the query is; absent = only as far as it searches. */
  readonly needsIndexes?: boolean
  /** A promise rejects with the same. @throws ApiError 400; a match also 409, 503 */
  run(context: OperationContext, query: Query): OperationResult | Promise<OperationResult>
}

/** An operation with its query type hidden: a row of the table of operations. */
export interface AnyOperation extends OperationDescription {
  /** Whether it has a time budget, which waiting for the workspace uses up as well. */
  readonly isMatch: boolean
  /** In the order of the path. */
  readonly pathParameters: readonly PathParameter[]
  /** In the order they are documented. */
  readonly queryParameters: readonly QueryParameter[]
  /** Reads the query. @param body empty for a GET   @throws ApiError 400 */
  bind(rawQuery: string, body: Uint8Array): BoundQuery
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
  const { table, parse, searches, needsIndexes: looksUp = false, run, ...description } = row
  const isMatch = row.verb === 'match' || row.verb === 'batchMatch'
  return {
    ...description,
    isMatch,
    pathParameters: pathParametersOf(description.path),
    queryParameters: table.rows.map(({ parameter }) => parameter),
    bind: (rawQuery, body) => {
      const query = parse(rawQuery, body)
      const terms = searches?.(query) ?? NO_TERMS
      const needsIndexes = isMatch || looksUp || terms.length > 0
      return { terms, needsIndexes, execute: (context) => run(context, query) }
    },
  }
}

function pathParametersOf(path: string): PathParameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
    const parameter = PATH_PARAMETERS.find((known) => known.name === name)
    assert(parameter !== undefined, `${path} has a segment without a parameter`)
    return parameter
  })
}
