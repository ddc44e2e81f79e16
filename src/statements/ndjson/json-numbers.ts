import { withoutLastZeros } from '../../money.js'

/**
 * A number with more than 15 digits or with an exponent, where JSON may have one. A double
 * represents every other number: different numbers of at most 15 digits are different doubles (IEEE
 * 754, 5.12), and without an exponent, 15 digits neither overflow nor underflow.
 */
const MAY_CHANGE = /[:\s,[]-?(?:[\d.]{16}|\d[\d.]*[eE])/

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** A number that JSON.parse has changed. */
export interface ChangedNumber {
  /** Dotted path of the member: `paypal.fee`. */
  readonly member: string
  readonly text: string
}

/**
 * The first number of a JSON text whose double, printed again, is another number, or undefined.
 * @param json well-formed JSON text, as JSON.parse has read it
 */
export function numberChangedByParsing(json: string): ChangedNumber | undefined {
  // A full scan of every line would cost more than the rest of the import. This test also finds
  // digits inside texts, which only cost a full scan of that line.
  if (!MAY_CHANGE.test(json)) return undefined
  const path: string[] = []
  let at = 0
  while (at < json.length) {
    const char = json[at] ?? ''
    if (char === '"') {
      const end = endOfString(json, at)
      const isName = /^\s*:/.test(json.slice(end, end + 20))
      if (isName) path[path.length - 1] = String(JSON.parse(json.slice(at, end)))
      at = end
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at
      const text = NUMBER.exec(json)?.[0] ?? char
      if (decimalOf(text) !== decimalOf(String(Number(text)))) {
        return { member: path.join('.'), text }
      }
      at += text.length
    } else {
      if (char === '{') path.push('')
      if (char === '}') path.pop()
      at += 1
    }
  }
  return undefined
}

/** The end of the string that begins at `at`: one past its closing quote. */
function endOfString(json: string, at: number): number {
  let end = at + 1
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1
  return end + 1
}

/** A spelling that equal decimals share: sign, digits without zeros at either end, exponent. */
function decimalOf(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return text
  const decimals = match[3] ?? ''
  const digits = ((match[2] ?? '') + decimals).replace(/^0+/, '')
  const significant = withoutLastZeros(digits)
  if (significant === '') return '0'
  const dropped = digits.length - significant.length
  const exponent = BigInt(match[4] ?? '0') - BigInt(decimals.length) + BigInt(dropped)
  return `${match[1]}${significant}e${exponent}`
}
