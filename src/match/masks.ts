import { MONTH_NAMES, monthOf } from './months.js'

/** A span of a plain text; `to` is exclusive. */
export interface UnitSpan {
  readonly from: number
  readonly to: number
}

/** A span that is no part of a reference; of a date with the name of a month, where that stands. */
export interface Mask extends UnitSpan {
  readonly name?: UnitSpan & { readonly month: string }
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
const YEAR = '(?:19|20)\\d\\d'
const HOUR = '(?:[01]?\\d|2[0-3])'
const SIXTY = '[0-5]\\d'
const CURRENCY =
  '(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RSD|MKD|UAH|TRY|ILS|JPY|CNY|HKD|SGD|' +
  'THB|INR|AUD|NZD|CAD|MXN|BRL|ZAR|KR|ZL)(?![A-Z])'
/** Words after which a number with decimals is an amount or a rate. */
const AMOUNT_WORD =
  '(?<=\\b(?:BETRAG|AMOUNT|AMT|TOTAL|SUMME|MONTANT|IMPORTE|IMPORTO|BEDRAG|SALDO|KWOTA|BELOP|' +
  'RATE|KURS|KOERS|TAUX|CAMBIO):? ?)'

/** No part of a reference precedes, or follows. */
const FREE_LEFT = '(?<!\\d|\\d[.,:]|[A-Z\\d][-/_])'
const FREE_RIGHT = '(?!\\d|[-/_][A-Z\\d]|[.,:]\\d)'
const CLOCK = `(?:T${HOUR}:${SIXTY}(?::${SIXTY}(?:\\.\\d+)?)?Z?)?`

const FORMS: readonly string[] = [
  // 21.05.11/12.54, the date and time of a card payment
  `${FREE_LEFT}${DAY}\\.${MONTH}\\.(?:${YEAR}|\\d\\d)/${HOUR}[.:]${SIXTY}${FREE_RIGHT}`,
  // 03/31/2024, 03/31/24, 31/03/24
  `${FREE_LEFT}${MONTH}/${DAY}/(?:${YEAR}|\\d\\d)${FREE_RIGHT}`,
  `${FREE_LEFT}${DAY}/${MONTH}/\\d\\d${FREE_RIGHT}`,
  // 3.5.2024, 03.05.24, 03/05/2024
  `${FREE_LEFT}${DAY}(?:\\.${MONTH}\\.(?:${YEAR}|\\d\\d)|/${MONTH}/${YEAR})${FREE_RIGHT}`,
  // 03-05-2024, 03-05-2024T14:11:05; 03-05-24 before a time of day
  `${FREE_LEFT}${DAY}-${MONTH}-${YEAR}${CLOCK}${FREE_RIGHT}`,
  `${FREE_LEFT}${DAY}-${MONTH}-\\d\\d(?= ${HOUR}:${SIXTY}(?!\\d))`,
  // 2024.05.03
  `${FREE_LEFT}${YEAR}\\.(?:0[1-9]|1[0-2])\\.(?:0[1-9]|[12]\\d|3[01])${FREE_RIGHT}`,
  // 03.05. without a year
  `${FREE_LEFT}(?:0[1-9]|[12]\\d|3[01])\\.(?:0[1-9]|1[0-2])\\.(?![A-Z\\d])`,
  // 2024-05-03, 2024-05-03T14:11:05
  `(?<![A-Z\\d]|[A-Z\\d][-/_.])${YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])` +
    `(?:T${HOUR}:${SIXTY}:${SIXTY}(?!\\d|[.,]\\d)|${CLOCK}${FREE_RIGHT})`,
  // 14:11, 14:11:05, 14.11 UHR
  `${FREE_LEFT}${HOUR}:${SIXTY}(?::${SIXTY})?${FREE_RIGHT}`,
  `${FREE_LEFT}${HOUR}[.:]${SIXTY}(?:[.:]${SIXTY})? ?UHR`,
  // 1.234,56 and 1 234,56
  `(?<!\\d|[A-Z\\d][-/_.,])(?:[1-9]\\d{0,2}(?:[. ]\\d{3})+|0|[1-9]\\d*),\\d\\d${FREE_RIGHT}`,
  // 1'234.56, whose apostrophe may be a typographic one
  `${FREE_LEFT}[1-9]\\d{0,2}(?:[';]\\d{3})+[.,]\\d\\d${FREE_RIGHT}`,
  // 1234.56 EUR, EUR 1,234.56
  `${FREE_LEFT}(?:[1-9]\\d{0,2}(?:[, ]\\d{3})+|\\d+)\\.\\d\\d(?= ?${CURRENCY})`,
  `(?<=\\b${CURRENCY} ?)(?:[1-9]\\d{0,2}(?:[, ]\\d{3})+|\\d+)\\.\\d\\d${FREE_RIGHT}`,
  // 1 USD = 0.88241 EUR
  `${FREE_LEFT}\\d{1,4}[.,]\\d{4,15}(?= ?${CURRENCY})`,
  // $45.33, 45.33 €
  `(?<=[$€£] ?)(?:[1-9]\\d{0,2}(?:[, ]\\d{3})+|\\d+)\\.\\d\\d${FREE_RIGHT}`,
  `${FREE_LEFT}(?:[1-9]\\d{0,2}(?:[, ]\\d{3})+|\\d+)\\.\\d\\d(?= ?[$€£])`,
  // Betrag 1234.56, Kurs 1.162224
  `${AMOUNT_WORD}\\d{1,9}[.,]\\d{2,8}${FREE_RIGHT}`,
]

const FORM = new RegExp(FORMS.join('|'), 'iy')
const MAYBE_FORM = /(?<!\d)\d{1,15}[.,:/';-]\d/g
/** 17 October 2013, 3. Mai 2024, mrt 2010 */
const NAMED_DATE = new RegExp(
  `(?:${FREE_LEFT}${DAY}\\.?[ -]?|(?<![A-Z\\d]))` +
    `(?<name>${MONTH_NAMES})(?![A-Z])\\.?[ -]?${YEAR}${FREE_RIGHT}`,
  'dgi',
)
const MAYBE_NAMED_DATE = /[A-Z]{3}\.?[ -]?(?:19|20)\d\d/i
const PHONE_WORDS = '(?:TEL(?:EFON|EPHONE|EFOON)?|PHONE|(?:TELE)?FAX|MOBILE?|HANDY|TLF)'
const PHONE_BEGINS: readonly string[] = [
  `(?<![A-Z])${PHONE_WORDS}(?:NR|NO)?[.:]{0,2} ?\\+?[\\d(]`,
  // the code of a country
  '(?<![A-Z\\d+])\\+\\d{1,3}[ (/-]{1,2}\\d',
  // a free call
  '(?<![A-Z\\d]|[A-Z\\d][-/. ])0[89]00[ /-]\\d',
  '(?<![A-Z\\d]|[A-Z\\d][-/.])0[89]00(?=\\d{6,8}(?!\\d))',
]
/** 650-3198939, US: of North America, after the name of a card's merchant and before its country */
const MERCHANT_PHONE =
  '(?<![A-Z\\d]|[A-Z\\d][-/.])1?\\d{3}-?\\d{3}-?\\d{4}(?=, [A-Z]{2}(?![A-Z\\d]))'
const PHONE = new RegExp(
  `(?:${PHONE_BEGINS.join('|')})[\\d ()/.-]{3,20}\\d|${MERCHANT_PHONE}`,
  'gi',
)
const STREETS = 'ALLEE|STR|STRASSE|WEG|PLATZ|GASSE|RING|DAMM|UFER|LAAN|STRAAT|GATAN|VEJ'
/** Allee 140 53113 Bonn; BLVD FOSTER CITY CA 94404 */
const POSTCODE = new RegExp(
  `(?<=(?:${STREETS})\\.? \\d{1,4} ?[A-Z]?,? )\\d{4,5}(?= [A-Z]{3})|` +
    '(?<= (?:AVE(?:NUE)?|BLVD|DRIVE|LANE|ROAD|STREET),? [A-Z ]{3,30},? [A-Z]{2} )' +
    '\\d{5}(?![A-Z\\d])',
  'gi',
)
const MAYBE_POSTCODE = /\d[A-Z]?,? \d{4,5} [A-Z]{3}|[A-Z] [A-Z]{2} \d{5}(?!\d)/i
const MAYBE_PHONE = /TEL|PHONE|FAX|MOBIL|HANDY|TLF|\+\d|0[89]00[ /\d-]|\d{4}, [A-Z]{2}/i
/** Countries that have IBANs (ISO 13616 registry). */
const IBAN_COUNTRIES =
  'AD|AE|AL|AT|AZ|BA|BE|BG|BH|BR|BY|CH|CR|CY|CZ|DE|DK|DO|EE|EG|ES|FI|FO|FR|GB|GE|GI|GL|GR|GT|HR|' +
  'HU|IE|IL|IQ|IS|IT|JO|KW|KZ|LB|LC|LI|LT|LU|LV|LY|MC|MD|ME|MK|MR|MT|MU|NL|NO|PK|PL|PS|PT|QA|RO|' +
  'RS|SA|SC|SE|SI|SK|SM|ST|SV|TL|TN|TR|UA|VA|VG|XK'
const IBAN = new RegExp(
  `(?<![A-Z\\d])(?:${IBAN_COUNTRIES})\\d\\d(?: ?[A-Z\\d]{4}){3,7}(?: ?[A-Z\\d]{1,3})?(?![A-Z\\d])`,
  'gi',
)
/** Before an IBAN whose check digits need not be correct. */
const NAMED_IBAN = /(?<![A-Z])IBAN[ :.+]{1,3}$/i
const MAYBE_IBAN = /[A-Z]{2}\d\d ?[A-Z\d]{4}/i

/**
 * The spans of a plain text that are a date, a time of day, an amount, a rate, an IBAN or a number
 * of a telephone, in order and disjoint: their digits are no part of a reference.
 */
export function masksOf(text: string): Mask[] {
  const masks: Mask[] = []
  if (MAYBE_IBAN.test(text)) {
    for (const { 0: found, index } of text.matchAll(IBAN)) {
      if (isIban(found) || NAMED_IBAN.test(text.slice(0, index))) {
        masks.push({ from: index, to: index + found.length })
      }
    }
  }
  if (MAYBE_PHONE.test(text)) addMatches(text, PHONE, masks)
  if (MAYBE_NAMED_DATE.test(text)) addNamedDates(text, masks)
  if (MAYBE_POSTCODE.test(text)) addMatches(text, POSTCODE, masks)
  MAYBE_FORM.lastIndex = 0
  while (MAYBE_FORM.test(text)) {
    let from = MAYBE_FORM.lastIndex - 2
    while (from > 0 && isDigitAt(text, from - 1)) from -= 1
    from = formFrom(text, from)
    const isForm = from >= 0
    const to = FORM.lastIndex
    MAYBE_FORM.lastIndex = isForm ? to : MAYBE_FORM.lastIndex - 1
    if (isForm) addMask(masks, { from, to })
  }
  return masks.length > 1 ? masks.sort((a, b) => a.from - b.from) : masks
}

/** 07/19 or 12.2016 beside a number */
const PERIOD = /(?<![^ ])(?:0?[1-9]|1[0-2])[/.-](?:(?:19|20)\d\d|\d\d)(?![^ ])/g
/** 03-05-24, which is a date in a text only before a time of day */
const SHORT_DATE = new RegExp(`(?<![^ ])${DAY}-${MONTH}-\\d\\d(?![^ ])`, 'g')
const LONG_NUMBER = /\d{5}/

/** The spans of a query: those of a text, short dates, and periods beside a longer number. */
export function masksOfQuery(text: string): Mask[] {
  const masks = masksOf(text)
  addMatches(text, SHORT_DATE, masks)
  masks.sort((a, b) => a.from - b.from)
  let left = ''
  let at = 0
  for (const { from, to } of masks) {
    left += text.slice(at, from)
    at = to
  }
  if (LONG_NUMBER.test(left + text.slice(at))) addMatches(text, PERIOD, masks)
  return masks.sort((a, b) => a.from - b.from)
}

function addMatches(text: string, form: RegExp, masks: Mask[]): void {
  for (const { 0: found, index } of text.matchAll(form)) {
    addMask(masks, { from: index, to: index + found.length })
  }
}

function addNamedDates(text: string, masks: Mask[]): void {
  for (const { 0: found, index, indices, groups } of text.matchAll(NAMED_DATE)) {
    const [from, to] = indices?.groups?.['name'] ?? [index, index]
    const month = monthOf((groups?.['name'] ?? '').toUpperCase())
    const mask = { from: index, to: index + found.length }
    addMask(masks, month === undefined ? mask : { ...mask, name: { from, to, month } })
  }
}

/** Adds a span that overlaps no other. */
function addMask(masks: Mask[], added: Mask): void {
  if (!masks.some((mask) => added.from < mask.to && mask.from < added.to)) masks.push(added)
}

/** Start of a form whose digits stand at a place, with thousands before a blank; -1 = none. */
function formFrom(text: string, from: number): number {
  let wide = from
  while (wide > 1 && text[wide - 1] === ' ' && isDigitAt(text, wide - 2)) {
    let first = wide - 1
    while (first > 0 && isDigitAt(text, first - 1)) first -= 1
    const isThousands = wide - 1 - first <= THOUSANDS_LENGTH
    if (!isThousands || text.slice(first, wide - 1).startsWith('0')) break
    wide = first
    if (wide < from && isFormAt(text, wide)) return wide
  }
  return isFormAt(text, from) ? from : -1
}

const THOUSANDS_LENGTH = 3

function isFormAt(text: string, from: number): boolean {
  FORM.lastIndex = from
  return FORM.test(text)
}

function isDigitAt(text: string, i: number): boolean {
  const unit = text.charCodeAt(i)
  return unit >= 48 && unit <= 57
}

/** Whether the check digits of ISO 13616 are correct. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '').toUpperCase()
  let remainder = 0
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
  }
  return remainder === 1
}
