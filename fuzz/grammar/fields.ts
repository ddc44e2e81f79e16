import { type Grammar, wholeRequest } from '../shot.js'
import { hostileText } from './texts.js'

const NAMES = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Cookie', 'If-None-Match', 'Origin', 'Range'],
  ...['If-Modified-Since', 'Referer', 'User-Agent', 'X-Forwarded-For', 'X-Request-Id', 'Via'],
  ...['Access-Control-Request-Method', 'Access-Control-Request-Headers', 'Sec-Fetch-Site'],
  ...['Authorization', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Session-Id', 'Host'],
]
const PATHS = [
  ...['/v1/demo/accounts', '/v1/demo/transactions?limit=3', '/v1/demo/key/scope', '/openapi.json'],
  ...['/docs', '/dashboard', '/health', '/livez', '/readyz', '/', '/favicon.ico'],
]

/** Requests with hostile header fields, some of them very long and some of them twice. */
export const fields: Grammar = (random, { host, apiKey, words }) => {
  const lines = [`Host: ${host}`]
  if (random.chance(700)) lines.push(`Authorization: Bearer ${apiKey}`)
  for (let i = random.between(0, 5); i >= 0; i--) {
    const unitsMax = random.chance(50) ? 20_000 : 200
    const value = hostileText(random, words, unitsMax).replace(/[\r\n\0]/g, ' ')
    lines.push(`${random.pick(NAMES)}: ${Buffer.from(value, 'utf8').toString('latin1')}`)
  }
  if (random.chance(20)) for (let i = 0; i < 120; i++) lines.push(`X-${i}: ${i}`)
  if (random.chance(300)) lines.push(`If-None-Match: ,${' '.repeat(random.below(15_000))}x`)
  const shot = wholeRequest({ method: 'GET', target: random.pick(PATHS), fields: lines })
  // A second Host or a field with a control character is refused, and the connection closed.
  return { ...shot, isWhole: false }
}
