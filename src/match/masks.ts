/** A span of a plain text; `to` is exclusive. */
export interface UnitSpan {
  readonly from: number
  readonly to: number
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
const YEAR = '(?:19|20)\\d\\d'
const HOUR = '(?:[01]?\\d|2[0-3])'
const SIXTY = '[0-5]\\d'
const CURRENCY = '(?:EUR|USD|GBP|CHF)'

/** No part of a reference precedes, or follows. */
const FREE_LEFT = '(?<!\\d|\\d[.,:]|[A-Z\\d][-/_])'
const FREE_RIGHT = '(?!\\d|[-/_][A-Z\\d]|[.,:]\\d)'

const FORMS: readonly string[] = [
  // 3.5.2024, 03.05.24, 03/05/2024
  `${FREE_LEFT}${DAY}(?:\\.${MONTH}\\.(?:${YEAR}|\\d\\d)|/${MONTH}/${YEAR})${FREE_RIGHT}`,
  // 03.05. without a year
  `${FREE_LEFT}(?:0[1-9]|[12]\\d|3[01])\\.(?:0[1-9]|1[0-2])\\.(?![A-Z\\d])`,
  // 2024-05-03, 2024-05-03T14:11:05
  `(?<![A-Z\\d]|[A-Z\\d][-/_.])${YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])` +
    `(?:T${HOUR}:${SIXTY}(?::${SIXTY}(?:\\.\\d+)?)?Z?)?${FREE_RIGHT}`,
  // 14:11, 14:11:05, 14.11 UHR
  `${FREE_LEFT}${HOUR}:${SIXTY}(?::${SIXTY})?${FREE_RIGHT}`,
  `${FREE_LEFT}${HOUR}[.:]${SIXTY}(?:[.:]${SIXTY})? ?UHR`,
  // 1.234,56
  `(?<!\\d|[A-Z\\d][-/_.,])(?:[1-9]\\d{0,2}(?:\\.\\d{3})+|0|[1-9]\\d*),\\d\\d${FREE_RIGHT}`,
  // 1234.56 EUR, EUR 1,234.56
  `${FREE_LEFT}(?:[1-9]\\d{0,2}(?:,\\d{3})+|\\d+)\\.\\d\\d(?= ?${CURRENCY})`,
  `(?<=${CURRENCY} ?)(?:[1-9]\\d{0,2}(?:,\\d{3})+|\\d+)\\.\\d\\d${FREE_RIGHT}`,
]

const FORM = new RegExp(FORMS.join('|'), 'iy')
const MAYBE_FORM = /(?<!\d)\d{1,15}[.,:/-]\d/g
/** Countries that have IBANs (ISO 13616 registry). */
const IBAN_COUNTRIES =
  'AD|AE|AL|AT|AZ|BA|BE|BG|BH|BR|BY|CH|CR|CY|CZ|DE|DK|DO|EE|EG|ES|FI|FO|FR|GB|GE|GI|GL|GR|GT|HR|' +
  'HU|IE|IL|IQ|IS|IT|JO|KW|KZ|LB|LC|LI|LT|LU|LV|LY|MC|MD|ME|MK|MR|MT|MU|NL|NO|PK|PL|PS|PT|QA|RO|' +
  'RS|SA|SC|SE|SI|SK|SM|ST|SV|TL|TN|TR|UA|VA|VG|XK'
const IBAN = new RegExp(
  `(?<![A-Z\\d])(?:${IBAN_COUNTRIES})\\d\\d(?: ?[A-Z\\d]{4}){3,7}(?: ?[A-Z\\d]{1,3})?(?![A-Z\\d])`,
  'gi',
)
const MAYBE_IBAN = /[A-Z]{2}\d\d ?[A-Z\d]{4}/i

/**
 * The spans of a plain text that are a date, a time of day, an amount or an IBAN, in order and
 * disjoint: their digits are no part of a reference.
 */
export function masksOf(text: string): UnitSpan[] {
  const masks: UnitSpan[] = []
  if (MAYBE_IBAN.test(text)) {
    for (const { 0: found, index } of text.matchAll(IBAN)) {
      if (isIban(found)) masks.push({ from: index, to: index + found.length })
    }
  }
  MAYBE_FORM.lastIndex = 0
  while (MAYBE_FORM.test(text)) {
    let from = MAYBE_FORM.lastIndex - 2
    while (from > 0 && isDigitAt(text, from - 1)) from -= 1
    FORM.lastIndex = from
    const isForm = FORM.test(text)
    const to = FORM.lastIndex
    MAYBE_FORM.lastIndex = isForm ? to : MAYBE_FORM.lastIndex - 1
    if (isForm && !masks.some((mask) => from < mask.to && mask.from < to)) masks.push({ from, to })
  }
  return masks.length > 1 ? masks.sort((a, b) => a.from - b.from) : masks
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
