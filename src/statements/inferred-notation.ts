// The notation of days and amounts that the texts of a file prove. Nothing is guessed: `01/02/2024`
// and `1.234` alone prove nothing.
import { DAY_EXAMPLE, type DayOrder } from './day-text.js'
import { DECIMAL_EXAMPLE, type DecimalMark, decimalMarkOf, readDecimal } from './decimal-text.js'
import { StatementError } from './statement.js'

/** A text of a file that may prove its notation. */
export interface NotationText {
  readonly line: number
  /** The name of the field or column, for messages. */
  readonly field: string
  readonly text: string
}

/** The end of a message that names two settings, one of which the caller has to specify. */
type Advise = (one: string, other: string) => string

/**
 * The order of the parts of days.
 * @param orderOf the order that one text proves; undefined = it is not a day
 * @returns undefined when no text is a day
 * @throws StatementError when the texts prove no order, or two
 */
export function inferOrder(
  texts: Iterable<NotationText>,
  orderOf: (text: string) => DayOrder | 'ambiguous' | undefined,
  advise: Advise,
): DayOrder | undefined {
  const { proved, ambiguous } = evidenceOf(texts, 'dates', orderOf)
  if (proved !== undefined || ambiguous === undefined) return proved
  const why = `could be day first or month first (${DAY_EXAMPLE.dmy} or ${DAY_EXAMPLE.mdy})`
  throw undecided(ambiguous, why, advise('dateFormat=dmy', 'dateFormat=mdy'))
}

/**
 * The decimal mark of amounts.
 * @param numberOf the number of an amount, without its currency
 * @returns undefined when no amount has a mark
 * @throws StatementError when the texts prove no mark, or two
 */
export function inferMark(
  texts: Iterable<NotationText>,
  numberOf: (text: string) => string,
  advise: Advise,
): DecimalMark | undefined {
  const { proved, ambiguous } = evidenceOf(texts, 'amounts', (text) => markOf(numberOf(text)))
  if (proved !== undefined || ambiguous === undefined) return proved
  const either = `${DECIMAL_EXAMPLE.comma} or ${DECIMAL_EXAMPLE.point}`
  const why = `could have thousands separators or decimals (${either})`
  throw undecided(ambiguous, why, advise('decimalMark=comma', 'decimalMark=point'))
}

/** `12..34` would be evidence of a comma, but a text that is not an amount proves nothing. */
function markOf(number: string): DecimalMark | 'ambiguous' | undefined {
  const mark = decimalMarkOf(number)
  if (mark === undefined || mark === 'ambiguous') return mark
  return typeof readDecimal(number, mark) === 'string' ? undefined : mark
}

/**
 * The notation that the texts prove, and the first ambiguous text.
 * @param what the texts, for messages: `dates`
 * @param notationOf the notation that one text proves; undefined = it proves nothing
 * @throws StatementError when two texts prove different notations
 */
export function evidenceOf<Notation>(
  texts: Iterable<NotationText>,
  what: string,
  notationOf: (text: string) => Notation | 'ambiguous' | undefined,
): { readonly proved: Notation | undefined; readonly ambiguous: NotationText | undefined } {
  let proof: { notation: Notation; by: NotationText } | undefined
  let ambiguous: NotationText | undefined
  for (const each of texts) {
    const notation = notationOf(each.text)
    if (notation === 'ambiguous') ambiguous ??= each
    if (notation === 'ambiguous' || notation === undefined) continue
    proof ??= { notation, by: each }
    if (proof.notation !== notation) throw contradictory(what, proof.by, each)
  }
  return { proved: proof?.notation, ambiguous }
}

function contradictory(what: string, one: NotationText, other: NotationText): StatementError {
  const { line, field, text } = other
  const texts = `${JSON.stringify(text)} and ${JSON.stringify(one.text)} (line ${one.line})`
  const message = `${texts} are ${what} in two different notations`
  return new StatementError({ position: `line ${line}`, field, message })
}

function undecided(
  { line, field, text }: NotationText,
  why: string,
  advice: string,
): StatementError {
  const open = `${JSON.stringify(text)} ${why}, and the rest of the file does not decide it`
  return new StatementError({ position: `line ${line}`, field, message: `${open}; ${advice}` })
}
