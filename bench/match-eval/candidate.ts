/**
 * The six texts of a transaction that a match reads (docs/contract/match.md, "Match rules", rule
 * 1).
 */
export interface MatchTexts {
  readonly purpose: string | null
  readonly endToEndReference: string | null
  readonly customerReference: string | null
  readonly mandateReference: string | null
  readonly primanota: string | null
  readonly paypalInvoiceNumber: string | null
}

/** A transaction of the window that is matched against. */
export interface Candidate {
  readonly texts: MatchTexts
}

/** A candidate without a text, to be filled in with a spread. */
export const NO_TEXTS: MatchTexts = {
  purpose: null,
  endToEndReference: null,
  customerReference: null,
  mandateReference: null,
  primanota: null,
  paypalInvoiceNumber: null,
}

/** The texts that are there, in the order of the contract. */
export function presentTexts({ texts }: Candidate): string[] {
  const all = [
    texts.purpose,
    texts.endToEndReference,
    texts.customerReference,
    texts.mandateReference,
    texts.primanota,
    texts.paypalInvoiceNumber,
  ]
  return all.filter((text) => text !== null && text !== '') as string[]
}

/** All texts of a candidate in one, for matchers without fields. */
export function wholeText(candidate: Candidate): string {
  return presentTexts(candidate).join(' | ')
}

/**
 * The digits of a text, each group without leading zeros: equal for two spellings of one number.
 * `RE-2024-0815` -> `2024815`
 */
export function digitKey(text: string): string {
  return digitGroups(text).join('')
}

/** A text without its dates, times and amounts, whose digits do not belong to a reference. */
export function withoutDatesAndAmounts(text: string): string {
  return text
    .replace(/\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}-\d\d-\d\d|\d{2}\/\d{2}\/\d{4}/g, ' ')
    .replace(/\d{1,2}[.:]\d{2} UHR|\d{1,2}:\d{2}(:\d{2})?/g, ' ')
    .replace(/(?<!\d)\d{1,3}(\.\d{3})*[,.]\d{2}(?!\d)/g, ' ')
}

/** The groups of digits in a text without leading zeros; `0` for zeros alone. */
function digitGroups(text: string): string[] {
  return (text.normalize('NFKC').match(/\d+/g) ?? []).map((group) => group.replace(/^0+(?=.)/, ''))
}

/**
 * The groups of a text, every two neighbours joined, and each with its end replaced by the shorter
 * group that follows it: the 46 of 03844/45/46.
 */
export function groupsAndPairs(text: string): string[] {
  const groups = digitGroups(text)
  const pairs = groups.slice(1).map((group, i) => `${groups[i]}${group}`)
  const members = groups.flatMap((group, i) =>
    groups
      .slice(i + 1)
      .filter((member) => member.length < group.length)
      .map((member) => group.slice(0, -member.length) + member),
  )
  return [...groups, ...pairs, ...members]
}

/** Two neighbouring numbers, and the digits before them: `2024-1603 bis 1607`. */
export interface NumberRange {
  /** Digits of the text before the first number. */
  readonly head: string
  /** Without leading zeros; the last one has as many digits. */
  readonly first: string
  readonly last: string
}

/** Numbers of a range are closer: further apart they are two numbers, or a number and a year. */
const RANGE_LENGTH_MAX = 1_000

/** Shorter numbers that follow one another are seldom invoices of a range: `1 von 3`. */
const RANGE_DIGITS_MIN = 4

/** The pairs of neighbouring numbers that may be a range, its end also written short (1603-07). */
export function numberRanges(text: string): NumberRange[] {
  const groups = digitGroups(text)
  return groups.flatMap((first, i) => {
    const end = groups[i + 1]
    if (end === undefined || end.length > first.length || first.length < RANGE_DIGITS_MIN) return []
    const last = first.slice(0, first.length - end.length) + end
    const length = Number(last) - Number(first)
    if (length < 2 || length > RANGE_LENGTH_MAX) return []
    return [{ head: groups.slice(0, i).join(''), first, last }]
  })
}

/** Whether the digits of a reference are a number within a range, after digits of its head. */
export function isInRange(digits: string, { head, first, last }: NumberRange): boolean {
  const own = digits.slice(-first.length)
  if (own.length < first.length || !head.endsWith(digits.slice(0, -first.length))) return false
  return Number(own) > Number(first) && Number(own) < Number(last)
}

const KEYWORDS = 'RECHNUNG|RG|RE|NR|INV(?:OICE)?|FACT(?:URE|UUR|URA)|FATTURA|\\bR|\\bF[AV]'
const AFTER_KEYWORD = new RegExp(`(?:${KEYWORDS})[^A-Z0-9]{0,3}0*(\\d{1,4})(?!\\d)`, 'gi')

/** The short numbers that follow a word for an invoice, without leading zeros. */
export function invoiceNumbers(text: string): string[] {
  return [...text.matchAll(AFTER_KEYWORD)].map(([, number = '']) => number)
}

/**
 * A reference's digits without the last one, two or three, as a field that is too short cuts them.
 */
export function cutForms(digits: string): string[] {
  return [1, 2, 3].map((cut) => digits.slice(0, -cut)).filter((form) => form.length >= 5)
}
