import type { Grammar } from '../shot.js'

/** Bytes other than HTTP: noise, greetings of other protocols, truncated requests. */
export const rawBytes: Grammar = (random) => {
  const kind = random.below(4)
  if (kind === 0) return { bytes: noise(random.between(1, 2_000), random.below), isWhole: false }
  if (kind === 1) {
    return { bytes: Buffer.from(random.pick(GREETINGS), 'latin1'), isWhole: false }
  }
  const whole = Buffer.from('GET /v1/demo/accounts HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  if (kind === 2) return { bytes: whole.subarray(0, random.below(whole.length)), isWhole: false }
  const bytes = Buffer.from(whole)
  for (let i = random.between(1, 4); i > 0; i--)
    bytes[random.below(bytes.length)] = random.below(256)
  return { bytes, isWhole: false }
}

const GREETINGS: readonly string[] = [
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'SSH-2.0-x\r\n',
  'EHLO x\r\n',
  '*1\r\n$4\r\nPING\r\n',
  '\r\n\r\n\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  'GET / HTTP/1.1\n\n',
]

function noise(count: number, below: (count: number) => number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => below(256)))
}
