import type { Random } from '../../src/demo/random.js'
import { type Grammar, type Ground, wholeRequest } from '../shot.js'
import { damaged, hostileText } from './texts.js'

const METHODS = [
  ...['initialize', 'tools/list', 'tools/call', 'ping', 'notifications/initialized', 'x'],
  ...['resources/list', 'prompts/list', 'server/discover', 'completion/complete'],
]
const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01']
const NAMES = ['search', 'match', 'account', 'limit', 'offset', 'order', 'fields', 'id', 'category']
const VALUES: readonly unknown[] = [0, 1, -1, 1e99, null, true, '', 'full', 'asc', [], {}, [[[]]]]

/** Bodies for the MCP endpoint: one message, several, and none. */
export const mcp: Grammar = (random, ground) => {
  const { host, mcpPath, mcpKey } = ground
  const lines = [
    `Host: ${host}`,
    `Authorization: Bearer ${mcpKey}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
  ]
  if (random.chance(300)) lines.push(`Mcp-Protocol-Version: ${random.pick(VERSIONS)}`)
  if (random.chance(200)) lines.push(`Mcp-Method: ${random.pick(METHODS)}`)
  if (random.chance(50)) lines.push('Origin: https://evil.example')
  const count = random.chance(150) ? random.between(2, 14) : 1
  const messages = Array.from({ length: count }, () => message(random, ground))
  const json = JSON.stringify(count === 1 && random.chance(900) ? messages[0] : messages)
  const text = random.chance(50) ? '['.repeat(random.between(1, 30_000)) : json
  const body = random.chance(150) ? damaged(random, Buffer.from(text), 3) : Buffer.from(text)
  return wholeRequest({ method: 'POST', target: mcpPath, fields: lines, body })
}

function message(random: Random, ground: Ground): object {
  const { words } = ground
  const input: Record<string, unknown> = {}
  for (let i = random.between(0, 4); i > 0; i--) {
    const value = random.chance(500) ? random.pick(VALUES) : hostileText(random, words, 400)
    input[random.chance(900) ? random.pick(NAMES) : '__proto__'] = value
  }
  const name = random.chance(900) ? random.pick(['get_transactions', 'get_accounts']) : 'x'
  const id = random.pick([1, 'a', null, 1.5, -1])
  const params = random.chance(100) ? random.pick(VALUES) : { name, arguments: input }
  return { jsonrpc: random.chance(980) ? '2.0' : '1.0', id, method: random.pick(METHODS), params }
}
