import type { Grammar, Shot } from '../shot.js'

const LENGTHS = ['0', '3', '-1', '+3', '0x3', '3, 3', '3 ', '', '99999999999999999999', '3;', 'x']
const CODINGS = ['chunked', 'Chunked', 'gzip, chunked', 'chunked, chunked', 'identity', '', '\x0b']
const CHUNKS = [
  '3\r\nabc\r\n0\r\n\r\n',
  'g\r\n',
  '3;x=y\r\nabc\r\n',
  '-1\r\n',
  'ffffffffffffffff\r\n',
  '0\r\nX: y\r\n\r\n',
]
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'X',
]

/** Requests that are pipelined by the thousand. */
const FLOODS = [
  { target: '/v1/demo/accounts', hasKey: true },
  { target: '/v1/demo/transactions?limit=250', hasKey: true },
  { target: '/dashboard', hasKey: false },
  { target: '/x', hasKey: false },
] as const

/** Requests whose end two HTTP parsers could place differently. */
export const framing: Grammar = (random, { host, apiKey }) => {
  const fields = [`Host: ${host}`, `Authorization: Bearer ${apiKey}`]
  if (random.chance(300)) return pipeline(random.between(1, 8), '/v1/demo/accounts', fields)
  if (random.chance(10)) {
    const { target, hasKey } = random.pick(FLOODS)
    return pipeline(random.between(1_000, 5_000), target, fields.slice(0, hasKey ? 2 : 1))
  }
  for (let i = random.below(3); i >= 0; i--) {
    if (random.chance(500)) fields.push(`Content-Length: ${random.pick(LENGTHS)}`)
    if (random.chance(500)) fields.push(`Transfer-Encoding: ${random.pick(CODINGS)}`)
    if (random.chance(100)) fields.push('Expect: 100-continue')
    if (random.chance(100)) fields.push(' folded: line')
    if (random.chance(100)) fields.push('Connection: close, keep-alive, upgrade')
    if (random.chance(100)) fields.push('Upgrade: h2c')
  }
  const end = random.chance(100) ? '\n' : '\r\n'
  const head = `${random.pick(METHODS)} /v1/demo/accounts HTTP/1.${random.below(3)}`
  const body = random.chance(500) ? random.pick(CHUNKS) : 'abc'
  const behind = random.chance(300)
    ? `GET /v1/demo/key/scope HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    : ''
  const text = `${[head, ...fields].join(end)}${end}${end}${body}${behind}`
  return { bytes: Buffer.from(text, 'latin1'), isWhole: false }
}

/** Valid requests in one write. */
function pipeline(count: number, target: string, fields: readonly string[]): Shot {
  const one = `${[`GET ${target} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`
  return { bytes: Buffer.from(one.repeat(count), 'latin1'), isWhole: false }
}
