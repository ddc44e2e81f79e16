import { compactCode, isBic, isIban } from '../../iban.js'
import { type Amount, formatAmount, negateAmount } from '../../money.js'
import { amountOfDigits } from '../fixed-width/record-fields.js'
import { looksLikeCreditorId } from '../sepa-keywords.js'
import type { StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { readOverpunched } from './cfonb120-records.js'

/** One record 05: its qualifier and its information, 70 characters, not trimmed. */
export interface QualifiedDetail {
  readonly qualifier: string
  readonly text: string
}

/** Characters of a reference or identifier, the first half of some details. */
const HALF_LENGTH = 35

interface DetailTexts {
  /** The texts of the purpose, in the order of the file. */
  readonly purpose: (string | undefined)[]
  payer?: string | undefined
  beneficiary?: string | undefined
}

/** `EUR2` and 14 digits: currency, decimals, amount without sign. */
function readMoney(
  text: string,
): { readonly amount: Amount; readonly currency: string } | undefined {
  const currency = text.slice(0, 3)
  const digits = text.slice(4, 18)
  const decimals = text.charAt(3)
  if (!/^[A-Z]{3}$/.test(currency) || !/^\d$/.test(decimals)) return undefined
  const plain = amountOfDigits(digits, Number(decimals))
  const amount = typeof plain === 'string' ? readOverpunched(digits, decimals) : plain
  if (typeof amount === 'string') return undefined
  return { amount: amount.unscaled < 0 ? negateAmount(amount) : amount, currency }
}

/** The rate of exchange after the original amount: decimals, then 11 digits. */
function rateText(text: string): string | undefined {
  const match = /^([0-9])(\d{11})$/.exec(text.slice(18, 30))
  const [, decimals = '0', digits = ''] = match ?? []
  if (match === null || /^0+$/.test(digits)) return undefined
  const places = Number(decimals)
  const padded = digits.padStart(places + 1, '0')
  const whole = padded.slice(0, padded.length - places).replace(/^0+(?=\d)/, '')
  return `Rate ${places === 0 ? whole : `${whole}.${padded.slice(padded.length - places)}`}`
}

function applyOriginal(transaction: StatementTransaction, texts: DetailTexts, text: string): void {
  const money = readMoney(text)
  if (money === undefined) {
    texts.purpose.push(`MMO ${text}`)
    return
  }
  const { amount, currency } = money
  if (transaction.originalAmount === undefined) {
    transaction.originalAmount = transaction.amount.unscaled < 0 ? negateAmount(amount) : amount
    transaction.originalCurrency = currency
  }
  texts.purpose.push(rateText(text))
}

function applyFee(texts: DetailTexts, text: string): void {
  const money = readMoney(text)
  const fee =
    money === undefined ? undefined : formatAmount(money.amount.unscaled, money.amount.scale)
  texts.purpose.push(fee === undefined ? `FEE ${text}` : `Charges ${fee} ${money?.currency}`)
}

/** Applies the identifier of a party: a creditor identifier is a field, any other one is text. */
function applyIdentifier(
  transaction: StatementTransaction,
  texts: DetailTexts,
  text: string,
): void {
  const identifier = cleanReference(text.slice(0, HALF_LENGTH))
  const isCreditorId = identifier !== undefined && looksLikeCreditorId(identifier)
  const isNews = transaction.counterpart.creditorId === undefined
  if (isCreditorId && isNews) fillText(transaction.counterpart, 'creditorId', identifier)
  texts.purpose.push(isCreditorId && isNews ? undefined : text)
}

/** Applies a qualifier without a field of its own: valid check digits prove an account. */
function applyOther(
  transaction: StatementTransaction,
  texts: DetailTexts,
  { qualifier, text }: QualifiedDetail,
): void {
  const { counterpart } = transaction
  const code = compactCode(text)
  if (counterpart.iban === undefined && isIban(code)) counterpart.iban = code
  else if (counterpart.bic === undefined && qualifier === 'BDB' && isBic(code)) {
    counterpart.bic = code
  } else texts.purpose.push(text)
}

function applyDetail(
  transaction: StatementTransaction,
  texts: DetailTexts,
  detail: QualifiedDetail,
): void {
  const { qualifier, text } = detail
  const { counterpart } = transaction
  if (qualifier === 'NPY' && texts.payer === undefined) {
    texts.payer = cleanReference(text)
  } else if (qualifier === 'NBE' && texts.beneficiary === undefined) {
    texts.beneficiary = cleanReference(text)
  } else if (qualifier === 'RCN' && transaction.endToEndReference === undefined) {
    fillText(transaction, 'endToEndReference', cleanReference(text.slice(0, HALF_LENGTH)))
    texts.purpose.push(text.slice(HALF_LENGTH))
  } else if (qualifier === 'REF' && counterpart.customerReference === undefined) {
    fillText(counterpart, 'customerReference', cleanReference(text))
  } else if (qualifier === 'RUM' && counterpart.mandateReference === undefined) {
    fillText(counterpart, 'mandateReference', cleanReference(text.slice(0, HALF_LENGTH)))
    texts.purpose.push(text.slice(HALF_LENGTH))
  } else if (qualifier === 'MMO') applyOriginal(transaction, texts, text)
  else if (qualifier === 'FEE') applyFee(texts, text)
  else if (qualifier === 'IBE' || qualifier === 'IPY') applyIdentifier(transaction, texts, text)
  else if (qualifier === 'NPO' || qualifier === 'NBU') texts.purpose.push(cleanReference(text))
  else applyOther(transaction, texts, detail)
}

/**
 * Joins details that are one text: LC2 continues LCC, and a label (LIB) continues one that fills
 * its 70 columns.
 */
function joined(details: readonly QualifiedDetail[]): QualifiedDetail[] {
  const found: { qualifier: string; pieces: string[] }[] = []
  for (const { qualifier, text } of details) {
    const last = found.at(-1)
    const isFull = last?.pieces.at(-1)?.endsWith(' ') === false
    const isLabel = qualifier === 'LIB' && last?.qualifier === 'LIB' && isFull
    const isRemittance = qualifier === 'LC2' && last?.qualifier === 'LCC'
    if (last !== undefined && (isLabel || isRemittance)) last.pieces.push(text)
    else found.push({ qualifier, pieces: [text] })
  }
  return found.map(({ qualifier, pieces }) => ({ qualifier, text: pieces.join('') }))
}

/** Source of the counterpart's name; `other` when the file only has the other party's name. */
export type NameSource = 'absent' | 'expected' | 'other'

/**
 * Applies the records 05 of a movement. Texts without a field, of known and unknown qualifiers, are
 * added to the purpose.
 * @returns `other` when a debit names only its payer or a credit only its beneficiary: that name is
 *   then taken for the counterpart's, as banks use it
 */
export function applyQualified(
  transaction: StatementTransaction,
  label: string,
  details: readonly QualifiedDetail[],
): NameSource {
  const texts: DetailTexts = { purpose: [] }
  for (const detail of joined(details)) applyDetail(transaction, texts, detail)
  const isDebit = transaction.amount.unscaled < 0
  const [expected, other] = isDebit
    ? [texts.beneficiary, texts.payer]
    : [texts.payer, texts.beneficiary]
  fillText(transaction.counterpart, 'name', expected)
  fillText(transaction.counterpart, 'name', other)
  const purpose = joinTexts([
    cleanText(label),
    ...texts.purpose,
    expected === undefined ? undefined : other,
  ])
  if (purpose !== undefined) transaction.purpose = purpose
  if (expected !== undefined) return 'expected'
  return other === undefined ? 'absent' : 'other'
}
