import { type Amount, addAmounts, formatAmount } from '../../money.js'
import { DAY_EXAMPLE } from '../day-text.js'
import { DECIMAL_EXAMPLE, readDecimal, readProvedDecimal, UNDECIDED_MARK } from '../decimal-text.js'
import { presentOnly } from '../present.js'
import type { StatementEvent, StatementFault, StatementTransaction } from '../statement.js'
import { cleanText, joinTexts, overlongField } from '../text-field.js'
import { type QifNotation, readQifDay, splitAmount } from './qif-notation.js'
import { type QifRecord, textOf } from './qif-records.js'

/** Letters of fields that are not read as text of the purpose. */
const READ_LETTERS: ReadonlySet<string> = new Set(['D', 'T', 'U', 'C', 'N', 'P', 'F', '%'])

/**
 * Reads a record of a register: D day, T or U amount, P payee, N number or kind, and as purpose M
 * memo, A address, L category, S, E and $ splits, and fields with other letters. C (cleared), F and
 * % are left out.
 * @param position for messages, `transaction 3 (line 12)`
 * @returns a `transaction` or a `refused`, and before it a `warning` when its splits do not add up
 */
export function readQifTransaction(
  record: QifRecord,
  notation: QifNotation,
  currency: string,
  position: string,
): StatementEvent[] {
  const refused = (field: string, message: string): StatementEvent[] => {
    const fault: StatementFault = { position, field, message }
    return [{ kind: 'refused', fault }]
  }
  const amount = amountOfRecord(record, notation, currency)
  if ('message' in amount) return refused(amount.field, amount.message)
  const dayText = textOf(record, 'D')
  const bookedAt = readQifDay(dayText ?? '', notation.days)
  if (bookedAt === undefined) {
    const found = dayText === undefined ? 'is missing' : `${JSON.stringify(dayText)} is not a date`
    return refused('D', `${found}; expected for example ${DAY_EXAMPLE[notation.days]}`)
  }
  const number = cleanText(textOf(record, 'N'))
  const isNumber = number !== undefined && /\d/u.test(number)
  const transaction: StatementTransaction = {
    amount,
    currency,
    bookedAt,
    counterpart: presentOnly({
      name: cleanText(textOf(record, 'P')),
      customerReference: isNumber ? number : undefined,
    }),
    position,
    ...presentOnly<Partial<StatementTransaction>>({
      type: isNumber ? undefined : number,
      purpose: purposeOf(record),
    }),
  }
  const overlong = overlongField(transaction)
  if (overlong !== undefined) return refused(overlong, 'is longer than the maximum of a field')
  const message = warningOfSplits(record, notation, amount)
  const warning: StatementEvent[] =
    message === undefined ? [] : [{ kind: 'warning', message, position }]
  return [...warning, { kind: 'transaction', transaction }]
}

/** The amount of T, or of U, which repeats it; or the fault. */
export function amountOfRecord(
  record: QifRecord,
  notation: QifNotation,
  currency: string,
): Amount | { readonly field: string; readonly message: string } {
  const amounts: Amount[] = []
  for (const letter of ['T', 'U']) {
    const text = textOf(record, letter)
    if (text === undefined) continue
    const split = splitAmount(text)
    const amount = readProvedDecimal(split.number, notation)
    const expected =
      amount === UNDECIDED_MARK
        ? 'specify it, for example --columns decimalMark=point'
        : `expected for example ${DECIMAL_EXAMPLE[notation.decimalMark]}`
    if (typeof amount === 'string') {
      return { field: letter, message: `${JSON.stringify(text)} ${amount}; ${expected}` }
    }
    const other = split.currency
    if (other !== undefined && other !== '$' && other !== currency) {
      const message = `${JSON.stringify(text)} is not in ${currency}; ${expected}`
      return { field: letter, message }
    }
    amounts.push(amount)
  }
  const [amount, again] = amounts
  if (amount === undefined) return { field: 'T', message: 'is missing; expected an amount' }
  const isSame = again === undefined || formatted(again) === formatted(amount)
  if (isSame) return amount
  const message = `${formatted(again)} is not the amount of T, ${formatted(amount)}`
  return { field: 'U', message }
}

function formatted({ unscaled, scale }: Amount): string {
  return formatAmount(unscaled, scale)
}

/** The memo first, then the other texts in the order of the file. */
function purposeOf(record: QifRecord): string | undefined {
  const others = record.fields.filter(({ letter }) => letter !== 'M' && !READ_LETTERS.has(letter))
  const memos = record.fields.filter(({ letter }) => letter === 'M')
  return joinTexts([...memos, ...others].map(({ text }) => text))
}

/** Warning about splits, whose amounts should add up to that of the record. */
function warningOfSplits(
  { fields }: QifRecord,
  { decimalMark }: QifNotation,
  amount: Amount,
): string | undefined {
  const texts = fields.filter(({ letter, text }) => letter === '$' && text !== '')
  if (texts.length === 0) return undefined
  let sum: Amount | undefined = { unscaled: 0, scale: 0 }
  for (const { text } of texts) {
    const part = readDecimal(splitAmount(text).number, decimalMark)
    if (typeof part === 'string')
      return `$: ${JSON.stringify(text)} ${part}; the split is kept as text`
    sum = sum && addAmounts(sum, part)
  }
  if (sum === undefined || formatted(sum) === formatted(amount)) return undefined
  return `the splits ($) add up to ${formatted(sum)}, the record (T) is ${formatted(amount)}`
}
