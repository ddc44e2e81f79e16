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
