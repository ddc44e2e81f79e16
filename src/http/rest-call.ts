import type { Access } from '../auth/access.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { entityTag, matchesIfNoneMatch } from '../wire/etag.js'
import { linkValue } from '../wire/links.js'
import { contentTag } from './content-tag.js'
import type { Exchange } from './engine/exchange.js'
import { MatchBudget } from './match-budget.js'
import type { AnyOperation, OperationResult } from './operation.js'
import type { OperationCall } from './operation-call.js'
import type { Route } from './routes.js'
import type { ServiceState } from './service-state.js'

const NO_BYTES = new Uint8Array(0)

/** An admitted REST request until its answer; an object, because one is made per request. */
export class RestCall implements OperationCall {
  readonly operation: AnyOperation
  readonly segments: readonly string[]
  readonly query: string
  readonly budget: MatchBudget | undefined
  readonly wantsHits = false
  /** Read immediately: a request's fields are unreadable once its answer has begun to wait. */
  readonly #known: string
  /**
   * Of the snapshot that the answer is computed from, or of the answer's content for a credential
   * with a list of accounts; `''` until that is known.
   */
  #etag = ''
  /** Whether the caller already has the answer. */
  #isKnown = false

  /** @param access has the scope that the operation needs */
  constructor(
    readonly service: ServiceState,
    private readonly exchange: Exchange,
    route: Route,
    readonly access: Access,
  ) {
    this.operation = route.operation
    this.segments = route.segments
    this.query = exchange.query
    this.budget = route.operation.isMatch
      ? new MatchBudget(service.parts.match, access.credentialId)
      : undefined
    this.#known = exchange.field('if-none-match')
  }

  get aborted(): boolean {
    return this.exchange.aborted
  }

  get signal(): AbortSignal {
    return this.exchange.signal
  }

  begin({ generation }: Snapshot): boolean {
    const { exchange, access } = this
    // Changes in other accounts make a new generation, which must not be disclosed.
    if (access.accountIds !== null) return true
    const etag = etagOf(exchange, access.tag, `${this.service.parts.startTag}.${generation}`)
    this.#etag = etag
    this.#isKnown = matchesIfNoneMatch(this.#known, etag)
    // The tag was sent with a 200 to this very URL, so the query is known to be valid. `*` was not:
    // it matches any representation, and a query that is refused has none (RFC 9110, 13.1.2).
    if (!this.#isKnown || this.#known.trim() === '*') return true
    replyNotModified(exchange, etag)
    return false
  }

  take(result: OperationResult): void {
    const { exchange, access } = this
    if (access.accountIds !== null) {
      this.#etag = contentTag(access.tag, result)
      this.#isKnown = matchesIfNoneMatch(this.#known, this.#etag)
    }
    if (this.#isKnown) replyNotModified(exchange, this.#etag)
    else {
      const basePath = this.service.parts.basePath?.()
      exchange.reply(200, successFields(exchange, this.#etag, result, basePath), result.bytes)
    }
  }
}

/**
 * The entity-tag of this URL's answer to a credential.
 * @param accessTag names the credential, or is empty
 * @param version of the answer's source
 */
export function etagOf({ path, query }: Exchange, accessTag: string, version: string): string {
  return entityTag({ version, accessTag, path, rawQuery: query })
}

/** Replies 304: the caller's copy is still valid. */
export function replyNotModified(exchange: Exchange, etag: string): void {
  exchange.reply(304, commonFields(exchange, etag), NO_BYTES)
}

type Fields = (readonly [name: string, value: string])[]

function commonFields(exchange: Exchange, etag: string): Fields {
  return [
    ['X-Request-Id', exchange.requestId],
    ['Cache-Control', 'private, no-cache'],
    ['ETag', etag],
    ['X-Content-Type-Options', 'nosniff'],
  ]
}

/**
 * The fields of a 200 (docs/contract.md, "Response headers").
 * @param basePath of the base URL, in front of paths in links
 */
export function successFields(
  exchange: Exchange,
  etag: string,
  { page }: Pick<OperationResult, 'page'>,
  basePath = '',
): Fields {
  const fields = commonFields(exchange, etag)
  fields.push(['Content-Type', 'application/json'])
  if (page === undefined) return fields
  fields.push(['X-Total-Count', String(page.total)])
  const link = linkValue(`${basePath}${exchange.path}`, exchange.query, page)
  if (link !== '') fields.push(['Link', link])
  return fields
}
