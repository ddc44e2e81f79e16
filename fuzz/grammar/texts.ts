import type { Random } from '../../src/demo/random.js'

/** Pieces of texts that are hard for parsers. */
const PIECES: readonly string[] = [
  ...['', ' ', '0', '1', '-1', '1e999', 'NaN', 'null', 'true', '2147483648', '9007199254740993'],
  ...['\u0000', '\t', '\r', '\n', '\r\n', '\u007f', '\u0085', '\u2028', '\ufeff', '\ufffd'],
  ...['ä', 'ß', 'ı', 'İ', 'ﬁ', '\ufdfa', '\u0301', '\u202e', '\u200b', '😀', '\ud800', '가'],
  ...['"', "'", '`', '\\', '/', '..', '../', '%', '%00', '%zz', '&', '=', '+', ';', ',', '#', '?'],
  ...['<', '>', '<script>', '{', '}', '[', ']', '(', ')', '*', '.*', '^$', '|', '{{1}}'],
  ...['__proto__', 'constructor', 'toString', '__defineGetter__', 'length', 'undefined'],
  ...['DE89370400440532013000', 'RE-2024-0815', '2024/0815/16', '1.234,56', '2024-01-01'],
  ...['2024-01-01T00:00:00.000Z', '0000-00-00T00:00:00.000Z', "' OR 1=1 --", '=cmd|calc'],
]

/** Runs of these are slow in code that is not linear. */
const RUNS: readonly string[] = [' ', '\t', '0', '1', 'a', 'A', ',', '"', '/', '-', '.', 'é', '10/']

/** A text of pieces, of words of the transactions, or of one piece many times. */
export function hostileText(random: Random, words: readonly string[], unitsMax: number): string {
  const kind = random.below(10)
  if (kind === 0) {
    const run = random.pick(RUNS)
    return run.repeat(Math.ceil(random.between(1, unitsMax) / run.length)).slice(0, unitsMax)
  }
  if (kind < 4) return random.pick(words)
  const parts: string[] = []
  for (let i = random.between(0, 6); i >= 0; i--) {
    parts.push(random.chance(300) ? random.pick(words) : random.pick(PIECES))
  }
  return parts.join(random.chance(500) ? ' ' : '').slice(0, unitsMax)
}

/** Encoded as in forms and queries; lone surrogates as U+FFFD. */
export function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
}

/** Encoded as in a query; mostly escaped correctly. */
export function queryText(random: Random, text: string): string {
  if (random.chance(50)) return text.replace(/[^!-~]/g, '%')
  if (random.chance(50)) return `${encoded(text)}${'%E0%80'.slice(random.below(5))}`
  return encoded(text)
}

/** The bytes with some of them changed, removed, doubled or moved. */
export function damaged(random: Random, bytes: Buffer, timesMax: number): Buffer {
  let result = Buffer.from(bytes)
  for (let i = random.between(1, timesMax); i > 0 && result.length > 0; i--) {
    const at = random.below(result.length)
    const to = Math.min(result.length, at + random.between(1, 64))
    const kind = random.below(5)
    if (kind === 0) result[at] = random.below(256)
    else if (kind === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(to)])
    else if (kind === 2) result = Buffer.concat([result.subarray(0, to), result.subarray(at)])
    else if (kind === 3) result = result.subarray(0, to)
    else {
      const piece = Buffer.from(random.pick(PIECES).repeat(random.between(1, 40)))
      result = Buffer.concat([result.subarray(0, at), piece, result.subarray(at)])
    }
  }
  return result
}
