import { compactCode, isBic } from '../../iban.js'
import { isMeantAsIban } from '../account-text.js'
import { fillFromKeywords, joinParts, readSepaKeywords } from '../sepa-keywords.js'
import type { StatementTransaction } from '../statement.js'
import { keepTexts } from '../stored-text.js'
import { cleanText, fillText, joinTexts } from '../text-field.js'
import {
  linesBelowAccount,
  readAbnColumns,
  takeTriodosParts,
  withoutIngCounterpart,
  withoutKnabLine,
} from './dutch-details.js'
import { LINE_LENGTH, LOST_BLANK, withBlanks } from './mt940-wrap.js'
import { joinSlashLines, readSlashKeywords } from './slash-keywords.js'
import { nameOfGvc } from './transaction-types.js'

/** Characters of a full sub-field of field 86. */
const SUB_FIELD_LENGTH = 27

/** The number of a sub-field for text outside sub-fields. */
const UNCLAIMED = 39

/**
 * German details: transaction code, separator, first sub-field number. Polish banks use `<` and
 * `^`; the `>` of Triodos Bank also occurs in free text, and always follows a code.
 */
const SUB_FIELDS = /^\s?(?:(\d{3})?([?<^~])|(\d{3})(>))(?=\d\d)/
/** Unstructured German details: code 999, primanota, text. */
const PLAIN_GERMAN = /^(\d{3})PN(\d{4})(.*)$/s

interface SubField {
  readonly number: number
  text: string
}

/** Whether a sub-field has this number: 00 to 39 but for the gap after 10, 60 to 65, 70 to 79. */
function isSubField(number: number): boolean {
  return (
    number === 0 ||
    number === 10 ||
    (number >= 20 && number <= 39) ||
    (number >= 60 && number <= 65) ||
    (number >= 70 && number <= 79)
  )
}

/** Whether a sub-field is free text, in which a separator and two digits may occur. */
function isTextField(number: number): boolean {
  return (number >= 20 && number <= 29) || number === 32 || number === 33 || number >= 60
}

/** Removes restored blanks from a sub-field that is full without them. */
function withoutExcessBlanks(text: string): string {
  if (text.length <= SUB_FIELD_LENGTH) return withBlanks(text)
  return text.replaceAll(LOST_BLANK, '')
}

/** Splits `?00…?20…` at its separators; a separator without a sub-field number is text. */
function subFieldsOf(text: string, separator: string): SubField[] {
  const escaped = separator === '^' ? '\\^' : separator === '?' ? '\\?' : separator
  const [, ...pieces] = text.split(new RegExp(`${escaped}(?=\\d\\d)`))
  const fields: SubField[] = []
  for (const piece of pieces) {
    const number = Number(piece.slice(0, 2))
    const previous = fields.at(-1)
    if (isSubField(number)) fields.push({ number, text: piece.slice(2) })
    else if (previous !== undefined && isTextField(previous.number)) {
      previous.text += `${separator}${piece}`
    } else {
      fields.push({ number: UNCLAIMED, text: `${separator}${piece}` })
    }
  }
  if (text.includes(LOST_BLANK)) {
    for (const field of fields) field.text = withoutExcessBlanks(field.text)
  }
  return fields
}

function applySubFields(
  transaction: StatementTransaction,
  gvc: string,
  fields: readonly SubField[],
  isTriodos: boolean,
): void {
  const { counterpart } = transaction
  const between = (first: number, last: number): string[] =>
    fields.filter(({ number }) => number >= first && number <= last).map(({ text }) => text)
  const textOf = (first: number, last = first): string | undefined =>
    cleanText(joinParts(between(first, last), SUB_FIELD_LENGTH).text)

  fillText(transaction, 'type', textOf(0))
  fillText(transaction, 'type', nameOfGvc(gvc))
  let purpose = [...between(20, 29), ...between(60, 65)]
  // Triodos Bank has the counterpart's account in the sub-field of the primanota, and the own
  // account in that of the counterpart.
  if (isTriodos) {
    purpose = takeTriodosParts(counterpart, textOf(10), purpose)
    fillFromKeywords(transaction, readSepaKeywords(purpose, SUB_FIELD_LENGTH))
    return
  }
  fillText(transaction, 'primanota', textOf(10))
  const bank = compactCode(textOf(30) ?? '')
  // A counterpart has no field for a national bank code.
  if (isBic(bank)) fillText(counterpart, 'bic', bank)
  for (const account of [compactCode(textOf(38) ?? ''), compactCode(textOf(31) ?? '')]) {
    if (isMeantAsIban(account)) fillText(counterpart, 'iban', account)
  }
  const account = textOf(31)
  if (account !== undefined && !isMeantAsIban(compactCode(account))) {
    fillText(counterpart, 'accountNumber', account)
  }
  fillText(counterpart, 'name', textOf(32, 33))
  fillFromKeywords(transaction, readSepaKeywords(purpose, SUB_FIELD_LENGTH))
  // 70 and 71 are the name of a second party; banks use the others freely.
  const others = [textOf(35), textOf(36), textOf(37), textOf(39), textOf(70, 79)]
  const whole = joinTexts([transaction.purpose, ...others])
  if (whole !== undefined) transaction.purpose = whole
  // A bank code or an account that its field does not accept is text.
  keepTexts(
    transaction,
    [textOf(30), textOf(31), textOf(38)].map((text) => ({ text })),
  )
}

/**
 * Lines of free text: a full line continues in the next one, a shorter one ends with a line break.
 */
function joinLines(lines: readonly string[]): string {
  return withBlanks(joinParts(lines, LINE_LENGTH).text)
}

/** The parts of field 61 that field 86 may repeat. */
export interface EntryReferences {
  readonly customerReference?: string | undefined
  /** The supplementary details. */
  readonly text?: string | undefined
}

/** Further results of reading the details of an entry. */
export interface AppliedDetails {
  /** A sentence about an irregularity; absent = none. */
  readonly warning?: string
  /** Whether the references of field 61 are the counterpart's account and name. */
  readonly hasAccountInReference: boolean
}

/**
 * Reads field 86 into the transaction, in any of its forms: German sub-fields, Dutch slash
 * keywords and columns, else free text.
 * @param lines the physical lines without the tag, with {@link LOST_BLANK} for restored blanks
 */
export function applyDetails(
  transaction: StatementTransaction,
  lines: readonly string[],
  references: EntryReferences,
): AppliedDetails {
  const below = linesBelowAccount(lines, references)
  if (below === undefined)
    return { ...applyLines(transaction, lines), hasAccountInReference: false }
  const account = compactCode(references.customerReference ?? '')
  const field = isMeantAsIban(account) ? 'iban' : 'accountNumber'
  fillText(transaction.counterpart, field, account)
  fillText(transaction.counterpart, 'name', references.text)
  return { ...applyLines(transaction, below), hasAccountInReference: true }
}

function applyLines(
  transaction: StatementTransaction,
  lines: readonly string[],
): { readonly warning?: string } {
  // A line wrap is not a character: banks wrap at 65 regardless of the content, even inside `?20`.
  const joined = lines.join('')
  const opening = SUB_FIELDS.exec(joined)
  const separator = opening?.[2] ?? opening?.[4]
  if (separator !== undefined) {
    const isTriodos = separator === '>'
    const gvc = opening?.[1] ?? opening?.[3] ?? ''
    applySubFields(transaction, gvc, subFieldsOf(joined, separator), isTriodos)
    // It may be a question mark of the text, so it is kept.
    const isCut = joined.trimEnd().endsWith(separator)
    return isCut ? { warning: `the details end in a "${separator}" without a sub-field` } : {}
  }
  const text = joinLines(lines)
  const plain = PLAIN_GERMAN.exec(text)
  if (plain !== null) {
    fillText(transaction, 'type', nameOfGvc(plain[1] ?? ''))
    fillText(transaction, 'primanota', plain[2])
    fillText(transaction, 'purpose', cleanText(plain[3]))
    return {}
  }
  const structured = readSlashKeywords(joinSlashLines(lines)) ?? readAbnColumns(lines)
  if (structured !== undefined) {
    fillFromKeywords(transaction, structured)
    return {}
  }
  const above = joinLines(withoutKnabLine(transaction.counterpart, lines))
  const left = withoutIngCounterpart(transaction, above)
  fillFromKeywords(transaction, readSepaKeywords([left], LINE_LENGTH))
  return {}
}

/**
 * Reads the `:NS:` lines of some German and old files into the transaction: two digits, then text;
 * 01 to 14 purpose, 15 and 16 name, 17 type, 18 primanota.
 * @returns all texts in the order of the file; those of other numbers too
 */
export function applyNonSwift(
  transaction: StatementTransaction,
  lines: readonly string[],
): readonly string[] {
  const between = (first: number, last: number): string | undefined =>
    joinTexts(
      lines
        .filter((line) => Number(line.slice(0, 2)) >= first && Number(line.slice(0, 2)) <= last)
        .map((line) => line.slice(2)),
    )
  const purpose = between(1, 14)
  fillText(transaction, 'purpose', purpose)
  fillText(transaction.counterpart, 'name', between(15, 16))
  fillText(transaction, 'type', between(17, 17))
  fillText(transaction, 'primanota', between(18, 18))
  if (lines.length === 0) return []
  const others = lines
    .filter((line) => !/^(?:0[1-9]|1[0-8])/.test(line))
    .map((line) => line.replace(/^\d\d/, ''))
  const texts = [purpose, between(15, 16), between(17, 17), between(18, 18), joinTexts(others)]
  return texts.filter((text) => text !== undefined)
}
