import { type EpochMs, instantOfDay } from '../../instant.js'
import type { DayOrder } from '../day-text.js'
import { type MarkNotation, splitCurrency } from '../decimal-text.js'
import { inferMark, inferOrder, type NotationText } from '../inferred-notation.js'
import type { ReadOptions } from '../statement.js'
import type { QifRecord } from './qif-records.js'

/** The notation of days and amounts in a file. */
export interface QifNotation extends MarkNotation {
  readonly days: DayOrder
}

/** The letters of fields with days, and with amounts. */
const DAY_LETTERS: ReadonlySet<string> = new Set(['D'])
const AMOUNT_LETTERS: ReadonlySet<string> = new Set(['T', 'U', '$'])

const DAY_COMPACT = /^(\d{4})(\d{2})(\d{2})$/u
const DAY = /^(\d{1,4})([./'-])(\d{1,2})([./'-])(\d{1,4})$/u

/** Two-digit years from this one on are of the last century, except after an apostrophe. */
const CENTURY_BREAK = 70

/**
 * Midnight UTC of a day as QIF writes it: `12/31/2024`, `12/31'24`, `1/ 2' 5`, `31.12.24`,
 * `2024-12-31`, `20241231`. An apostrophe means a year from 2000 on.
 * @returns undefined when the text has another form or the day does not exist
 */
export function readQifDay(text: string, order: DayOrder): EpochMs | undefined {
  const compact = order === 'ymd' ? DAY_COMPACT.exec(text) : null
  if (compact !== null) {
    return instantOfDay(Number(compact[1]), Number(compact[2]), Number(compact[3]))
  }
  const match = DAY.exec(text.replace(/\s/gu, ''))
  if (match === null) return undefined
  const [, first = '', , second = '', mark = '', third = ''] = match
  if (order === 'ymd') {
    if (first.length !== 4 || third.length > 2) return undefined
    return instantOfDay(Number(first), Number(second), Number(third))
  }
  const isShort = third.length <= 2
  if (first.length > 2 || third.length === 3) return undefined
  if (third.length === 1 && mark !== "'") return undefined
  const century = mark === "'" || Number(third) < CENTURY_BREAK ? 2000 : 1900
  const year = Number(third) + (isShort ? century : 0)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return instantOfDay(year, Number(month), Number(day))
}

/** The number of an amount and its currency, which may follow the sign: `-$5.00`. */
export function splitAmount(text: string): { number: string; currency?: string } {
  const signed = /^([+-])\s?([$€£])\s?(?=[\d.,])/u.exec(text)
  if (signed === null) return splitCurrency(text)
  return splitCurrency(`${signed[2]}${signed[1]}${text.slice(signed[0].length)}`)
}

/** The order of the parts that one written day proves; undefined when the text is not a day. */
function orderOf(text: string): DayOrder | 'ambiguous' | undefined {
  const orders = (['ymd', 'dmy', 'mdy'] as const).filter(
    (order) => readQifDay(text, order) !== undefined,
  )
  // Points between the parts mean day first, everywhere.
  if (orders.includes('dmy') && text.includes('.')) return 'dmy'
  return orders.length > 1 ? 'ambiguous' : orders[0]
}

function* textsOf(
  records: readonly QifRecord[],
  letters: ReadonlySet<string>,
): Generator<NotationText> {
  for (const { line, fields } of records) {
    for (const { letter, text } of fields) {
      if (letters.has(letter) && text !== '') yield { line, field: letter, text }
    }
  }
}

/**
 * The notation that the caller specifies, else the one that the records prove.
 * @param records the first ones of the file, or all
 * @throws StatementError when the records prove no notation, or two
 */
export function inferNotation(
  records: readonly QifRecord[],
  { columns }: ReadOptions,
): QifNotation {
  const days = columns?.get('dateFormat')
  const mark = columns?.get('decimalMark')
  const proved =
    mark === 'comma' || mark === 'point'
      ? mark
      : inferMark(textsOf(records, AMOUNT_LETTERS), (text) => splitAmount(text).number, advise)
  return {
    days:
      days === 'dmy' || days === 'mdy' || days === 'ymd'
        ? days
        : (inferOrder(textsOf(records, DAY_LETTERS), orderOf, advise) ?? 'mdy'),
    decimalMark: proved ?? 'point',
    isMarkOpen: proved === undefined,
  }
}

function advise(one: string, other: string): string {
  return `specify it with --columns ${one} or ${other}`
}
