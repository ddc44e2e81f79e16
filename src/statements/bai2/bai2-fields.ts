import { type EpochMs, instantOfDay } from '../../instant.js'
import { type Amount, negateAmount, parseAmount } from '../../money.js'
import { decimalsOf } from '../minor-units.js'
import { presentOnly } from '../present.js'
import type { StatementFault, StatementTransaction } from '../statement.js'
import { cleanReference, joinTexts, overlongField } from '../text-field.js'
import { type Bai2Record, FieldReader } from './bai2-records.js'
import { directionOfType, isTotal, nameOfType } from './type-codes.js'

/** Fields of the group header (02), for the accounts after it. */
export interface Bai2Group {
  /** The day of the bookings of the group; undefined = not written. */
  readonly asOf: EpochMs | undefined
  readonly currency: string | undefined
  /** 1 update, 2 deletion, 3 correction, 4 test only; '' = not written. */
  readonly status: string
  /** 1 and 3: interim, of the running day; 2 and 4: final; '' = not written. */
  readonly dayState: string
}

/** Reads 02: receiver, originator, status, day, time, currency, day's state. */
export function readGroup(record: Bai2Record): Bai2Group {
  const fields = new FieldReader(record.parts)
  fields.next()
  fields.next()
  const status = fields.next() ?? ''
  const asOf = dayOf(fields.next() ?? '')
  fields.next()
  const currency = currencyOf(fields.next())
  return { status, asOf, currency, dayState: fields.next() ?? '' }
}

/** A currency code in capitals; undefined for other texts. */
function currencyOf(text: string | undefined): string | undefined {
  const code = text?.toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(code) ? code : undefined
}

/** YYMMDD of this century, or YYYYMMDD. @returns undefined for other texts */
export function dayOf(text: string): EpochMs | undefined {
  const digits = /^(\d{2}|\d{4})(\d{2})(\d{2})$/.exec(text)
  if (digits === null) return undefined
  const [, year = '', month, day] = digits
  return instantOfDay(Number(year.padStart(4, '20')), Number(month), Number(day))
}

/** Fields of an account record (03). */
export interface Bai2Account {
  readonly number: string
  readonly currency: string | undefined
  /** Balances and totals, in the order of the file. */
  readonly summaries: readonly Bai2Summary[]
}

/** One balance or total. */
interface Bai2Summary {
  readonly code: string
  /** In minor units, an integer as written; '' = none. */
  readonly amount: string
}

/** Reads 03: account number, currency, then code, amount, item count and funds for each summary. */
export function readAccount(record: Bai2Record): Bai2Account {
  const fields = new FieldReader(record.parts)
  const number = fields.next() ?? ''
  const currency = currencyOf(fields.next())
  const summaries: Bai2Summary[] = []
  for (let code = fields.next(); code !== undefined; code = fields.next()) {
    const amount = fields.next() ?? ''
    fields.next()
    skipFunds(fields)
    if (code !== '') summaries.push({ code, amount })
  }
  return { number, currency, summaries }
}

/** Skips the funds type and its fields. @returns the value date, if they have one */
function skipFunds(fields: FieldReader): string | undefined {
  const type = fields.next()?.toUpperCase() ?? ''
  if (type === 'V') {
    const day = fields.next()
    fields.next()
    return day
  }
  if (type === 'S') for (let i = 0; i < 3; i += 1) fields.next()
  if (type === 'D') {
    const count = Number(/^\d{1,4}$/.exec(fields.next() ?? '')?.[0] ?? 0)
    for (let i = 0; i < 2 * count; i += 1) if (fields.next() === undefined) break
  }
  return undefined
}

/** An amount in minor units, as an integer; undefined = not a number. */
export function unitsOf(amount: string): bigint | undefined {
  const digits = /^([+-]?)(\d{1,30})$/.exec(amount)
  if (digits === null) return undefined
  return digits[1] === '-' ? -BigInt(digits[2] ?? 0) : BigInt(digits[2] ?? 0)
}

/** The amount in its currency, or the end of a sentence with the fault. */
export function amountOf(text: string, currency: string): Amount | string {
  const decimals = decimalsOf(currency)
  const units = unitsOf(text)
  if (units === undefined) {
    const example = `1234 for ${decimals === 0 ? '1234' : decimals === 2 ? '12.34' : '1.234'}`
    const found = text === '' ? 'is missing' : `${JSON.stringify(text)} is not a whole number`
    return `${found}; expected the currency's smallest unit, for example ${example} ${currency}`
  }
  const amount = parseAmount(`${units}e-${decimals}`)
  return typeof amount === 'string' ? `${JSON.stringify(text)} ${amount}` : amount
}

/** A transaction record as read. */
export type Bai2Entry =
  | {
      readonly kind: 'booking'
      readonly transaction: StatementTransaction
      readonly warning?: string
    }
  | { readonly kind: 'note'; readonly message: string }
  | { readonly kind: 'refused'; readonly fault: StatementFault }

/** A continuation of the text that names the end-to-end reference, as Goldman Sachs writes it. */
const END_TO_END = /^EREF: ?(\S.{0,34})$/

/** The lines of the text without that of the end-to-end reference, and the reference. */
function textsOf(lines: readonly string[]): {
  readonly texts: readonly string[]
  readonly endToEndReference: string | undefined
} {
  const at = lines.findIndex((line) => END_TO_END.test(line.trim()))
  const found = END_TO_END.exec(lines[at]?.trim() ?? '')
  return {
    texts: found === null ? lines : lines.filter((_, i) => i !== at),
    endToEndReference: cleanReference(found?.[1]),
  }
}

/**
 * Reads 16: type code, amount, funds, bank reference, customer reference, text. The type code gives
 * the sign, and the day of the group is the booking date, else the value date. The purpose consists
 * of the text and the bank's reference, unless the text repeats it.
 * @param position for messages, `transaction 3 (line 12)`
 */
export function readEntry(
  record: Bai2Record,
  { asOf }: Bai2Group,
  currency: string,
  position: string,
): Bai2Entry {
  const refused = (field: string, message: string): Bai2Entry => ({
    kind: 'refused',
    fault: { position, field, message },
  })
  const fields = new FieldReader(record.parts)
  const code = fields.next() ?? ''
  const amountText = fields.next() ?? ''
  const valueText = skipFunds(fields) ?? ''
  const [bankReference, customerReference] = [fields.next(), fields.next()]
  const { texts, endToEndReference } = textsOf(fields.rest())
  const purpose = joinTexts([texts.join('\n'), bankReference])
  if (code === '890') {
    return { kind: 'note', message: `moves no money (type code 890), skipped: ${purpose ?? ''}` }
  }
  const direction = directionOfType(code)
  if (direction === undefined) {
    const expected = '100 to 399 are credits, 400 to 699 debits'
    return refused('type code', `${JSON.stringify(code)} has no direction; ${expected}`)
  }
  const amount = amountOf(amountText, currency)
  if (typeof amount === 'string') return refused('amount', amount)
  if (amount.unscaled < 0) {
    const found = `${JSON.stringify(amountText)} is negative, while type code ${code}`
    return refused('amount', `${found} is a ${direction}; expected an amount without a sign`)
  }
  const valuedAt = dayOf(valueText)
  if (valuedAt === undefined && valueText !== '') {
    const found = JSON.stringify(valueText)
    return refused('value date', `${found} is not a calendar day YYMMDD, for example 241231`)
  }
  const bookedAt = asOf ?? valuedAt
  if (bookedAt === undefined) {
    return refused('date', 'neither the group (02) nor the entry has a day, for example 241231')
  }
  const transaction: StatementTransaction = {
    amount: direction === 'debit' ? negateAmount(amount) : amount,
    currency,
    bookedAt,
    counterpart: presentOnly({ customerReference: cleanReference(customerReference) }),
    type: nameOfType(code),
    position,
    ...presentOnly<Partial<StatementTransaction>>({ valuedAt, purpose, endToEndReference }),
  }
  const overlong = overlongField(transaction)
  if (overlong !== undefined) return refused(overlong, 'is longer than the maximum of a field')
  const warnings = [
    asOf === undefined ? 'the group (02) has no day; the value date is taken as booking date' : '',
    isTotal(code) ? `type code ${code} is the code of a total; it is read as one booking` : '',
  ].filter((warning) => warning !== '')
  if (warnings.length === 0) return { kind: 'booking', transaction }
  return { kind: 'booking', transaction, warning: warnings.join('; ') }
}
