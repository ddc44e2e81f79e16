import { test } from 'tap'
import { escaped, escapedLines } from '../../src/text/escaped.js'

/** Inclusive ranges of the characters that steer a terminal or the direction of text. */
const RAW: readonly (readonly [from: number, to: number])[] = [
  ...([
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0x61c, 0x61c],
    [0x200e, 0x200f],
  ] as const),
  ...([
    [0x2028, 0x202e],
    [0x2066, 0x2069],
  ] as const),
]

test('nothing that steers a terminal remains', async (t) => {
  for (let code = 0; code < 0x3000; code++) {
    const char = String.fromCharCode(code)
    const isRaw = RAW.some(([from, to]) => code >= from && code <= to)
    if ((escaped(char) !== char) !== isRaw) t.fail(code.toString(16))
    if (JSON.parse(escaped(JSON.stringify(char))) !== char) t.fail(`JSON ${code.toString(16)}`)
  }
  t.equal(escaped('a\u009b31m\u001b\u202eé'), 'a\\u009b31m\\u001b\\u202eé')
  t.equal(escapedLines('a\nb\r\n\u0085c'), 'a\nb\\u000d\n\\u0085c')
})
