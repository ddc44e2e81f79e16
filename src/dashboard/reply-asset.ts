import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { NO_SNIFF } from '../http/engine/response-fields.js'
import { matchesIfNoneMatch } from '../wire/etag.js'
import type { Asset } from './assets.js'

/** Cache lifetime of a style sheet or script in browsers; its name changes with its content. */
const ASSET_MAX_AGE_SECONDS = 31_536_000

/**
 * Replies with a file that browsers may cache forever. @param keeper `public` = shared caches, too
 */
export function replyAsset(
  exchange: Exchange,
  { contentType, bytes, etag }: Asset,
  keeper: 'private' | 'public',
): void {
  const fields: ResponseFields = [
    ['Cache-Control', `${keeper}, max-age=${ASSET_MAX_AGE_SECONDS}, immutable`],
    ['ETag', etag],
    NO_SNIFF,
    ['X-Request-Id', exchange.requestId],
  ]
  if (matchesIfNoneMatch(exchange.field('if-none-match'), etag)) {
    exchange.reply(304, fields, new Uint8Array(0))
  } else exchange.reply(200, [['Content-Type', contentType], ...fields], bytes)
}
