import type { Access } from '../auth/access.js'
import type { AccountView } from '../query/changed-rows.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { whenKnown } from '../when-known.js'
import { entityTag, matchesIfNoneMatch } from '../wire/etag.js'
import { linkValue } from '../wire/links.js'
import { accessOf, requireScope } from './admission.js'
import { contentTag } from './content-tag.js'
import type { Exchange } from './engine/exchange.js'
import { JSON_TYPE, NO_SNIFF, PRIVATE } from './engine/response-fields.js'
import type { OperationResult } from './operation.js'
import { OperationCall } from './operation-call.js'
import type { Route } from './routes.js'
import type { ServiceState } from './service-state.js'

const NO_BYTES = new Uint8Array(0)

/** An admitted REST request until its answer. */
export class RestCall extends OperationCall {
  readonly wantsHits = false
  /** Read immediately: a request's fields are unreadable once its answer has begun to wait. */
  private readonly known: string
  /**
   * Of the snapshot that the answer is computed from, or of the answer's content for a credential
   * with a list of accounts; `''` until that is known.
   */
  private etag = ''
  /** Whether the caller already has the answer. */
  private isKnown = false

  /** @param access has the scope that the operation needs   @param body absent for a GET */
  constructor(
    private readonly state: ServiceState,
    private readonly exchange: Exchange,
    private readonly route: Route,
    access: Access,
    body?: Uint8Array,
  ) {
    super(state, route, exchange.query, access, body)
    this.known = exchange.field('if-none-match')
  }

  get aborted(): boolean {
    return this.exchange.aborted
  }

  get signal(): AbortSignal {
    return this.exchange.signal
  }

  whenAborted(end: (() => void) | undefined): void {
    this.exchange.onAborted = end
  }

  /**
   * Whether the entity-tag is that of the content: of an answer that may come from a later
   * snapshot, and where changes in other accounts, which make a new generation, must not be
   * disclosed.
   */
  private get isTaggedByContent(): boolean {
    return this.access.accountIds !== null || this.operation.waits === true
  }

  override async nextChange(view: AccountView, ms: number): Promise<number> {
    const leftMs = await super.nextChange(view, ms)
    this.exchange.heldMs += ms - leftMs
    return leftMs
  }

  readmit(): Access | Promise<Access> {
    const { exchange, route, state } = this
    return whenKnown(accessOf(exchange, route, state.parts), (access) => {
      requireScope(route.operation, access)
      return access
    })
  }

  begin(snapshot: Snapshot): boolean {
    const { exchange, access } = this
    if (this.isTaggedByContent || exchange.method === 'POST') return true
    const etag = etagOf(exchange, access.tag, this.state.parts.tags.of(snapshot))
    this.etag = etag
    this.isKnown = matchesIfNoneMatch(this.known, etag)
    // The tag was sent with a 200 to this very URL, so the query is known to be valid. `*` was not:
    // it matches any representation, and a query that is refused has none (RFC 9110, 13.1.2).
    if (!this.isKnown || this.known.trim() === '*') return true
    replyNotModified(exchange, etag)
    return false
  }

  take(result: OperationResult): void {
    const { exchange, access } = this
    // An answer to a POST has no tag: it depends on the body, and no cache keeps it.
    if (this.isTaggedByContent && exchange.method !== 'POST') {
      this.etag = contentTag(access.tag, result)
      this.isKnown = matchesIfNoneMatch(this.known, this.etag)
    }
    if (this.isKnown) replyNotModified(exchange, this.etag)
    else {
      const basePath = this.state.parts.basePath?.()
      exchange.reply(200, successFields(exchange, this.etag, result, basePath), result.bytes)
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
  exchange.reply(304, taggedFields(exchange, etag), NO_BYTES)
}

type Fields = (readonly [name: string, value: string])[]

/** @param etag `''` = the answer has none */
function taggedFields({ requestId }: Exchange, etag: string): Fields {
  if (etag === '') return [['X-Request-Id', requestId], PRIVATE, NO_SNIFF]
  return [['X-Request-Id', requestId], PRIVATE, ['ETag', etag], NO_SNIFF]
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
  const fields = taggedFields(exchange, etag)
  fields.push(JSON_TYPE)
  if (page === undefined) return fields
  fields.push(['X-Total-Count', String(page.total)])
  const { nextCursor = '' } = page
  if (nextCursor !== '') fields.push(['X-Next-Cursor', nextCursor])
  const link = linkValue(`${basePath}${exchange.path}`, exchange.query, page)
  if (link !== '') fields.push(['Link', link])
  return fields
}
