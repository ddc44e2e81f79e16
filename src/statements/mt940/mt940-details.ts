import { compactCode, isBic } from '../../iban.js'
import { isMeantAsIban } from '../account-text.js'
import { fillFromKeywords, joinParts, readSepaKeywords } from '../sepa-keywords.js'
import type { StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { readSlashKeywords } from './slash-keywords.js'
import { nameOfGvc } from './transaction-types.js'

/** Characters of a full sub-field of field 86, and of a full line of it (SWIFT: 6 x 65). */
const SUB_FIELD_LENGTH = 27
const LINE_LENGTH = 65

/** German details: transaction code, separator, first sub-field number. Poland has `<` and `^`. */
const SUB_FIELDS = /^\s?(\d{3})?([?<^~])(?=\d\d)/
/** Unstructured German details: code 999, primanota, text. */
const PLAIN_GERMAN = /^(\d{3})PN(\d{4})(.*)$/s
/** Dutch: `REK: account/NAAM: name`. */
const DUTCH_ACCOUNT = /REK: ?([A-Z]{2}\d{2}[A-Z0-9]{11,30})\/NAAM: ?(.{1,70})$/

interface SubField {
  readonly number: number
  readonly text: string
}

/** Splits `?00…?20…` at its separators; a separator without a number belongs to the text. */
function subFieldsOf(text: string, separator: string): SubField[] {
  const escaped = separator === '^' ? '\\^' : separator === '?' ? '\\?' : separator
  const [, ...pieces] = text.split(new RegExp(`${escaped}(?=\\d\\d)`))
  return pieces.map((piece) => ({ number: Number(piece.slice(0, 2)), text: piece.slice(2) }))
}

function applySubFields(
  transaction: StatementTransaction,
  gvc: string,
  fields: readonly SubField[],
): void {
  const { counterpart } = transaction
  const between = (first: number, last: number): string[] =>
    fields.filter(({ number }) => number >= first && number <= last).map(({ text }) => text)
  const textOf = (first: number, last = first): string | undefined =>
    cleanText(joinParts(between(first, last), SUB_FIELD_LENGTH).text)

  fillText(transaction, 'type', textOf(0))
  fillText(transaction, 'type', nameOfGvc(gvc))
  fillText(transaction, 'primanota', textOf(10))
  const bank = compactCode(textOf(30) ?? '')
  // A counterpart has no field for a bank code of the old kind.
  if (isBic(bank)) fillText(counterpart, 'bic', bank)
  for (const account of [compactCode(textOf(38) ?? ''), compactCode(textOf(31) ?? '')]) {
    if (isMeantAsIban(account)) fillText(counterpart, 'iban', account)
  }
  const account = textOf(31)
  if (account !== undefined && !isMeantAsIban(compactCode(account))) {
    fillText(counterpart, 'accountNumber', account)
  }
  fillText(counterpart, 'name', textOf(32, 33))
  const purpose = [...between(20, 29), ...between(60, 65)]
  fillFromKeywords(transaction, readSepaKeywords(purpose, SUB_FIELD_LENGTH))
}

/**
 * Lines of free text: a full line continues in the next one, a shorter one is a line of its own.
 */
function joinLines(lines: readonly string[]): string {
  return joinParts(lines, LINE_LENGTH).text
}

/**
 * Reads field 86 into the transaction, in any of its forms: German sub-fields, Dutch slash
 * keywords, else free text.
 * @param lines the physical lines, without the tag
 * @returns a sentence on an irregularity; undefined = none
 */
export function applyDetails(
  transaction: StatementTransaction,
  lines: readonly string[],
): string | undefined {
  // A line wrap is no character: banks wrap at 65 regardless of the content, inside `?20` too.
  const joined = lines.join('')
  const opening = SUB_FIELDS.exec(joined)
  const separator = opening?.[2]
  if (separator !== undefined) {
    applySubFields(transaction, opening?.[1] ?? '', subFieldsOf(joined, separator))
    // It may be a question mark of the text, so it is kept.
    const isCut = joined.trimEnd().endsWith(separator)
    return isCut ? `the details end in a "${separator}" without a sub-field` : undefined
  }
  const text = joinLines(lines)
  const plain = PLAIN_GERMAN.exec(text)
  if (plain !== null) {
    fillText(transaction, 'type', nameOfGvc(plain[1] ?? ''))
    fillText(transaction, 'primanota', plain[2])
    fillText(transaction, 'purpose', cleanText(plain[3]))
    return undefined
  }
  const slashed = readSlashKeywords(joined)
  if (slashed !== undefined) {
    fillFromKeywords(transaction, slashed)
    return undefined
  }
  const dutch = DUTCH_ACCOUNT.exec(text)
  fillText(transaction.counterpart, 'iban', dutch?.[1])
  fillText(transaction.counterpart, 'name', cleanReference(dutch?.[2]))
  fillFromKeywords(transaction, readSepaKeywords([text], LINE_LENGTH))
  return undefined
}

/**
 * Reads the `:NS:` lines of some German and old files into the transaction: two digits, then text;
 * 01 to 14 purpose, 15 and 16 name, 17 type, 18 primanota.
 */
export function applyNonSwift(transaction: StatementTransaction, lines: readonly string[]): void {
  const between = (first: number, last: number): string | undefined =>
    joinTexts(
      lines
        .filter((line) => Number(line.slice(0, 2)) >= first && Number(line.slice(0, 2)) <= last)
        .map((line) => line.slice(2)),
    )
  fillText(transaction, 'purpose', between(1, 14))
  fillText(transaction.counterpart, 'name', between(15, 16))
  fillText(transaction, 'type', between(17, 17))
  fillText(transaction, 'primanota', between(18, 18))
}
