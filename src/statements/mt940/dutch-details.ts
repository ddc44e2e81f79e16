// Field 86 as some Dutch banks write it: ABN AMRO in two columns with labels, ASN and SNS below a
// line with the counterpart, Knab above one, Triodos with its account in the first sub-fields, ING
// until 2014 in a fixed order without labels.
import { compactCode, isBic, looksLikeIban } from '../../iban.js'
import { isMeantAsIban, isSurelyIban } from '../account-text.js'
import { joinParts, looksLikeCreditorId, type SepaFields } from '../sepa-keywords.js'
import type { StatementCounterpart, StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { withBlanks } from './mt940-wrap.js'

/** Characters of a column of ABN AMRO; one blank separates the two of a line. */
const COLUMN_LENGTH = 32

const LABEL =
  /^(IBAN|BIC|NAAM|OMSCHRIJVING|KENMERK|MACHTIGING|INCASSANT|VOOR|BETALINGSKENM\.|ID DEBITEUR): ?/

/** The columns of a line, without the blanks that fill it. */
function columnsOf(line: string): string[] {
  const isSplit = line.length > COLUMN_LENGTH && line[COLUMN_LENGTH] === ' '
  if (!isSplit) return [line.trimEnd()]
  const columns = [line.slice(0, COLUMN_LENGTH), line.slice(COLUMN_LENGTH + 1)]
  return columns.map((column) => column.trimEnd()).filter((column) => column !== '')
}

/** @returns text without a field, with its label */
function takeLabelled(label: string, text: string, fields: SepaFields): string | undefined {
  if (label === 'OMSCHRIJVING') return text
  const code = compactCode(text)
  if (label === 'IBAN' && isMeantAsIban(code)) fillText(fields, 'iban', code)
  else if (label === 'BIC' && isBic(code)) fillText(fields, 'bic', code)
  else if (label === 'NAAM') fillText(fields, 'name', cleanReference(text))
  else if (label === 'KENMERK') fillText(fields, 'endToEndReference', cleanReference(text))
  else if (label === 'MACHTIGING') fillText(fields, 'mandateReference', cleanReference(text))
  else if (label === 'INCASSANT') fillText(fields, 'creditorId', cleanReference(code))
  else return `${label}: ${text}`
  return undefined
}

/**
 * Reads ABN AMRO's `SEPA OVERBOEKING   IBAN: …`, `BIC: …   NAAM: …`: columns of 32 characters, each
 * with a label or the continuation of the column before. Text without a field is the purpose.
 * @param lines the physical lines
 * @returns undefined for text of another form
 */
export function readAbnColumns(lines: readonly string[]): SepaFields | undefined {
  if (lines[0]?.startsWith('SEPA ') !== true) return undefined
  const columns = lines.flatMap((line) => columnsOf(withBlanks(line)))
  if (!columns.slice(1, 3).some((column) => LABEL.test(column))) return undefined
  const segments: { readonly label: string | undefined; readonly columns: string[] }[] = []
  for (const column of columns) {
    const label = LABEL.exec(column)?.[1]
    const previous = segments.at(-1)
    if (label === undefined && previous !== undefined) previous.columns.push(column)
    else segments.push({ label, columns: [column] })
  }
  const fields: SepaFields = {}
  const purpose: (string | undefined)[] = []
  for (const { label, columns: parts } of segments) {
    const text = cleanText(joinParts(parts, COLUMN_LENGTH).text.replace(LABEL, ''))
    if (text === undefined) continue
    if (label === undefined) fillText(fields, 'type', text)
    else purpose.push(takeLabelled(label, text, fields))
  }
  const whole = joinTexts(purpose)
  if (whole !== undefined) fields.purpose = whole
  return fields
}

/** A label of ABN AMRO in a text whose columns follow each other, with the blanks before it. */
const INNER_LABEL =
  / {2}(IBAN|BIC|Naam|Omschrijving|Kenmerk|Machtiging|Incassant|Voor|Betalingskenm\.): ?/giu

/**
 * Reads the same columns as one text, `SEPA Overboeking   IBAN: …   BIC: …   Naam: …`, as the TAB
 * files of ABN AMRO have it.
 * @returns undefined for text of another form
 */
export function readAbnText(text: string): SepaFields | undefined {
  if (!text.startsWith('SEPA ')) return undefined
  const labels = [...text.matchAll(INNER_LABEL)]
  const [first] = labels
  if (first === undefined) return undefined
  const fields: SepaFields = {}
  fillText(fields, 'type', cleanText(text.slice(0, first.index)))
  const purpose = labels.map((match, i) => {
    const label = match[1] ?? ''
    const value = cleanText(text.slice(match.index + match[0].length, labels[i + 1]?.index))
    return value === undefined ? undefined : takeLabelled(label.toUpperCase(), value, fields)
  })
  const whole = joinTexts(purpose)
  if (whole !== undefined) fields.purpose = whole
  return fields
}

/**
 * Takes the counterpart from a last line `REK: account/NAAM: name` or `NAAM: name`, as Knab writes
 * it below the text. @returns the lines without it
 */
export function withoutKnabLine(
  counterpart: StatementCounterpart,
  lines: readonly string[],
): readonly string[] {
  const at = lines.findLastIndex((line) => line.trim() !== '')
  const last = /^(?:REK: ?([A-Z0-9]{5,34})\/)?NAAM: ?(.{1,70})$/.exec(lines[at]?.trim() ?? '')
  const name = cleanReference(withBlanks(last?.[2] ?? ''))
  if (last === null || name === undefined) return lines
  const account = last[1] ?? ''
  if (isMeantAsIban(account)) fillText(counterpart, 'iban', account)
  else fillText(counterpart, 'accountNumber', cleanText(account))
  fillText(counterpart, 'name', name)
  return lines.slice(0, at)
}

/**
 * The lines below the first one, in which ASN and SNS repeat the counterpart's account and name
 * from field 61, before a blank line; undefined for other texts.
 */
export function linesBelowAccount(
  lines: readonly string[],
  references: {
    readonly customerReference?: string | undefined
    readonly text?: string | undefined
  },
): readonly string[] | undefined {
  const { customerReference: account, text: name } = references
  if (account === undefined || name === undefined || !/\d{5}/.test(account)) return undefined
  const isRepeated = cleanText(withBlanks(lines[0] ?? '')) === `${account} ${name}`
  if (!isRepeated || (lines[1] ?? '').trim() !== '') return undefined
  const begin = lines.findIndex((line, i) => i > 0 && line.trim() !== '')
  return begin === -1 ? [] : lines.slice(begin)
}

/**
 * Reads the counterpart's account from the sub-fields of Triodos Bank: a number in 10, or zeros
 * there, a BIC in 20 and an IBAN in 21.
 * @param parts the sub-fields of the purpose
 * @returns the sub-fields without the account
 */
export function takeTriodosParts(
  counterpart: StatementCounterpart,
  account: string | undefined,
  parts: readonly string[],
): string[] {
  if (account !== undefined && !/^0*$/.test(account)) {
    fillText(counterpart, 'accountNumber', account)
    return [...parts]
  }
  const [bic, iban] = [compactCode(parts[0] ?? ''), compactCode(parts[1] ?? '')]
  if (!looksLikeIban(iban) || !/^[A-Z]{6}[A-Z0-9]{2,5}$/.test(bic)) return [...parts]
  if (isMeantAsIban(iban)) fillText(counterpart, 'iban', iban)
  else fillText(counterpart, 'accountNumber', iban)
  if (!isBic(bic)) return [parts[0] ?? '', ...parts.slice(2)]
  fillText(counterpart, 'bic', bic)
  return parts.slice(2)
}

/** An old account number, the kind of a direct debit, IBAN and BIC, and the text after them. */
const ING_OPENING = new RegExp(
  '^(?:(\\d{10}) )?(Europese Incasso,? [a-z]{1,20} )?' +
    '([A-Z]{2}\\d{2}[A-Z0-9]{11,30}) ([A-Z0-9]{8,11})(?: (.*))?$',
)

/** A name, and the text after the place of a reference. */
const ING_NAME = /^(.{1,70}?) NOTPROVIDED(?: (.*))?$/

/** A name, a creditor identifier, a mandate with a digit, and the text after them. */
const ING_DEBIT =
  /^(.{1,70}?) ([A-Z]{2}\d{2}[A-Z0-9]{9,31})(?: ((?=[^\s\d]{0,34}\d)\S{1,35}))?(?: (.*))?$/

/**
 * Takes the counterpart from `IBAN BIC name NOTPROVIDED text` and `Europese Incasso, doorlopend
 * IBAN BIC name creditor mandate text`, the order of ING until 2014. A reference in place of
 * `NOTPROVIDED` looks like a part of the name or of the text, so all three stay text.
 * @param text on one line
 * @returns the text without the counterpart
 */
export function withoutIngCounterpart(transaction: StatementTransaction, text: string): string {
  const { counterpart } = transaction
  const [, number = '', kind, iban = '', bic = '', rest = ''] = ING_OPENING.exec(text) ?? []
  const isTogether = isSurelyIban(iban) && isBic(bic) && bic.slice(4, 6) === iban.slice(0, 2)
  if (!isTogether || Object.keys(counterpart).length > 0) return text
  counterpart.iban = iban
  counterpart.bic = bic
  fillText(transaction, 'type', cleanText(kind))
  const debit = kind === undefined ? null : ING_DEBIT.exec(rest)
  const creditorId = debit?.[2] ?? ''
  const isDebit = looksLikeCreditorId(creditorId)
  if (isDebit) fillText(counterpart, 'creditorId', creditorId)
  if (isDebit) fillText(counterpart, 'mandateReference', debit?.[3])
  const named = isDebit ? [debit?.[1], debit?.[4]] : ING_NAME.exec(rest)?.slice(1)
  fillText(counterpart, 'name', cleanText(named?.[0]))
  const left = named === undefined ? rest : (named[1] ?? '')
  // An old account number is the end of the IBAN.
  return iban.endsWith(number) ? left : `${number} ${left}`
}
