import { type EpochMs, instantOfDay } from '../../instant.js'
import { type Amount, negateAmount, parseAmount } from '../../money.js'
import { cleanReference, cleanText } from '../text-field.js'

/** Field 61, the statement line. */
export interface StatementLine {
  /** Signed. */
  readonly amount: Amount
  readonly bookedAt: EpochMs
  readonly valuedAt: EpochMs
  /** Type code without its first letter, `TRF` or a German code of three digits. */
  readonly typeCode: string
  readonly customerReference?: string
  /** The counterpart's account, which old files of Rabobank have in place of the reference. */
  readonly counterpartAccount?: string
  readonly counterpartName?: string
  readonly bankReference?: string
  /** Whether the entry is pending (`EC`, `ED` of MT942). */
  readonly isPending: boolean
  /** The value date as written, if its month does not have that day. */
  readonly clampedDate?: string
}

/** The fault of a field: its part and the rest of the sentence. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** Fields 60 to 65, a balance. */
export interface BalanceField {
  readonly amount: Amount
  /** Absent in some old files. */
  readonly currency?: string
  readonly at?: EpochMs
}

const LINE_EXAMPLE = 'expected for example 2405310531DR12,50NTRFNONREF'

// Some banks write blanks for the entry date, or the mark in small letters.
const STATEMENT_LINE =
  /^(\d{6})(\d{4}| {4})?([REre]?[CDcd])([A-Z])?(\d{1,18}(?:,\d{0,9})?) {0,9}(.*)$/
// Some banks write no type code; `NONREF` is then not the code `ONR` with a reference.
const TYPE_CODE = /^(?:(?=NONREF)|[NFS]([A-Z0-9 ]{3}))(.*)$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})?(\d{1,18}(?:,\d{0,9})?)\s*$/

/** Two-digit years of 80 and more are of the last century: SWIFT is younger. */
const CENTURY_PIVOT = 80

const DAY_MS = 86_400_000

/** Half of the shortest year, in days. */
const HALF_YEAR_MS = 182 * DAY_MS

function yearOf(twoDigits: string): number {
  const year = Number(twoDigits)
  return year + (year < CENTURY_PIVOT ? 2000 : 1900)
}

/** `YYMMDD`; undefined when the day does not exist. */
function dayOf(text: string): EpochMs | undefined {
  const month = Number(text.slice(2, 4))
  return instantOfDay(yearOf(text.slice(0, 2)), month, Number(text.slice(4, 6)))
}

/** The last day of February if `text` is its 29th or 30th, as in banks' months of 30 days. */
function clampedDayOf(text: string): EpochMs | undefined {
  if (!/^\d{2}02(29|30)$/.test(text)) return undefined
  const march = instantOfDay(yearOf(text.slice(0, 2)), 3, 1)
  return march === undefined ? undefined : march - DAY_MS
}

/** `MMDD` in the year nearest to the value date: bookings cross the new year. */
function entryDayOf(text: string, valuedAt: EpochMs, year: number): EpochMs | undefined {
  const dayIn = (each: number): EpochMs | undefined =>
    instantOfDay(each, Number(text.slice(0, 2)), Number(text.slice(2, 4)))
  const day = dayIn(year)
  // Any other year is farther away.
  if (day !== undefined && Math.abs(day - valuedAt) <= HALF_YEAR_MS) return day
  const days = [dayIn(year - 1), day, dayIn(year + 1)]
    .filter((each) => each !== undefined)
    .sort((left, right) => Math.abs(left - valuedAt) - Math.abs(right - valuedAt))
  return days[0]
}

function amountOf(text: string): Amount | string {
  const amount = parseAmount(text.replace(',', '.'))
  return typeof amount === 'string' ? `"${text}" ${amount}; expected for example 1234,56` : amount
}

type References = Pick<
  StatementLine,
  'customerReference' | 'counterpartAccount' | 'counterpartName' | 'bankReference'
>

/** An account of the Netherlands, filled up to the 16 characters of a reference, and a name. */
const ACCOUNT_AND_NAME = /^(?=.{15} )(P?\d{7,10}) +([^\s/].*)$/

function referencesOf(text: string): References {
  const [, counterpartAccount, name] = ACCOUNT_AND_NAME.exec(text) ?? []
  const counterpartName = cleanText(name)
  if (counterpartAccount !== undefined && counterpartName !== undefined) {
    return { counterpartAccount, counterpartName }
  }
  const cut = text.indexOf('//')
  const customer = cleanReference(cut === -1 ? text : text.slice(0, cut))
  const bank = cut === -1 ? undefined : cleanReference(text.slice(cut + 2))
  // `KREF+` and similar texts mean that the reference is in field 86, `N` that there is none.
  const isPointer = customer === undefined || /^([KEMP]REF|MARF|N)\+?$/.test(customer)
  return {
    ...(isPointer ? {} : { customerReference: customer }),
    ...(bank === undefined ? {} : { bankReference: bank }),
  }
}

/**
 * Reads the first line of field 61. Without an entry date the value date is the booking date, as in
 * SWIFT; `RC` reverses a credit, `RD` a debit.
 */
export function readStatementLine(text: string): StatementLine | FieldFault {
  const match = STATEMENT_LINE.exec(text)
  const type = TYPE_CODE.exec(match?.[6] ?? '')
  if (match === null || type === null) {
    const message = `"${text.slice(0, 80)}" is not a statement line; ${LINE_EXAMPLE}`
    return { field: ':61:', message }
  }
  const [, valueText = '', entry = '', markText = '', , amountText = ''] = match
  const [, code = '', rest = ''] = type
  const entryText = entry.trim()
  const mark = markText.toUpperCase()
  const realDay = dayOf(valueText)
  const valuedAt = realDay ?? clampedDayOf(valueText)
  if (valuedAt === undefined) {
    const message = `"${valueText}" is not a date YYMMDD; ${LINE_EXAMPLE}`
    return { field: ':61: value date', message }
  }
  const bookedAt =
    entryText === '' ? valuedAt : entryDayOf(entryText, valuedAt, yearOf(valueText.slice(0, 2)))
  if (bookedAt === undefined) {
    return {
      field: ':61: entry date',
      message: `"${entryText}" is not a date MMDD; ${LINE_EXAMPLE}`,
    }
  }
  const amount = amountOf(amountText)
  if (typeof amount === 'string') return { field: ':61: amount', message: amount }
  const isOutgoing = mark === 'D' || mark === 'RC' || mark === 'ED'
  return {
    amount: isOutgoing ? negateAmount(amount) : amount,
    bookedAt,
    valuedAt,
    typeCode: code.trim(),
    ...referencesOf(rest),
    isPending: mark === 'EC' || mark === 'ED',
    ...(realDay === undefined ? { clampedDate: valueText } : {}),
  }
}

/** Reads fields 60 to 65; a balance of a day that does not exist is a balance without a day. */
export function readMtBalance(text: string): BalanceField | string {
  const match = BALANCE.exec(text)
  if (match === null) {
    return `"${text.slice(0, 80)}" is not a balance; expected for example C240531EUR1234,56`
  }
  const [, mark, dayText = '', currency, amountText = ''] = match
  const amount = amountOf(amountText)
  if (typeof amount === 'string') return amount
  const at = dayOf(dayText)
  return {
    amount: mark === 'D' ? negateAmount(amount) : amount,
    ...(currency === undefined ? {} : { currency }),
    ...(at === undefined ? {} : { at }),
  }
}

/** Fields 90C and 90D of an MT942, the number and sum of its credits or debits. */
export interface EntrySum {
  readonly count: number
  readonly currency: string
  /** Without sign. */
  readonly amount: Amount
}

/** Reads field 90C or 90D. @returns a sentence for another text */
export function readEntrySum(text: string): EntrySum | string {
  const match = /^(\d{1,5}) {0,9}([A-Z]{3})(\d{1,18}(?:,\d{0,9})?)\s*$/.exec(text)
  if (match === null) {
    return `"${text.slice(0, 80)}" is not a number and sum; expected for example 3EUR838,83`
  }
  const amount = amountOf(match[3] ?? '')
  if (typeof amount === 'string') return amount
  return { count: Number(match[1]), currency: match[2] ?? '', amount }
}

/** Field 34F of an MT942: entries below the amount are not listed. */
export interface FloorLimit {
  readonly currency: string
  readonly amount: Amount
}

/** Reads field 34F; undefined for another text. */
export function readFloorLimit(text: string): FloorLimit | undefined {
  const match = /^([A-Z]{3})[CD]?(\d{1,18}(?:,\d{0,9})?)/.exec(text)
  const amount = amountOf(match?.[2] ?? '')
  if (match === null || typeof amount === 'string') return undefined
  return { currency: match[1] ?? '', amount }
}

/** Supplementary details, the lines of field 61 after its first. */
export interface SupplementaryDetails {
  readonly originalAmount?: Amount
  readonly originalCurrency?: string
  readonly charges?: string
  /** The text, if it begins without a code word. */
  readonly text?: string
  /** The text after code words that were read. */
  readonly rest?: string
}

/** Reads `/OCMT/EUR11,85//CHGS/EUR0,50/` and the like; the original amount has no sign. */
export function readSupplementary(lines: readonly string[]): SupplementaryDetails {
  const whole = lines.join('')
  const original = /\/OCMT\/([A-Z]{3})(\d{1,18}(?:,\d{0,9})?)/.exec(whole)
  const amount = original === null ? 'absent' : parseAmount((original[2] ?? '').replace(',', '.'))
  const charges = /\/CHGS\/([A-Z]{3})(\d{1,18}(?:,\d{0,9})?)/.exec(whole)
  const isCoded = whole.startsWith('/')
  const text = isCoded ? undefined : cleanText(lines.join(' '))
  const isAmount = typeof amount !== 'string'
  // The bank's code of the transaction is a figure and no text.
  const code = /\/TRCD\/\d{1,5}(?=\/|$)/.exec(whole)
  const taken = [isAmount ? original?.[0] : undefined, charges?.[0], code?.[0]]
  const rest = isCoded ? textWithout(lines, taken) : undefined
  return {
    ...(typeof amount === 'string' || original?.[1] === undefined
      ? {}
      : { originalAmount: amount, originalCurrency: original[1] }),
    ...(charges === null ? {} : { charges: `Charges ${charges[2]} ${charges[1]}` }),
    ...(text === undefined ? {} : { text }),
    ...(rest === undefined ? {} : { rest }),
  }
}

/** The text of lines without the parts that were read, which a wrap may have cut. */
function textWithout(
  lines: readonly string[],
  taken: readonly (string | undefined)[],
): string | undefined {
  // A line break ends a line of text, but not an amount.
  const isRead = taken.some((part) => part !== undefined)
  let left = isRead ? lines.join('') : lines.join(' ')
  for (const part of taken) if (part !== undefined) left = left.replace(part, '/')
  return cleanText(left.replace(/\/{2,}/g, '/').replace(/^\/(?![A-Z]{4}\/)|\/$/g, ''))
}
