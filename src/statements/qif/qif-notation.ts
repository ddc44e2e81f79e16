import { type EpochMs, instantOfDay } from '../../instant.js'
import { DAY_EXAMPLE, type DayOrder } from '../day-text.js'
import {
  DECIMAL_EXAMPLE,
  type DecimalMark,
  decimalMarkOf,
  type MarkNotation,
  readDecimal,
  splitCurrency,
} from '../decimal-text.js'
import { type ReadOptions, StatementError } from '../statement.js'
import type { QifRecord } from './qif-records.js'

/** The notation of days and amounts in a file. */
export interface QifNotation extends MarkNotation {
  readonly days: DayOrder
}

/** The letters of fields with amounts. */
const AMOUNT_LETTERS: ReadonlySet<string> = new Set(['T', 'U', '$'])

const DAY_COMPACT = /^(\d{4})(\d{2})(\d{2})$/u
const DAY = /^(\d{1,4})([./'-])(\d{1,2})([./'-])(\d{1,4})$/u

/** Years of two digits from here on are of the last century, except after an apostrophe. */
const CENTURY_BREAK = 70

/**
 * Midnight UTC of a day as QIF writes it: `12/31/2024`, `12/31'24`, `1/ 2' 5`, `31.12.24`,
 * `2024-12-31`, `20241231`. An apostrophe means a year from 2000 on.
 * @returns undefined when the text has another form or no calendar has that day
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

/** The number of an amount and its currency, which may stand after the sign: `-$5.00`. */
export function splitAmount(text: string): { number: string; currency?: string } {
  const signed = /^([+-])\s?([$€£])\s?(?=[\d.,])/u.exec(text)
  if (signed === null) return splitCurrency(text)
  return splitCurrency(`${signed[2]}${signed[1]}${text.slice(signed[0].length)}`)
}

/** The orders in which the text is a day. */
function ordersOf(text: string): DayOrder[] {
  const orders = (['ymd', 'dmy', 'mdy'] as const).filter(
    (order) => readQifDay(text, order) !== undefined,
  )
  // Points between the parts mean day first, everywhere.
  return orders.includes('dmy') && text.includes('.') ? ['dmy'] : orders
}

interface QifText {
  readonly line: number
  readonly letter: string
  readonly text: string
}

function* textsOf(
  records: readonly QifRecord[],
  isWanted: (letter: string) => boolean,
): Generator<QifText> {
  for (const { line, fields } of records) {
    for (const { letter, text } of fields) {
      if (isWanted(letter) && text !== '') yield { line, letter, text }
    }
  }
}

/**
 * The notation that the caller names, else the one that the records prove. Nothing is guessed:
 * `01/02/2024` and `1,234` alone prove nothing.
 * @param records the first ones of the file, or all
 * @throws StatementError when the records prove no notation, or two
 */
export function inferNotation(
  records: readonly QifRecord[],
  { columns }: ReadOptions,
): QifNotation {
  const days = columns?.get('dateFormat')
  const mark = columns?.get('decimalMark')
  const proved = mark === 'comma' || mark === 'point' ? mark : inferMark(records)
  return {
    days: days === 'dmy' || days === 'mdy' || days === 'ymd' ? days : inferDays(records),
    decimalMark: proved ?? 'point',
    isMarkOpen: proved === undefined,
  }
}

function inferDays(records: readonly QifRecord[]): DayOrder {
  let proof: { order: DayOrder; of: QifText } | undefined
  let unclear: QifText | undefined
  for (const each of textsOf(records, (letter) => letter === 'D')) {
    const orders = ordersOf(each.text)
    if (orders.length > 1) unclear ??= each
    const [order] = orders
    if (order === undefined || orders.length > 1) continue
    if (proof !== undefined && proof.order !== order) throw twoWays('dates', proof.of, each)
    proof ??= { order, of: each }
  }
  if (proof === undefined && unclear !== undefined) {
    const why = `could be day first or month first (${DAY_EXAMPLE.dmy} or ${DAY_EXAMPLE.mdy})`
    throw undecided(unclear, why, 'dateFormat=dmy or dateFormat=mdy')
  }
  return proof?.order ?? 'mdy'
}

/** @returns undefined when no amount has a mark */
function inferMark(records: readonly QifRecord[]): DecimalMark | undefined {
  let proof: { mark: DecimalMark; of: QifText } | undefined
  let unclear: QifText | undefined
  for (const each of textsOf(records, (letter) => AMOUNT_LETTERS.has(letter))) {
    const { number } = splitAmount(each.text)
    const mark = decimalMarkOf(number)
    if (mark === 'ambiguous') unclear ??= each
    if (mark === undefined || mark === 'ambiguous') continue
    if (typeof readDecimal(number, mark) === 'string') continue
    if (proof !== undefined && proof.mark !== mark) throw twoWays('amounts', proof.of, each)
    proof ??= { mark, of: each }
  }
  if (proof === undefined && unclear !== undefined) {
    const either = `${DECIMAL_EXAMPLE.comma} or ${DECIMAL_EXAMPLE.point}`
    const why = `could have thousands separators or decimals (${either})`
    throw undecided(unclear, why, 'decimalMark=comma or decimalMark=point')
  }
  return proof?.mark
}

function twoWays(what: string, one: QifText, other: QifText): StatementError {
  const { line, letter, text } = other
  const texts = `${JSON.stringify(text)} and ${JSON.stringify(one.text)} (line ${one.line})`
  const message = `${texts} are ${what} in two different notations`
  return new StatementError({ position: `line ${line}`, field: letter, message })
}

function undecided({ line, letter, text }: QifText, why: string, hint: string): StatementError {
  const open = `${JSON.stringify(text)} ${why}, and the rest of the file does not decide it`
  const message = `${open}; specify it with --columns ${hint}`
  return new StatementError({ position: `line ${line}`, field: letter, message })
}
