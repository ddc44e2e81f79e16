import { countrySpecs, isValidBIC, isValidIBAN } from 'ibantools'

const IBAN_SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/

const COUNTRY_LETTERS = 2

/** Upper case, without white space: the form in which an IBAN or BIC is stored and compared. */
export function compactCode(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}

/** Whether the compact text has the shape of an IBAN; its check digits are not verified. */
export function looksLikeIban(compact: string): boolean {
  return IBAN_SHAPE.test(compact)
}

/**
 * Characters of an IBAN of the country that the compact text begins with; undefined for a country
 * without IBANs, and for two letters that are no country.
 */
export function ibanLengthOf(compact: string): number | undefined {
  return countrySpecs[compact.slice(0, COUNTRY_LETTERS)]?.chars ?? undefined
}

/** Whether country, length, structure and check digits (ISO 13616, mod 97) are right. */
export function isIban(compact: string): boolean {
  return isValidIBAN(compact)
}

/**
 * Whether the check digits of a compact text of the shape of an IBAN are right (ISO 13616, mod 97);
 * much faster than {@link isIban}, which also asks for the country's structure.
 */
export function hasRightCheckDigits(compact: string): boolean {
  // The country and the check digits count as the end.
  return remainderBy97(compact.slice(4) + compact.slice(0, 4)) === 1
}

/**
 * Remainder by 97 of a text of digits and upper-case letters, a letter read as 10 to 35 (ISO 7064).
 */
export function remainderBy97(text: string): number {
  let remainder = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const value = code < 58 ? code - 48 : code - 55
    remainder = (value < 10 ? remainder * 10 + value : remainder * 100 + value) % 97
  }
  return remainder
}

/** Whether the compact text is a BIC (ISO 9362). */
export function isBic(compact: string): boolean {
  return isValidBIC(compact)
}

/** The German bank code (positions 5 to 12) of a German IBAN, else undefined. */
export function blzOfIban(compact: string): string | undefined {
  return compact.startsWith('DE') && compact.length === 22 ? compact.slice(4, 12) : undefined
}

/**
 * The account number (positions 13 to 22) of a German IBAN without leading zeros, else undefined.
 */
export function accountNumberOfIban(compact: string): string | undefined {
  if (!compact.startsWith('DE') || compact.length !== 22) return undefined
  return compact.slice(12).replace(/^0+/, '')
}

/** A span of a text: [start, end). */
interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * The IBANs in a text, in order: in either case, also with blanks, points, hyphens, slashes,
 * underscores or line breaks between their characters, and also inside a longer run of letters and
 * digits. Their check digits are valid, which distinguishes them from invoice numbers; of one that
 * the end of the text cuts off, twelve digits are left.
 */
export function ibansIn(text: string): TextSpan[] {
  const found: TextSpan[] = []
  IBAN_HEAD.lastIndex = 0
  for (let head = IBAN_HEAD.exec(text); head !== null; head = IBAN_HEAD.exec(text)) {
    const start = head.index
    const end = ibanEnd(text, start)
    IBAN_HEAD.lastIndex = end === -1 ? start + 1 : end
    if (end !== -1) found.push({ start, end })
  }
  return found
}

/** Two letters and two digits, with or without separators. */
const IBAN_HEAD = /[A-Za-z][\s._/-]{0,2}[A-Za-z][\s._/-]{0,2}\d[\s._/-]{0,2}\d/g

const SEPARATOR = /[\s._/-]/

/** Separators between two characters of an IBAN: a line break is two. */
const SEPARATORS_MAX = 2

const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/** The end of the IBAN that begins at `start`; -1 when none does. */
function ibanEnd(text: string, start: number): number {
  let compact = ''
  let separatorCount = 0
  let length = COUNTRY_LETTERS
  for (let i = start; i < text.length; i++) {
    const character = text[i] ?? ''
    if (SEPARATOR.test(character)) {
      separatorCount += 1
      if (separatorCount > SEPARATORS_MAX) return -1
      continue
    }
    if (!LETTER_OR_DIGIT.test(character)) return -1
    separatorCount = 0
    compact += character.toUpperCase()
    if (compact.length < length) continue
    if (length > COUNTRY_LETTERS) return isValidIBAN(compact) ? i + 1 : -1
    length = countrySpecs[compact]?.chars ?? 0
    if (length === 0) return -1
  }
  const isPayable = countrySpecs[compact.slice(0, COUNTRY_LETTERS)]?.SEPA === true
  return isPayable && CUT_OFF.test(compact) ? text.length : -1
}

const CUT_OFF = /^[A-Z]{2}\d{12,}$/
