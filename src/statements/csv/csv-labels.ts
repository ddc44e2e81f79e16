import { compactCode, isBic, isIban } from '../../iban.js'
import { isMeantAsIban } from '../account-text.js'
import { readAbnText } from '../mt940/dutch-details.js'
import { readSlashKeywords } from '../mt940/slash-keywords.js'
import type { SepaFields } from '../sepa-keywords.js'
import { fillFromKeywords, looksLikeCreditorId, readSepaKeywords } from '../sepa-keywords.js'
import type { StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'

const BEGINS_WITH_KEYWORD = /^(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP)[+:]/
/** The tail `EREF: … MREF: … CRED: …` that the cooperative banks append to the purpose. */
const HAS_TAIL = /(?:^|\s)(?:EREF|KREF|MREF|CRED): \S/

/** Characters of a full remittance part; banks have already joined the parts in a CSV file. */
const REMITTANCE_CHARS_MAX = 140
/** References of the SEPA schemes have at most 35 characters, names at most 70. */
const REFERENCE_CHARS_MAX = 35
const NAME_CHARS_MAX = 70

/** Labels of comdirect before the purpose, one of them at the start. */
const PARTY_LABELS = ['auftraggeber', 'empfänger', 'kto/iban', 'blz/bic', 'buchungstext'] as const
/** Labels of Commerzbank and comdirect inside and after the purpose. */
const REFERENCE_LABELS = ['end-to-end-ref.', 'mandatsref', 'gläubiger-id'] as const

type Label = (typeof PARTY_LABELS)[number] | (typeof REFERENCE_LABELS)[number]

// A label may follow without a blank: `MEIERKto/IBAN: DE…`, `4711CORE / Mandatsref.:`.
const LABEL = new RegExp(
  '(?:(CORE|COR1|B2B) / )?(Auftraggeber|Empfänger|Kto/IBAN|BLZ/BIC|Buchungstext|' +
    String.raw`End-to-End-Ref\.|Mandatsref|Gl(?:ä|ae)ubiger-ID)\.?:`,
  'giu',
)

/** One label and the text up to the next one. */
interface LabelSegment {
  readonly label: Label
  /** As the bank wrote it, with its colon. */
  readonly written: string
  readonly text: string
  /** The kind of mandate before the label, `CORE`; it has no field of its own. */
  readonly scheme: string | undefined
  readonly isLast: boolean
}

/** Values of the labels of a text, trimmed and never empty. */
interface LabelledFields {
  readonly fields: SepaFields
  /** The counterpart's account if it is not an IBAN. */
  readonly accountNumber?: string
}

/**
 * Sets the purpose of a transaction, and its empty fields from keywords in the text
 * (`EREF+…SVWZ+…`, `EREF: …` behind the purpose, `/TRTP/…/NAME/…/REMI/…` and `SEPA Overboeking
 * IBAN: …` of ABN AMRO, and the labels of Commerzbank and comdirect). A value that differs from
 * that of its own column stays in the purpose with its keyword, so no text is lost.
 * @param hasLabels whether the bank writes labels such as `End-to-End-Ref.:` into the text
 */
export function fillFromPurpose(
  transaction: StatementTransaction,
  text: string,
  hasLabels: boolean,
): void {
  if (hasLabels) {
    const { fields, accountNumber } = readLabels(text, transaction.amount.unscaled < 0)
    fillText(transaction.counterpart, 'accountNumber', accountNumber)
    fillKeeping(transaction, fields)
  } else if (BEGINS_WITH_KEYWORD.test(text) || HAS_TAIL.test(text)) {
    fillKeeping(transaction, readSepaKeywords([text], REMITTANCE_CHARS_MAX))
  } else {
    const fields = readSlashKeywords(text) ?? readAbnText(text)
    if (fields === undefined) transaction.purpose = text
    else fillKeeping(transaction, fields)
  }
}

/**
 * Like {@link fillFromKeywords}, but appends values that differ from a known field to the purpose.
 */
function fillKeeping(transaction: StatementTransaction, fields: SepaFields): void {
  const { counterpart } = transaction
  const pairs = [
    ['EREF', transaction.endToEndReference, fields.endToEndReference],
    ['KREF', counterpart.customerReference, fields.customerReference],
    ['MREF', counterpart.mandateReference, fields.mandateReference],
    ['CRED', counterpart.creditorId, fields.creditorId],
    ['BIC', counterpart.bic, fields.bic],
    ['NAME', counterpart.name, fields.name],
    ['BBAN', counterpart.accountNumber, fields.accountNumber],
    ['TRTP', transaction.type, fields.type],
  ] as const
  const differing = pairs.flatMap(([keyword, known, found]) => {
    const isNews = known !== undefined && found !== undefined
    return isNews && compactCode(known) !== compactCode(found) ? [`${keyword}+${found}`] : []
  })
  fillFromKeywords(transaction, fields)
  const purpose = joinTexts([transaction.purpose, ...differing])
  if (purpose !== undefined) transaction.purpose = purpose
}

/**
 * Reads `Auftraggeber: … Buchungstext: … Ref. …` (comdirect) and `Name BIC IBAN text
 * End-to-End-Ref.: … Mandatsref: … Gläubiger-ID: … kind` (Commerzbank). Of orderer and receiver,
 * the one other than the account's owner is the counterpart. A value without the form of its label
 * stays in the purpose with the label, and so does the bank's own `Ref.`.
 * @param isOutgoing whether the account's owner is the orderer of a payment
 */
export function readLabels(text: string, isOutgoing: boolean): LabelledFields {
  const fields: SepaFields = {}
  const purpose: string[] = []
  const { lead, segments, bankReference } = segmentsOf(text)
  purpose.push(leadingParty(lead, fields))
  const orderer = segments.find(({ label }) => label === 'auftraggeber')
  const receiver = segments.find(({ label }) => label === 'empfänger')
  const party = isOutgoing ? (receiver ?? orderer) : (orderer ?? receiver)
  let accountNumber: string | undefined
  for (const segment of segments) {
    if (segment.scheme !== undefined) purpose.push(`${segment.scheme} /`)
    const clean = cleanText(segment.text)
    if (clean === undefined) continue
    if (segment === party && clean.length <= NAME_CHARS_MAX) fillText(fields, 'name', clean)
    else if (segment.label === 'kto/iban' && accountNumber === undefined) {
      const iban = compactCode(clean)
      if (isMeantAsIban(iban)) fillText(fields, 'iban', iban)
      else accountNumber = clean
    } else if (segment.label === 'blz/bic' && isBic(compactCode(clean))) {
      fillText(fields, 'bic', compactCode(clean))
    } else if (segment.label === 'buchungstext') purpose.push(clean)
    else purpose.push(takeReference(segment, clean, fields))
  }
  purpose.push(bankReference)
  const rest = cleanText(purpose.join(' '))
  if (rest !== undefined) fields.purpose = rest
  return accountNumber === undefined ? { fields } : { fields, accountNumber }
}

/** Moves the reference of a segment into its field. @returns the text after it */
function takeReference(
  { label, written, isLast }: LabelSegment,
  clean: string,
  fields: SepaFields,
): string {
  const none = /^(?:nicht angegeben|notprovided)(?:\s|$)/iu.exec(clean)
  if (none !== null) return clean.slice(none[0].length)
  const [word = '', ...words] = clean.split(' ')
  if (label === 'gläubiger-id') {
    if (!looksLikeCreditorId(word)) return `${written} ${clean}`
    fillText(fields, 'creditorId', word)
    return words.join(' ')
  }
  const field =
    label === 'end-to-end-ref.'
      ? 'endToEndReference'
      : label === 'mandatsref'
        ? 'mandateReference'
        : undefined
  // The kind of payment follows the last reference; a reference before a label may contain blanks.
  const value = isLast ? word : clean
  if (field === undefined || value.length > REFERENCE_CHARS_MAX) return `${written} ${clean}`
  fillText(fields, field, cleanReference(value))
  return isLast ? words.join(' ') : ''
}

/** Moves name, BIC and valid IBAN from the start of the text to their fields. @returns the rest */
function leadingParty(lead: string, fields: SepaFields): string {
  const words = lead.split(' ')
  const at = words.findIndex((word, i) => i > 0 && isBic(word) && isIban(words[i + 1] ?? ''))
  const name = words.slice(0, Math.max(at, 0)).join(' ')
  if (at < 0 || name.length > NAME_CHARS_MAX) return lead
  fillText(fields, 'name', cleanText(name))
  fillText(fields, 'bic', words[at])
  fillText(fields, 'iban', words[at + 1])
  return words.slice(at + 2).join(' ')
}

/**
 * Cuts a text at its labels. Each label counts once, and those of the parties only if the text
 * begins with one.
 */
function segmentsOf(text: string): {
  readonly lead: string
  readonly segments: readonly LabelSegment[]
  readonly bankReference: string
} {
  const bankReference = /Ref\. [0-9A-Z]+(?:\/\d+)?$/u.exec(text)?.[0] ?? ''
  const body = text.slice(0, text.length - bankReference.length)
  const known = new Set<Label>(REFERENCE_LABELS)
  const found: (Omit<LabelSegment, 'text' | 'isLast'> & { start: number; end: number })[] = []
  for (const match of body.matchAll(LABEL)) {
    const [whole, scheme, name = ''] = match
    const label = labelOf(name)
    const isParty = PARTY_LABELS.some((party) => party === label)
    if (match.index === 0 && isParty) for (const party of PARTY_LABELS) known.add(party)
    if (!known.delete(label)) continue
    const start = match.index
    const written = scheme === undefined ? whole : whole.slice(scheme.length + ' / '.length)
    found.push({ label, written, scheme, start, end: start + whole.length })
  }
  const segments = found.map(({ label, written, scheme, end }, i) => {
    const next = found[i + 1]
    const isLast = next === undefined
    return { label, written, scheme, text: body.slice(end, next?.start), isLast }
  })
  return { lead: body.slice(0, found[0]?.start), segments, bankReference }
}

function labelOf(written: string): Label {
  return written.toLowerCase().replace('ae', 'ä') as Label
}
