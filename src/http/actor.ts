import type { Actor } from '../domain/audit.js'
import type { Exchange } from './engine/exchange.js'

/** The sender of a request, for the audit log. @param who `anonymous` unless it is known */
export function actorOf(
  { remoteAddress, requestId }: Pick<Exchange, 'remoteAddress' | 'requestId'>,
  who = 'anonymous',
): Actor {
  return { who, address: remoteAddress === '' ? null : remoteAddress, requestId }
}
