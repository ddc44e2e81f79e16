// Communications of CODA are free texts, or structured texts of fixed fields that begin with a type
// of three digits.
import { type Amount, parseAmount } from '../../money.js'
import { looksLikeCreditorId } from '../sepa-keywords.js'
import { cleanReference, cleanText, joinTexts } from '../text-field.js'

/** The fields of a communication. Texts are trimmed and never empty. */
export interface CommunicationFields {
  readonly text?: string
  /** Name of the counterpart, up to 70 characters. */
  readonly name?: string
  readonly mandateReference?: string
  readonly creditorId?: string
  /** Without a sign. */
  readonly originalAmount?: Amount
  readonly originalCurrency?: string
}

/** `text`: as it is; `amount` has 3 decimals, `rate` 8; `day` is DDMMYY, `time` is HHMM. */
type CommunicationKind = 'text' | 'amount' | 'rate' | 'day' | 'time'
type CommunicationField = readonly [label: string, length: number, kind: CommunicationKind]

/**
 * The layouts of structured communications; a field without a label is not repeated in the text.
 * @see Febelfin, Coded statement of account (CODA), "Structured communications"
 */
const LAYOUTS: Readonly<Record<string, readonly CommunicationField[]>> = {
  '105': [
    ['gross amount', 15, 'amount'],
    ['original amount', 15, 'amount'],
    ['rate', 12, 'rate'],
    ['currency', 3, 'text'],
    ['communication', 12, 'text'],
    ['country', 2, 'text'],
    ['equivalent in EUR', 15, 'amount'],
  ],
  '106': [
    ['equivalent', 15, 'amount'],
    ['basis', 15, 'amount'],
    ['percentage', 12, 'rate'],
    ['', 1, 'text'],
    ['equivalent in EUR', 15, 'amount'],
  ],
  '108': [
    ['equivalent', 15, 'amount'],
    ['basis', 15, 'text'],
    ['interest', 12, 'rate'],
    ['from', 6, 'day'],
    ['to', 6, 'day'],
  ],
  '111': [
    ['', 1, 'text'],
    ['terminal', 6, 'text'],
    ['period', 3, 'text'],
    ['first transaction', 6, 'text'],
    ['of', 6, 'day'],
    ['last transaction', 6, 'text'],
    ['of', 6, 'day'],
    ['', 1, 'text'],
    ['at', 26, 'text'],
  ],
  '113': [
    ['card', 16, 'text'],
    ['', 1, 'text'],
    ['terminal', 6, 'text'],
    ['transaction', 6, 'text'],
    ['of', 6, 'day'],
    ['at', 4, 'time'],
    ['', 1, 'text'],
    ['at', 26, 'text'],
    ['original amount', 15, 'amount'],
    ['rate', 12, 'rate'],
    ['currency', 3, 'text'],
  ],
  '114': [
    ['', 1, 'text'],
    ['terminal', 6, 'text'],
    ['period', 3, 'text'],
    ['transaction', 6, 'text'],
    ['of', 6, 'day'],
    ['at', 4, 'time'],
    ['', 1, 'text'],
    ['at', 26, 'text'],
    ['reference', 16, 'text'],
  ],
  '115': [
    ['card', 16, 'text'],
    ['', 1, 'text'],
    ['terminal', 6, 'text'],
    ['transaction', 6, 'text'],
    ['of', 6, 'day'],
    ['at', 4, 'time'],
    ['validated', 6, 'day'],
    ['validation', 6, 'text'],
    ['amount', 15, 'amount'],
    ['', 1, 'text'],
    ['at', 26, 'text'],
    ['message', 12, 'text'],
  ],
  '121': [
    ['amount', 15, 'amount'],
    ['due', 6, 'day'],
    ['conventionally due', 6, 'day'],
    ['issued', 6, 'day'],
    ['company', 11, 'text'],
    ['currency', 3, 'text'],
    ['', 3, 'text'],
    ['bill', 13, 'text'],
    ['rate', 12, 'rate'],
  ],
  '122': [
    ['days', 4, 'text'],
    ['interest', 12, 'rate'],
    ['basis', 15, 'amount'],
    ['', 1, 'text'],
    ['bill', 13, 'text'],
    ['due', 6, 'day'],
  ],
  '123': [
    ['from', 6, 'day'],
    ['to', 6, 'day'],
    ['basis', 15, 'amount'],
    ['percentage', 12, 'rate'],
    ['days', 4, 'text'],
    ['', 1, 'text'],
    ['guarantee', 13, 'text'],
  ],
  '124': [
    ['card', 20, 'text'],
    ['', 1, 'text'],
    ['invoice', 12, 'text'],
    ['identification', 15, 'text'],
    ['of', 6, 'day'],
  ],
  '125': [
    ['credit account', 27, 'text'],
    ['old balance', 15, 'amount'],
    ['new balance', 15, 'amount'],
    ['amount', 15, 'amount'],
    ['currency', 3, 'text'],
    ['from', 6, 'day'],
    ['to', 6, 'day'],
    ['interest', 12, 'rate'],
    ['reference', 13, 'text'],
  ],
  '126': [
    ['deposit', 15, 'text'],
    ['amount', 15, 'amount'],
    ['equivalent', 15, 'amount'],
    ['from', 6, 'day'],
    ['to', 6, 'day'],
    ['interest', 12, 'rate'],
    ['amount of interest', 15, 'amount'],
    ['currency', 3, 'text'],
    ['rate', 12, 'rate'],
  ],
}

/** Types of an R-transaction: the reasons why a direct debit or a transfer is returned. */
const RETURNS: Readonly<Record<string, string>> = {
  '1': 'Reject',
  '2': 'Return',
  '3': 'Refund',
  '4': 'Reversal',
  '5': 'Cancellation',
}

/** Reasons why a direct debit was not paid; 0 is paid. */
const REFUSALS: Readonly<Record<string, string>> = {
  '1': 'Technical problem',
  '2': 'Reason not specified',
  '3': 'Debtor disagrees',
  '4': "Debtor's account problem",
}

/**
 * An R-transaction as text, `Return MD06`.
 * @param type digit 1 to 5   @param reason ISO 20022 reason code, may be blank
 * @returns undefined for a payment that was not returned
 */
export function returnText(type: string, reason: string): string | undefined {
  const name = RETURNS[type]
  return name === undefined ? undefined : cleanText(`${name} ${reason}`)
}

/** `1234500` with 3 decimals is `1234.5`; undefined when the text is zero or not of digits. */
function decimalText(digits: string, decimals: number): string | undefined {
  if (!/^\d+$/.test(digits) || /^0+$/.test(digits)) return undefined
  const whole = digits.slice(0, -decimals).replace(/^0+(?=\d)/, '')
  let fraction = digits.slice(-decimals)
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function valueText(text: string, kind: CommunicationKind): string | undefined {
  if (/^[0 ]*$/.test(text) || text === '999999') return undefined
  if (kind === 'amount') return decimalText(text, 3) ?? cleanText(text)
  if (kind === 'rate') return decimalText(text, 8) ?? cleanText(text)
  const isDigits = /^\d+$/.test(text)
  if (kind === 'day' && isDigits) return `${text.slice(0, 2)}/${text.slice(2, 4)}/${text.slice(4)}`
  if (kind === 'time' && isDigits) return `${text.slice(0, 2)}:${text.slice(2)}`
  return cleanText(text)
}

/** The fields of a communication with their labels, `card 6703…, terminal 123456`. */
function labelledText(body: string, layout: readonly CommunicationField[]): string | undefined {
  const pieces: string[] = []
  let at = 0
  for (const [label, length, kind] of layout) {
    const value = valueText(body.slice(at, at + length), kind)
    at += length
    if (label !== '' && value !== undefined) pieces.push(`${label} ${value}`)
  }
  const rest = cleanText(body.slice(at))
  if (rest !== undefined && !/^[0 ]+$/.test(rest)) pieces.push(rest)
  return cleanText(pieces.join(', '))
}

/** Original amount and currency at their offsets in the body; absent when either is missing. */
function originalOf(body: string, amountAt: number, currencyAt: number): CommunicationFields {
  const digits = body.slice(amountAt, amountAt + 15)
  const originalCurrency = body.slice(currencyAt, currencyAt + 3)
  const amount = /^\d{15}$/.test(digits) ? parseAmount(`${digits}e-3`) : 'absent'
  if (typeof amount === 'string' || amount.unscaled === 0) return {}
  return /^[A-Z]{3}$/.test(originalCurrency) ? { originalAmount: amount, originalCurrency } : {}
}

/** SEPA direct debit: settlement date, type, scheme, result, creditor, mandate, communication. */
function readDirectDebit(body: string): CommunicationFields {
  const creditor = cleanReference(body.slice(9, 44))
  const isCreditorId = creditor !== undefined && looksLikeCreditorId(creditor)
  const mandateReference = cleanReference(body.slice(44, 79))
  const text = joinTexts([
    body.slice(79, 141),
    isCreditorId ? undefined : creditor,
    REFUSALS[body.charAt(8)],
    returnText(body.charAt(141), body.slice(142, 146)),
    body.slice(146),
  ])
  return {
    ...(text === undefined ? {} : { text }),
    ...(isCreditorId ? { creditorId: creditor } : {}),
    ...(mandateReference === undefined ? {} : { mandateReference }),
  }
}

/** Belgian structured communication: 12 digits, the last two of which are check digits. */
function belgianReference(body: string): string | undefined {
  const digits = body.slice(0, 12)
  if (!/^\d{12}$/.test(digits)) return cleanText(body)
  const reference = `+++${digits.slice(0, 3)}/${digits.slice(3, 7)}/${digits.slice(7)}+++`
  return joinTexts([reference, body.slice(12)])
}

function textOnly(text: string | undefined): CommunicationFields {
  return text === undefined ? {} : { text }
}

/**
 * Reads a structured communication. One of an unknown type is kept as text.
 * @param text its type of three digits and its fields, padded with blanks
 */
export function readStructured(text: string): CommunicationFields {
  const type = text.slice(0, 3)
  const body = text.slice(3)
  if (type === '001') {
    const name = cleanText(body.slice(0, 70))
    return { ...textOnly(cleanText(body.slice(70))), ...(name === undefined ? {} : { name }) }
  }
  if (type === '101' || type === '102') return textOnly(belgianReference(body))
  if (type === '127') return readDirectDebit(body)
  const layout = LAYOUTS[type]
  if (layout === undefined) return textOnly(cleanText(body))
  const original =
    type === '105' ? originalOf(body, 15, 42) : type === '113' ? originalOf(body, 66, 93) : {}
  return { ...textOnly(labelledText(body, layout)), ...original }
}
