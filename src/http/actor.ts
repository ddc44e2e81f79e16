import type { Actor } from '../domain/audit.js'
import type { Exchange } from './exchange.js'

/** Who a request comes from, for the audit log. @param who `anonymous` unless it is known */
export function actorOf(
  { remoteAddress, requestId }: Pick<Exchange, 'remoteAddress' | 'requestId'>,
  who = 'anonymous',
): Actor {
  return { who, address: remoteAddress === '' ? null : remoteAddress, requestId }
}
