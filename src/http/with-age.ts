import type { Handler } from './engine/exchange.js'

/**
 * Adds the field `Age` (RFC 9111, 5.1), the maximum age of the data, to the replies of a handler
 * while the store is out of contact.
 * @param silentMs time since the last contact with the store; 0 = it is in contact
 */
export function withAge(answer: Handler, silentMs: () => number): Handler {
  return (exchange) => {
    const ageMs = silentMs()
    if (ageMs > 0 && Number.isFinite(ageMs)) {
      exchange.addFields([['Age', String(Math.floor(ageMs / 1000))]])
    }
    return answer(exchange)
  }
}
