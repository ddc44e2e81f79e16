import type { Amount, AmountFault } from '../money.js'
import { parseAmount } from '../money.js'

/** The character that separates decimals: `1.234,56` comma, `1,234.56` point. */
export type DecimalMark = 'comma' | 'point'

/** An example of an amount under each mark, for messages. */
export const DECIMAL_EXAMPLE: Readonly<Record<DecimalMark, string>> = {
  comma: '-1.234,56',
  point: '-1,234.56',
}

const UNIT_FIRST = /^(€|\$|£|[A-Z]{3})\s*(?=[-+−\d.,])/u
const UNIT_LAST = /(€|\$|£|[A-Z]{3})$/u
const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }

const BLANKS = ' \\u00a0\\u2009\\u202f'

// A thousands mark may be any mark but the decimal mark; an amount has one kind, in groups of 3.
const BODY: Readonly<Record<DecimalMark, RegExp>> = {
  comma: new RegExp(`^(\\d*|\\d{1,3}([.'’${BLANKS}])\\d{3}(?:\\2\\d{3})*)(?:,(\\d+))?$`, 'u'),
  point: new RegExp(`^(\\d*|\\d{1,3}([,'’${BLANKS}])\\d{3}(?:\\2\\d{3})*)(?:\\.(\\d+))?$`, 'u'),
}

/**
 * Reads an amount as people write it: `1.234,56`, `1 234,56`, `1'234.56`, `-17,22`, `17,22-`,
 * `+5,00`, `−5`. The sign is before or after, not both; thousands marks separate groups of three.
 * @param text without currency
 * @returns the exact amount, or the end of a sentence with the fault
 */
export function readDecimal(text: string, mark: DecimalMark): Amount | AmountFault {
  const trimmed = text.trim().replaceAll('−', '-')
  const before = /^[+-]/.exec(trimmed)?.[0] ?? ''
  const after = /[+-]$/.exec(trimmed.slice(before.length))?.[0] ?? ''
  const unsigned = trimmed.slice(before.length, trimmed.length - after.length).trim()
  const body = BODY[mark].exec(unsigned)
  if (body === null || (before !== '' && after !== '')) return 'is not a decimal number'
  const whole = (body[1] ?? '').replace(/\D/gu, '')
  const sign = before === '-' || after === '-' ? '-' : ''
  return parseAmount(`${sign}${whole}.${body[3] ?? ''}`)
}

/** The decimal mark of a file. */
export interface MarkNotation {
  decimalMark: DecimalMark
  /** Whether no amount so far proves the mark: the first one that does decides. */
  isMarkOpen?: boolean
}

/** The reason why an amount is refused while the mark is open, for messages. */
export const UNDECIDED_MARK =
  `could have thousands separators or decimals (${DECIMAL_EXAMPLE.comma} or ` +
  `${DECIMAL_EXAMPLE.point}), and the file before it does not decide it`

/**
 * Like {@link readDecimal}. While the mark is open, an amount that proves it closes it, and one
 * that could be read in both ways is refused.
 * @param notation of the file; changed by the amount that proves the mark
 */
export function readProvedDecimal(
  text: string,
  notation: MarkNotation,
): Amount | AmountFault | typeof UNDECIDED_MARK {
  if (notation.isMarkOpen === true) {
    const mark = decimalMarkOf(text)
    if (mark === 'ambiguous') return UNDECIDED_MARK
    if (mark !== undefined && typeof readDecimal(text, mark) !== 'string') {
      notation.decimalMark = mark
      notation.isMarkOpen = false
    }
  }
  return readDecimal(text, notation.decimalMark)
}

/**
 * Splits the currency off an amount: `1.234,56 €`, `EUR 5`, `-5,00 CHF`.
 * @returns the number text, trimmed, and the currency as ISO 4217 code; `$` stays `$` because many
 *   currencies are written so; no currency when the text has none
 */
export function splitCurrency(text: string): { number: string; currency?: string } {
  const trimmed = text.trim()
  const match = UNIT_FIRST.exec(trimmed) ?? UNIT_LAST.exec(trimmed)
  if (match === null) return { number: trimmed }
  const symbol = match[1] ?? ''
  const rest = match.index === 0 ? trimmed.slice(match[0].length) : trimmed.slice(0, match.index)
  return { number: rest.trim(), currency: SYMBOLS[symbol] ?? symbol }
}

/**
 * The decimal mark that one amount proves.
 * @returns the mark; `ambiguous` for one mark before exactly three digits (`1.234`), which may
 *   separate thousands or decimals; undefined when the amount has no mark
 */
export function decimalMarkOf(text: string): DecimalMark | 'ambiguous' | undefined {
  const digits = text.replace(/[^\d.,]/gu, '')
  const point = digits.lastIndexOf('.')
  const comma = digits.lastIndexOf(',')
  if (point < 0 && comma < 0) return undefined
  const last: DecimalMark = comma > point ? 'comma' : 'point'
  if (point >= 0 && comma >= 0) return last
  const position = Math.max(point, comma)
  const other: DecimalMark = last === 'comma' ? 'point' : 'comma'
  if (digits.indexOf(last === 'comma' ? ',' : '.') !== position) return other
  if (digits.length - position - 1 !== 3) return last
  // `1234.567` and `0.567` have no group of thousands that ends at the mark.
  const leading = digits.slice(0, position)
  return leading.length > 3 || leading.length === 0 || leading.startsWith('0') ? last : 'ambiguous'
}
