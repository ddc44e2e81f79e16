import type { Handler } from './engine/exchange.js'

/**
 * The handler, whose replies tell how old their data may be while nothing is heard of the store, in
 * the field `Age` (RFC 9111, 5.1).
 * @param silentMs time since the store was last heard; 0 = it is heard
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
