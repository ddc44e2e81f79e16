import { type Amount, negateAmount } from '../../money.js'
import { isMeantAsIban, isSurelyIban } from '../account-text.js'
import { uniqueReference } from '../bank-reference.js'
import type { DigestCounts } from '../import/digest-counts.js'
import {
  STATEMENT_ENTRY_CHARS_MAX,
  type StatementAccount,
  StatementError,
  type StatementFault,
  type StatementTransaction,
} from '../statement.js'
import { keepTexts } from '../stored-text.js'
import { fillText, joinTexts, overlongField } from '../text-field.js'
import type { Field } from './mt940-cut.js'
import { applyDetails, applyNonSwift } from './mt940-details.js'
import { readStatementLine, readSupplementary, type StatementLine } from './mt940-fields.js'
import { nameOfGvc, nameOfSwiftType } from './transaction-types.js'

/** An entry whose details may still follow. */
export interface OpenEntry {
  readonly position: string
  readonly statementLine: Field
  /** Lines of its fields 86. */
  readonly details: string[]
  /** Lines of its fields NS. */
  readonly nonSwift: string[]
  /** Characters of all its fields. */
  length: number
  /** Number of its fields 86 and NS. */
  fieldCount: number
  /** A field that is not allowed inside an entry, which makes it unreadable. */
  stray?: Field
}

/** Statement values for an entry; undefined = unknown. */
export interface EntryStatement {
  readonly account: StatementAccount | undefined
  readonly currency: string | undefined
  /** The reason why its entries are not booked; undefined = they are. */
  readonly notBooked: string | undefined
  readonly references: DigestCounts
}

/** Result of reading an entry: a transaction, a fault, or neither if it is not booked. */
export interface EntryReading {
  readonly transaction?: StatementTransaction
  readonly fault?: StatementFault
  /** Signed; absent for an entry whose statement line cannot be read. */
  readonly amount?: Amount
  /** Sentences about assumptions and irregularities. */
  readonly warnings: readonly string[]
}

/** Shorter references, and those without a digit, are placeholders of the bank. */
const BANK_REFERENCE = /^(?=.*\d)[^\s].{7,}$/

/** Fields 86 and NS of one entry: banks write one of the first, and some 20 of the other. */
const ENTRY_FIELDS_MAX = 1_000

/**
 * Adds a field's lines to those of an open entry.
 * @param kind the lines that it belongs to
 * @throws StatementError for an entry above the limits of length and number
 */
export function addToEntry(entry: OpenEntry, kind: 'details' | 'nonSwift', field: Field): void {
  entry.length += field.lines.reduce((sum, line) => sum + line.length + 1, 0)
  entry.fieldCount += 1
  const refuseAbove = (found: number, max: number, what: string): void => {
    if (found <= max) return
    const message = `the entry has more than ${max} ${what}`
    throw new StatementError({ position: entry.position, field: `:${field.tag}:`, message })
  }
  refuseAbove(entry.length, STATEMENT_ENTRY_CHARS_MAX, 'characters of details')
  refuseAbove(entry.fieldCount, ENTRY_FIELDS_MAX, 'fields :86: and :NS:; expected one :86:')
  // Added one by one, because a million lines exceed the arguments of a call.
  for (const line of field.lines) entry[kind].push(line)
}

/** Reads an entry that is complete. */
export function readEntry(entry: OpenEntry, statement: EntryStatement): EntryReading {
  const { position, statementLine, stray } = entry
  const first = statementLine.lines[0] ?? ''
  if (stray !== undefined) {
    const message = `is inside an entry (line ${stray.number}); expected :86: or :61:`
    return refused(position, `:${stray.tag}:`, message)
  }
  const line = readStatementLine(first.trimEnd())
  if ('message' in line) return refused(position, line.field, line.message)
  const { account, currency } = statement
  if (account === undefined) return refused(position, ':25:', NAMELESS)
  if (currency === undefined) {
    const message =
      'the entry is not in a statement that names its currency; specify one, for example'
    return refused(position, ':60F:', `${message} --currency EUR`)
  }
  const { amount } = line
  const notBooked = line.isPending ? 'is pending, not booked' : statement.notBooked
  if (notBooked !== undefined) return { amount, warnings: [`${notBooked}, and is skipped`] }
  const { references } = statement
  const { transaction, warning } = transactionOf(entry, line, { account, currency, references })
  const warnings: string[] = []
  if (line.clampedDate !== undefined) {
    warnings.push(`value date ${line.clampedDate} is read as the last day of the month`)
  }
  if (warning !== undefined) warnings.push(warning)
  const overlong = overlongField(transaction)
  if (overlong === undefined) return { transaction, amount, warnings }
  const fault = { position, field: overlong, message: 'is longer than the maximum of a field' }
  return { fault, amount, warnings }
}

const NAMELESS =
  'the entry is not in a statement that names its account; specify one, for example --account ' +
  'DE89370400440532013000'

function refused(position: string, field: string, message: string): EntryReading {
  return { fault: { position, field, message }, warnings: [] }
}

/** Whether a reference is the own account, with or without the zeros that fill it. */
function isOwn(account: StatementAccount, reference = ''): boolean {
  const [own, named] = [account.iban ?? account.accountNumber ?? '', reference].map((text) =>
    text.replace(/^0+/, ''),
  )
  return own === named
}

function transactionOf(
  entry: OpenEntry,
  line: StatementLine,
  statement: { account: StatementAccount; currency: string; references: DigestCounts },
): { readonly transaction: StatementTransaction; readonly warning: string | undefined } {
  const { account, currency, references } = statement
  const { amount, bookedAt, valuedAt } = line
  const transaction: StatementTransaction = {
    amount,
    currency,
    bookedAt,
    valuedAt,
    counterpart: {},
    position: entry.position,
  }
  const supplementary = readSupplementary(entry.statementLine.lines.slice(1))
  const { originalAmount, text } = supplementary
  if (originalAmount !== undefined) {
    transaction.originalAmount = amount.unscaled < 0 ? negateAmount(originalAmount) : originalAmount
    fillText(transaction, 'originalCurrency', supplementary.originalCurrency)
  }
  const customerReference = isOwn(account, line.customerReference)
    ? undefined
    : line.customerReference
  const applied = applyDetails(transaction, entry.details, { customerReference, text })
  const nonSwift = applyNonSwift(transaction, entry.nonSwift)
  if (!applied.hasAccountInReference) {
    applyReferences(transaction, customerReference, text, account.iban?.startsWith('NL') === true)
  }
  fillText(transaction.counterpart, 'accountNumber', line.counterpartAccount)
  fillText(transaction.counterpart, 'name', line.counterpartName)
  // Three digits are a German code only at a German bank; Dutch banks have their own codes.
  const isGerman = account.blz !== undefined || account.iban?.startsWith('DE') === true
  fillText(transaction, 'type', isGerman ? nameOfGvc(line.typeCode) : undefined)
  fillText(transaction, 'type', nameOfSwiftType(line.typeCode))
  const purpose = joinTexts([transaction.purpose, supplementary.charges])
  if (purpose !== undefined) transaction.purpose = purpose
  const textReference = /^\d{16,34}$/.exec(text ?? '')?.[0]
  keepTexts(transaction, [
    { text: supplementary.rest },
    { text: textReference === undefined ? text : undefined },
    { keyword: 'KREF+', text: customerReference },
    ...[line.counterpartAccount, line.counterpartName].map((each) => ({ text: each })),
    ...nonSwift.map((each) => ({ text: each })),
  ])
  const reference = line.bankReference ?? textReference
  if (reference !== undefined && BANK_REFERENCE.test(reference)) {
    const name = account.iban ?? account.accountNumber ?? ''
    transaction.bankReference = uniqueReference(references, name, reference, transaction)
  }
  return { transaction, warning: applied.warning }
}

/**
 * Dutch banks write the counterpart's account in place of the reference, and its name after it, or
 * only the account in the supplementary details.
 */
function applyReferences(
  transaction: StatementTransaction,
  reference: string | undefined,
  text: string | undefined,
  isDutch: boolean,
): void {
  const { counterpart } = transaction
  if (reference !== undefined && isSurelyIban(reference)) {
    fillText(counterpart, 'iban', reference)
    fillText(counterpart, 'name', text)
    return
  }
  fillText(counterpart, 'customerReference', reference)
  if (text === undefined) return
  const isAccount = /^P\d{5,10}$/.test(text) || (isDutch && /^\d{9,10}$/.test(text))
  if (isMeantAsIban(text)) fillText(counterpart, 'iban', text)
  else if (isAccount && !/^0*$/.test(text)) fillText(counterpart, 'accountNumber', text)
  else if (/[A-Za-z]{3}/.test(text)) fillText(transaction, 'type', text)
}
