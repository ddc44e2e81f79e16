import { parseDay, parseInstantOrDay } from '../instant.js'
import { AMOUNT_DIGITS_MAX, AMOUNT_SCALE_MAX } from '../limits.js'
import { type Amount, parseAmount } from '../money.js'
import type { AccountIdentifier } from '../query/transaction-query.js'
import { type Term, termsOf } from '../text/normal-forms.js'
import { parameterFault, quote } from './fault.js'
import {
  type AccountsParameter,
  type AmountParameter,
  type ChoiceParameter,
  type CurrencyParameter,
  type DayParameter,
  type InstantParameter,
  type IntegerParameter,
  type ReferenceParameter,
  SEGMENT_PATTERN,
  type SearchParameter,
  type SwitchParameter,
  type TextParameter,
  type TypedTextParameter,
  type WordsParameter,
} from './parameter-table.js'

const DIGIT_0 = 0x30

/**
 * The whole number written in `text[start, end)` as plain decimal digits; leading zeros are
 * allowed.
 * @returns -1 when it is written otherwise or is no safe integer
 */
export function digitsValue(text: string, start: number, end: number): number {
  if (start >= end) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - DIGIT_0
    if (digit < 0 || digit > 9) return -1
    // A safe value times ten is rounded at worst to another value that is not safe: the test holds.
    value = value * 10 + digit
    if (value > Number.MAX_SAFE_INTEGER) return -1
  }
  return value
}

/** @returns `min` to `max` of the parameter   @throws ApiError when the text is anything else */
export function readInteger(
  parameter: IntegerParameter,
  text: string,
  start: number,
  end: number,
): number {
  const value = digitsValue(text, start, end)
  if (value < parameter.min || value > parameter.max) {
    const { min, max } = parameter
    throw parameterFault(
      parameter,
      `must be a whole number from ${min} to ${max}, not ${quote(text.slice(start, end))}`,
    )
  }
  return value
}

/**
 * An exact text of 1 to `codePointsMax` code points. Control characters are allowed: an imported
 * category name may hold one.
 */
export function readText(
  parameter: TextParameter,
  text: string,
  start: number,
  end: number,
): string {
  const value = text.slice(start, end)
  requireShort(parameter, value)
  return value
}

function requireShort(
  parameter: TextParameter | SearchParameter | ReferenceParameter | TypedTextParameter,
  value: string,
): void {
  const { codePointsMax } = parameter
  // A text has at least half as many code points as UTF-16 units, so most need no count.
  const tooLong =
    value.length > 2 * codePointsMax ||
    (value.length > codePointsMax && [...value].length > codePointsMax)
  if (tooLong) throw parameterFault(parameter, `must be at most ${codePointsMax} characters long`)
}

const CONTROLS_AND_SURROGATES = /[\p{Cc}\p{Surrogate}]/u

/**
 * The terms of a search text, none for white space alone. Unlike an exact text it holds no control
 * character and no lone surrogate: neither is typed, and a line break would silently be a space.
 * @see docs/contract/lists.md, "Free-text search"
 */
export function readTerms(
  parameter: SearchParameter,
  text: string,
  start: number,
  end: number,
): Term[] {
  const value = text.slice(start, end)
  requireShort(parameter, value)
  requirePrintable(parameter, value)
  const terms = termsOf(value)
  const { termsMax } = parameter
  if (terms.length > termsMax) {
    throw parameterFault(parameter, `must be at most ${termsMax} terms, not ${terms.length}`)
  }
  return terms
}

/** A text as a person types it: as {@link readTerms} without terms. */
export function readTyped(
  parameter: TypedTextParameter,
  text: string,
  start: number,
  end: number,
): string {
  const value = text.slice(start, end)
  requireShort(parameter, value)
  requirePrintable(parameter, value)
  return value
}

function requirePrintable(parameter: SearchParameter | TypedTextParameter, value: string): void {
  const stray = CONTROLS_AND_SURROGATES.exec(value)?.[0]
  if (stray === undefined) return
  const hex = stray.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const what = 'must not contain control characters or lone surrogates'
  throw parameterFault(parameter, `${what} such as U+${hex}`)
}

/** A text within the length of a reference; its content is not checked. */
export function readReference(
  parameter: ReferenceParameter,
  text: string,
  start: number,
  end: number,
): string {
  const value = text.slice(start, end)
  requireShort(parameter, value)
  const { codePointsMin } = parameter
  if (value.length >= 2 * codePointsMin || [...value].length >= codePointsMin) return value
  throw parameterFault(parameter, `must be at least ${codePointsMin} characters long`)
}

/** Epoch ms of an instant or of the midnight that begins a day; it must exist in the calendar. */
export function readInstant(
  parameter: InstantParameter,
  text: string,
  start: number,
  end: number,
): number {
  const value = text.slice(start, end)
  const ms = parseInstantOrDay(value)
  if (ms !== undefined) return ms
  throw parameterFault(
    parameter,
    'must be a valid instant YYYY-MM-DDTHH:MM:SS.MMMZ in UTC, with or without milliseconds, or ' +
      `a day YYYY-MM-DD, not ${quote(value)}`,
  )
}

/** Epoch ms of the midnight that begins the day, which must exist in the calendar. */
export function readDay(parameter: DayParameter, text: string, start: number, end: number): number {
  const value = text.slice(start, end)
  const ms = parseDay(value)
  if (ms !== undefined) return ms
  throw parameterFault(parameter, `must be a valid day YYYY-MM-DD, not ${quote(value)}`)
}

const DAY_MS = 86_400_000

/** The last millisecond of the day; likewise. */
export function readLastOfDay(
  parameter: DayParameter,
  text: string,
  start: number,
  end: number,
): number {
  return readDay(parameter, text, start, end) + DAY_MS - 1
}

/** The exact amount. Leading zeros are no digits of it; -0 is 0. */
export function readAmount(
  parameter: AmountParameter,
  text: string,
  start: number,
  end: number,
): Amount {
  const value = text.slice(start, end)
  const amount = decimalOf(value)
  if (amount !== undefined && (parameter.isSigned || amount.unscaled >= 0)) return amount
  const kind = parameter.isSigned ? 'a decimal number' : 'a decimal number of 0 or more'
  throw parameterFault(
    parameter,
    `must be ${kind} with up to ${AMOUNT_DIGITS_MAX} digits, up to ${AMOUNT_SCALE_MAX} of them ` +
      `after a point, not ${quote(value)}`,
  )
}

/** The exact value of a decimal number in the notation of callers; undefined = it is none. */
export function decimalOf(text: string): Amount | undefined {
  if (!DECIMAL.test(text) || text.replace(NO_DIGITS, '').length > AMOUNT_DIGITS_MAX) {
    return undefined
  }
  const amount = parseAmount(text)
  return typeof amount === 'object' ? amount : undefined
}

const DECIMAL = /^-?\d+(?:\.\d{1,5})?$/
/** Sign, leading zeros and point of a decimal number. */
const NO_DIGITS = /^-?0*(?:\.0*)?|\./g

/** The code of a currency, whether or not there is one. */
export function readCurrency(
  parameter: CurrencyParameter,
  text: string,
  start: number,
  end: number,
): string {
  const value = text.slice(start, end)
  if (isCurrencyCode(value)) return value
  throw parameterFault(
    parameter,
    `must be a currency code of three capital letters, not ${quote(value)}`,
  )
}

/** Whether a text has the form of a currency code. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text)
}

/** The accounts of the list, each once. Whether they exist is not checked. */
export function readAccounts(
  parameter: AccountsParameter,
  text: string,
  start: number,
  end: number,
): AccountIdentifier[] {
  const named = new Map<string, AccountIdentifier>()
  for (const word of text.slice(start, end).split(',')) {
    const account = accountNamed(word)
    if (account === undefined) {
      throw parameterFault(
        parameter,
        `must be account ids or IBANs, separated by commas without spaces, not ${quote(word)}`,
      )
    }
    named.set('iban' in account ? account.iban : String(account.accountId), account)
  }
  const { accountsMax } = parameter
  if (named.size <= accountsMax) return [...named.values()]
  throw parameterFault(parameter, `must name at most ${accountsMax} accounts, not ${named.size}`)
}

/** As in a path: digits alone are an id, any other text is an IBAN. */
function accountNamed(word: string): AccountIdentifier | undefined {
  if (!ONLY_DIGITS.test(word)) {
    return SEGMENT.test(word) ? { iban: word.toUpperCase() } : undefined
  }
  const accountId = digitsValue(word, 0, word.length)
  return accountId > 0 ? { accountId } : undefined
}

const ONLY_DIGITS = /^\d+$/
const SEGMENT = new RegExp(SEGMENT_PATTERN)

/** The meaning of the word. */
export function readChoice<Meaning extends string>(
  parameter: ChoiceParameter<Meaning>,
  text: string,
  start: number,
  end: number,
): Meaning {
  const value = text.slice(start, end)
  const { choices } = parameter
  const meaning = choices.get(value)
  if (meaning !== undefined) return meaning
  const words = [...choices.keys()].join(', ')
  throw parameterFault(parameter, `must be one of ${words}, not ${quote(value)}`)
}

/** Distinct words of the parameter, in the order sent. */
export function readWords<Word extends string>(
  parameter: WordsParameter<Word>,
  text: string,
  start: number,
  end: number,
): Word[] {
  const sent = text.slice(start, end).split(',')
  const { words, countMax } = parameter
  if (sent.length > countMax) {
    throw parameterFault(parameter, `must be at most ${countMax} words, not ${sent.length}`)
  }
  return sent.map((name, place) => {
    const word = words.find((known) => known === name)
    if (word === undefined) {
      const rule = `must be words out of ${words.join(', ')}, separated by a comma without blanks`
      throw parameterFault(parameter, `${rule}, not ${quote(name)}`)
    }
    if (sent.indexOf(name) < place) throw parameterFault(parameter, `names ${word} twice`)
    return word
  })
}

/** Whether the word is `true`. @throws ApiError when it is neither that nor `false` */
export function readSwitch(
  parameter: SwitchParameter,
  text: string,
  start: number,
  end: number,
): boolean {
  const value = text.slice(start, end)
  if (value === 'true') return true
  if (value === 'false') return false
  throw parameterFault(parameter, `must be true or false, not ${quote(value)}`)
}
