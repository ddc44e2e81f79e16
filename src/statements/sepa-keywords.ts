import { compactCode, ibanLengthOf, isBic, isIban, looksLikeIban } from '../iban.js'
import { type Amount, negateAmount, parseAmount } from '../money.js'
import type { StatementTransaction } from './statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from './text-field.js'

/** The fields from the keywords of a payment's texts. Texts are trimmed and never empty. */
export interface SepaFields {
  purpose?: string
  endToEndReference?: string
  customerReference?: string
  mandateReference?: string
  creditorId?: string
  purposeCode?: string
  /** IBAN of the counterpart, compact. */
  iban?: string
  /** Account of the counterpart if it is not an IBAN. */
  accountNumber?: string
  bic?: string
  name?: string
  ultimateDebtor?: string
  ultimateCreditor?: string
  /** Without sign. */
  originalAmount?: Amount
  originalCurrency?: string
  /** Booking text of the bank. */
  type?: string
}

type Key = keyof typeof FIELD_OF_KEY | 'COAM' | 'OAMT' | 'SVWZ' | 'MTLG' | 'BREF' | 'RREF'

/** One keyword and the text up to the next one. */
interface KeywordSegment {
  readonly key: Key
  readonly text: string
  /** Offsets in `text` at which a part begins, ascending; the first may be negative. */
  readonly starts: readonly number[]
}

const FIELD_OF_KEY = {
  EREF: 'endToEndReference',
  KREF: 'customerReference',
  MREF: 'mandateReference',
  CRED: 'creditorId',
  DEBT: 'creditorId',
  IBAN: 'iban',
  BIC: 'bic',
  PURP: 'purposeCode',
  ABWA: 'ultimateDebtor',
  ABWE: 'ultimateCreditor',
} as const satisfies Record<string, keyof SepaFields>

const KEYWORD =
  /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|BREF|RREF)\+|(MTLG):/g
const COLON_KEYWORD = /(?<=^|\s)(EREF|KREF|MREF|CRED|DEBT|IBAN|BIC|PURP|ABWA|ABWE):/g

/** References of the SEPA schemes have at most 35 characters, names at most 70. */
const REFERENCE_LENGTH_MAX = 35
const NAME_LENGTH_MAX = 70

/** Keywords of references; the text of other keywords ends at the next keyword. */
const BOUNDED_KEYS: readonly Key[] = ['EREF', 'KREF', 'MREF', 'CRED', 'DEBT']

const CREDITOR_ID = /^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/

/** Whether the text has the shape of a SEPA creditor identifier (EPC AT-02). */
export function looksLikeCreditorId(compact: string): boolean {
  return CREDITOR_ID.test(compact)
}

/**
 * Joins the successive parts of one text: without a blank after a full part, else with one, because
 * banks trim trailing blanks.
 * @param fullLength characters of a full part: 27 in MT940 sub-fields, 140 in CAMT
 * @returns the text and the offsets in it at which a part begins
 */
export function joinParts(
  parts: readonly string[],
  fullLength: number,
): { readonly text: string; readonly starts: ReadonlySet<number> } {
  const starts = new Set<number>()
  const pieces: string[] = []
  let length = 0
  let previous: string | undefined
  for (const part of parts) {
    if (previous !== undefined && previous.length < fullLength) {
      pieces.push(' ')
      length += 1
    }
    starts.add(length + (part.length - part.trimStart().length))
    pieces.push(part)
    length += part.length
    previous = part
  }
  return { text: pieces.join(''), starts }
}

/**
 * Splits at reliable keywords: at the start of a part, anywhere inside an identifier, as banks
 * write them without separators, and inside free text only at ABWA and ABWE, which end it.
 */
function segmentsOf(text: string, starts: ReadonlySet<number>): KeywordSegment[] {
  const segments: KeywordSegment[] = []
  let key: Key = 'SVWZ'
  let from = 0
  const places = [...starts]
  let place = 0
  const close = (end: number): void => {
    const inside: number[] = []
    for (; (places[place] ?? end) < end; place++) inside.push((places[place] ?? end) - from)
    segments.push({ key, text: text.slice(from, end), starts: inside })
  }
  for (const match of text.matchAll(KEYWORD)) {
    const found = (match[1] ?? match[2]) as Key
    const isFree = key === 'SVWZ' || key === 'MTLG'
    const isLeading = segments.length === 0 && from === 0
    const isTrusted =
      starts.has(match.index) ||
      (found !== 'MTLG' && !isFree) ||
      (isLeading && /\s/.test(text[match.index - 1] ?? ' ')) ||
      (isFree && (found === 'ABWA' || found === 'ABWE'))
    if (!isTrusted) continue
    close(match.index)
    key = found
    from = match.index + match[0].length
  }
  close(text.length)
  return segments
}

/**
 * Splits a reference from the text that follows it without a keyword: no reference of the SEPA
 * schemes has more than 35 characters.
 * @param starts offsets in `text` at which a part begins, ascending; a longer text is cut at the
 *   last of them that leaves a reference, else at the last blank
 * @returns undefined when the text begins with a word that is longer than any reference
 */
export function splitReference(
  text: string,
  starts: readonly number[],
): { readonly reference: string; readonly rest: string } | undefined {
  if (text.length <= REFERENCE_LENGTH_MAX) return { reference: text.trim(), rest: '' }
  const begin = text.length - text.trimStart().length
  const trimmed = text.trim()
  if ((cleanText(trimmed) ?? '').length <= REFERENCE_LENGTH_MAX) {
    return { reference: trimmed, rest: '' }
  }
  const fits = (end: number): boolean =>
    end > 0 &&
    end <= REFERENCE_LENGTH_MAX + 1 &&
    trimmed.slice(0, end).trimEnd().length <= REFERENCE_LENGTH_MAX
  const blanks = [...trimmed.slice(0, REFERENCE_LENGTH_MAX + 1).matchAll(/\s/g)]
  const end =
    starts.map((start) => start - begin).findLast(fits) ??
    blanks.map(({ index }) => index).findLast(fits)
  if (end === undefined) return undefined
  return { reference: trimmed.slice(0, end), rest: trimmed.slice(end) }
}

/** The IBAN at the start of a text, with or without blanks, and the text after it. */
export function leadingIban(
  text: string,
): { readonly iban: string; readonly rest: string } | undefined {
  let compact = ''
  for (let i = 0; i < text.length && compact.length < 34; i++) {
    const character = text[i] ?? ''
    if (/\s/.test(character)) continue
    if (!/[A-Za-z0-9]/.test(character)) break
    compact += character.toUpperCase()
    if (compact.length >= 15 && isIban(compact)) return { iban: compact, rest: text.slice(i + 1) }
  }
  // With wrong check digits, it is still an account if no text follows, or if it is a word of the
  // length of its country. Small letters come from redacted IBANs.
  const [word = ''] = text.trimStart().split(/\s/, 1)
  const isOneWord = /^[A-Z0-9]+$/.test(word) && word.length === ibanLengthOf(word)
  if (isOneWord && looksLikeIban(word)) {
    return { iban: word, rest: text.trimStart().slice(word.length) }
  }
  const whole = compactCode(text)
  const lengthMax = ibanLengthOf(whole) ?? whole.length
  const isLength = whole.length >= 15 && whole.length <= lengthMax
  const isWhole = looksLikeIban(whole) && isLength && !/[a-z]/.test(text)
  return isWhole ? { iban: whole, rest: '' } : undefined
}

/** The BIC at the start of a text; a cut inside it leaves a blank. */
export function leadingBic(
  text: string,
): { readonly bic: string; readonly rest: string } | undefined {
  const words = text.trim().split(/\s+/, 4)
  for (let count = 1; count <= Math.min(words.length, 2); count++) {
    const bic = words.slice(0, count).join('').toUpperCase()
    if (!isBic(bic)) continue
    const rest = text.trim().split(/\s+/).slice(count).join(' ')
    return { bic, rest }
  }
  return undefined
}

/** Reads the text after a colon keyword; undefined when it does not have the keyword's shape. */
function readColonValue(
  key: keyof typeof FIELD_OF_KEY,
  text: string,
): { readonly value: string | undefined; readonly rest: string } | undefined {
  const clean = cleanText(text)
  if (clean === undefined) return { value: undefined, rest: '' }
  if (key === 'IBAN') {
    const found = leadingIban(text)
    return found && { value: found.iban, rest: found.rest }
  }
  if (key === 'BIC') {
    const found = leadingBic(text)
    return found && { value: found.bic, rest: found.rest }
  }
  if (key === 'CRED' || key === 'DEBT') {
    const compact = compactCode(clean)
    return looksLikeCreditorId(compact) ? { value: compact, rest: '' } : undefined
  }
  if (key === 'PURP') {
    const found = /^([A-Z0-9]{4})(?: (.*))?$/.exec(clean)
    return found === null ? undefined : { value: found[1], rest: found[2] ?? '' }
  }
  const lengthMax = key === 'ABWA' || key === 'ABWE' ? NAME_LENGTH_MAX : REFERENCE_LENGTH_MAX
  return clean.length <= lengthMax ? { value: cleanReference(clean), rest: '' } : undefined
}

/** Moves `EREF: x MREF: y …` from free text into `fields`. @returns the remaining text */
function takeColonForms(text: string, fields: SepaFields): string {
  const matches = [...text.matchAll(COLON_KEYWORD)]
  let left = text.slice(0, matches[0]?.index ?? text.length)
  matches.forEach((match, i) => {
    const end = matches[i + 1]?.index ?? text.length
    const key = match[1] as keyof typeof FIELD_OF_KEY
    const field = FIELD_OF_KEY[key]
    const found = readColonValue(key, text.slice(match.index + match[0].length, end))
    const known = fields[field]
    const isNews = known === undefined || found?.value === undefined
    if (found === undefined || !(isNews || compactCode(known) === compactCode(found.value ?? ''))) {
      left += text.slice(match.index, end)
      return
    }
    fillText(fields, field, found.value)
    left += ` ${found.rest}`
  })
  return left
}

/** `11,85` or `EUR 1.234,56` into `originalAmount`. @returns whether it was an amount */
function takeOriginalAmount(text: string, fields: SepaFields): boolean {
  const match = /^([A-Z]{3})? ?([\d.]{1,24}(?:,\d{0,9})?) ?([A-Z]{3})?$/.exec(text)
  const digits = match?.[2]
  if (digits === undefined) return false
  const amount = parseAmount(digits.replaceAll('.', '').replace(',', '.'))
  if (typeof amount === 'string') return false
  fields.originalAmount = amount
  const currency = match?.[1] ?? match?.[3]
  if (currency !== undefined) fields.originalCurrency = currency
  return true
}

/** The code at the start of the text of a keyword, and the text after it. */
function leadingCode(
  key: 'PURP' | 'IBAN' | 'BIC',
  text: string,
): { readonly code: string; readonly rest: string } | undefined {
  if (key === 'IBAN') {
    const found = leadingIban(text)
    return found && { code: found.iban, rest: found.rest }
  }
  if (key === 'BIC') {
    const found = leadingBic(text)
    return found && { code: found.bic, rest: found.rest }
  }
  const begin = text.trimStart()
  // The name of the code may follow: `PURP+RINP Dauerauftrag/Rate`.
  const code = /^[A-Z0-9]{4}\b/.exec(begin)?.[0]
  return code === undefined ? undefined : { code, rest: begin.slice(code.length) }
}

/** Sets an empty field. @returns whether the field has the value */
export function fillField(
  fields: SepaFields,
  field: 'iban' | 'accountNumber' | 'bic' | 'name' | 'type' | 'creditorId' | 'purposeCode',
  value: string,
): boolean {
  fields[field] ??= value
  return fields[field] === value
}

/**
 * Moves the value of a keyword into `fields`, or, with the keyword, into `extras` when it has no
 * field or the field already has another value. @returns the text after the value
 */
function takeIdentifier(segment: KeywordSegment, fields: SepaFields, extras: string[]): string {
  const { key } = segment
  if (key === 'SVWZ' || key === 'MTLG') return segment.text
  const isBounded = BOUNDED_KEYS.includes(key)
  const split = isBounded ? splitReference(segment.text, segment.starts) : undefined
  const { reference, rest } = split ?? { reference: segment.text, rest: '' }
  const clean = cleanReference(reference)
  if (clean === undefined) return rest
  if (key === 'OAMT' || key === 'COAM' || key === 'BREF' || key === 'RREF') {
    const isTaken = key === 'OAMT' && takeOriginalAmount(clean, fields)
    if (!isTaken) extras.push(`${key}+${clean}`)
    return rest
  }
  if (key === 'PURP' || key === 'IBAN' || key === 'BIC') {
    const found = leadingCode(key, reference)
    if (found === undefined) extras.push(`${key}+${clean}`)
    else if (!fillField(fields, FIELD_OF_KEY[key], found.code)) extras.push(`${key}+${found.code}`)
    return found?.rest ?? ''
  }
  const isCode = key === 'CRED' || key === 'DEBT'
  const value = isCode ? compactCode(clean) : clean
  const field = FIELD_OF_KEY[key]
  const isTooLong = isBounded && split === undefined
  const isOther = fields[field] !== undefined && fields[field] !== value
  if (isTooLong || isOther) extras.push(`${key}+${clean}`)
  else fields[field] = value
  return rest
}

/**
 * Splits a purpose by the German keywords, `EREF+…SVWZ+…` at the start of a part or run together,
 * and the `EREF: … MREF: … IBAN: …` that some banks append to the text. Text without a keyword is
 * part of the purpose, and so are bank and return references with their keywords.
 * @param parts the successive parts of the text as the bank cut it, not trimmed
 * @param fullLength characters of a full part, see {@link joinParts}
 * @see DFÜ-Abkommen, Anlage 3, 8.2.4
 */
export function readSepaKeywords(parts: readonly string[], fullLength: number): SepaFields {
  const { text, starts } = joinParts(parts, fullLength)
  const fields: SepaFields = {}
  // Every keyword ends in one of the two; most texts have none.
  if (!/[+:]/.test(text)) {
    fillText(fields, 'purpose', cleanText(text))
    return fields
  }
  const segments = segmentsOf(text, starts)
  const extras: string[] = []
  const free = segments
    .map((segment) => takeIdentifier(segment, fields, extras))
    .map((left) => cleanText(takeColonForms(left, fields)))
  const purpose = cleanText([...free, ...extras].filter((piece) => piece !== undefined).join(' '))
  if (purpose !== undefined) fields.purpose = purpose
  return fields
}

/**
 * Sets the empty fields of a transaction. Ultimate parties, which have no field of their own, are
 * appended to the purpose as `ABWA+name` and `ABWE+name`, and so are an IBAN and a BIC that differ
 * from the known ones. The original amount gets the sign of the transaction, and its currency if it
 * has none.
 */
export function fillFromKeywords(transaction: StatementTransaction, fields: SepaFields): void {
  const { counterpart } = transaction
  fillText(counterpart, 'iban', fields.iban)
  fillText(counterpart, 'accountNumber', fields.accountNumber)
  fillText(counterpart, 'bic', fields.bic)
  fillText(counterpart, 'name', fields.name)
  fillText(counterpart, 'mandateReference', fields.mandateReference)
  fillText(counterpart, 'creditorId', fields.creditorId)
  fillText(counterpart, 'customerReference', fields.customerReference)
  fillText(transaction, 'endToEndReference', fields.endToEndReference)
  fillText(transaction, 'sepaPurposeCode', fields.purposeCode)
  fillText(transaction, 'type', fields.type)
  if (fields.originalAmount !== undefined && transaction.originalAmount === undefined) {
    const isOutgoing = transaction.amount.unscaled < 0
    const { originalAmount } = fields
    transaction.originalAmount = isOutgoing ? negateAmount(originalAmount) : originalAmount
    transaction.originalCurrency = fields.originalCurrency ?? transaction.currency
  }
  const otherIban = fields.iban !== undefined && fields.iban !== counterpart.iban
  // Banks write the main office with or without `XXX`.
  const { bic } = fields
  const isKnownBic = bic === undefined || `${counterpart.bic}XXX`.startsWith(bic)
  const isNamed = (name: string | undefined): boolean =>
    name === undefined || name === counterpart.name
  const purpose = joinTexts([
    transaction.purpose,
    transaction.purpose === undefined ? fields.purpose : undefined,
    otherIban ? `IBAN+${fields.iban}` : undefined,
    isKnownBic ? undefined : `BIC+${bic}`,
    isNamed(fields.ultimateDebtor) ? undefined : `ABWA+${fields.ultimateDebtor}`,
    isNamed(fields.ultimateCreditor) ? undefined : `ABWE+${fields.ultimateCreditor}`,
  ])
  if (purpose !== undefined) transaction.purpose = purpose
}
