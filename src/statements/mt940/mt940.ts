import { negateAmount } from '../../money.js'
import { doubtOfIban, isMeantAsIban, readOwnAccount } from '../account-text.js'
import { uniqueReference } from '../bank-reference.js'
import { DigestCounts } from '../import/digest-counts.js'
import {
  type ReadOptions,
  STATEMENT_ENTRY_CHARS_MAX,
  type StatementAccount,
  StatementError,
  type StatementEvent,
  type StatementReader,
  type StatementTransaction,
} from '../statement.js'
import { cleanText, fillText, joinTexts, overlongField } from '../text-field.js'
import { createFieldCutter, type Field } from './mt940-cut.js'
import { applyDetails, applyNonSwift } from './mt940-details.js'
import { readMtBalance, readStatementLine, readSupplementary } from './mt940-fields.js'
import { mtLinesOf } from './mt940-lines.js'
import { nameOfGvc, nameOfSwiftType } from './transaction-types.js'

/** An entry whose details may still follow. */
interface OpenEntry {
  readonly position: string
  readonly statementLine: Field
  details: readonly string[]
  nonSwift: readonly string[]
  /** Characters of all its fields. */
  length: number
  /** A field that is not allowed here, which makes the entry unreadable. */
  stray?: Field
}

/** The state of reading: the fields of the current message so far. */
interface Reading {
  readonly options: ReadOptions
  readonly references: DigestCounts
  events: StatementEvent[]
  /** `head`: before the first balance or entry; `entries`; `closed`: after the closing balance. */
  section: 'outside' | 'head' | 'entries' | 'closed'
  account?: StatementAccount | undefined
  currency?: string | undefined
  isOpened: boolean
  hasOpeningBalance: boolean
  entryCount: number
  statementCount: number
  entry?: OpenEntry | undefined
  /** Own IBAN that a warning has named; one warning is enough. */
  doubtedIban?: string | undefined
}

/** Shorter references, and those without a digit, are the bank's form words. */
const BANK_REFERENCE = /^(?=.*\d)[^\s].{7,}$/

/** Emits the account of the message before its first balance or entry. */
function openStatement(reading: Reading, currency: string | undefined): void {
  if (reading.isOpened) return
  reading.account ??= readOwnAccount(reading.options.account ?? '')
  const { account } = reading
  if (account === undefined) return
  reading.currency = currency ?? account.currency ?? reading.options.currency
  reading.isOpened = true
  reading.statementCount += 1
  if (reading.currency !== undefined) account.currency = reading.currency
  reading.events.push({ kind: 'account', account })
}

function refuse(reading: Reading, position: string, field: string, message: string): void {
  reading.events.push({ kind: 'refused', fault: { position, field, message } })
}

function warn(reading: Reading, position: string, message: string | undefined): void {
  if (message !== undefined) reading.events.push({ kind: 'warning', message, position })
}

/** The entry as a transaction; undefined after it has been refused. */
function transactionOf(reading: Reading, entry: OpenEntry): StatementTransaction | undefined {
  const { position, statementLine } = entry
  const [first = '', ...more] = statementLine.lines
  const line = readStatementLine(first.trimEnd())
  if ('message' in line) {
    refuse(reading, position, line.field, line.message)
    return undefined
  }
  const { account, currency } = reading
  if (account === undefined || currency === undefined) {
    const [field, what] = account === undefined ? [':25:', 'account'] : [':60F:', 'currency']
    refuse(reading, position, field, `the entry is not in a statement that names its ${what}`)
    return undefined
  }
  if (line.isExpected) {
    warn(reading, position, 'is only expected, not booked, and is skipped')
    return undefined
  }
  if (line.clampedDate !== undefined) {
    warn(reading, position, `value date ${line.clampedDate} is read as the last day of the month`)
  }
  const { amount, bookedAt, valuedAt } = line
  const transaction: StatementTransaction = {
    amount,
    currency,
    bookedAt,
    valuedAt,
    counterpart: {},
    position,
  }
  const supplementary = readSupplementary(more)
  if (supplementary.originalAmount !== undefined) {
    const { originalAmount } = supplementary
    transaction.originalAmount = amount.unscaled < 0 ? negateAmount(originalAmount) : originalAmount
    fillText(transaction, 'originalCurrency', supplementary.originalCurrency)
  }
  warn(reading, position, applyDetails(transaction, entry.details))
  applyNonSwift(transaction, entry.nonSwift)
  applyReferences(transaction, line.customerReference, supplementary.text)
  // Three digits are a German code at a German bank alone; Dutch banks have codes of their own.
  const isGerman = account.blz !== undefined || account.iban?.startsWith('DE') === true
  fillText(transaction, 'type', isGerman ? nameOfGvc(line.typeCode) : undefined)
  fillText(transaction, 'type', nameOfSwiftType(line.typeCode))
  const purpose = joinTexts([transaction.purpose, supplementary.charges])
  if (purpose !== undefined) transaction.purpose = purpose
  const reference = line.bankReference ?? /^\d{16,34}$/.exec(supplementary.text ?? '')?.[0]
  if (reference !== undefined && BANK_REFERENCE.test(reference)) {
    const name = account.iban ?? account.accountNumber ?? ''
    transaction.bankReference = uniqueReference(reading.references, name, reference, transaction)
  }
  return transaction
}

/**
 * Dutch banks put the counterpart's account in the place of the reference, and its name after it.
 */
function applyReferences(
  transaction: StatementTransaction,
  reference: string | undefined,
  text: string | undefined,
): void {
  const { counterpart } = transaction
  if (reference !== undefined && isMeantAsIban(reference)) {
    fillText(counterpart, 'iban', reference)
    fillText(counterpart, 'name', text)
    return
  }
  fillText(counterpart, 'customerReference', reference)
  if (text === undefined) return
  if (isMeantAsIban(text)) fillText(counterpart, 'iban', text)
  else if (/^P\d{5,10}$/.test(text)) fillText(counterpart, 'accountNumber', text)
  else if (/[A-Za-z]{3}/.test(text)) fillText(transaction, 'type', text)
}

function closeEntry(reading: Reading): void {
  const { entry } = reading
  if (entry === undefined) return
  reading.entry = undefined
  if (entry.stray !== undefined) {
    const message = `is inside an entry (line ${entry.stray.number}); expected :86: or :61:`
    refuse(reading, entry.position, `:${entry.stray.tag}:`, message)
    return
  }
  const transaction = transactionOf(reading, entry)
  if (transaction === undefined) return
  const overlong = overlongField(transaction)
  if (overlong === undefined) reading.events.push({ kind: 'transaction', transaction })
  else refuse(reading, entry.position, overlong, 'is longer than the maximum of a field')
}

/** Ends the message: at its end mark, at the next one's beginning, or at the end of the file. */
function closeMessage(reading: Reading, lineNumber: number): void {
  closeEntry(reading)
  if (reading.section === 'head') {
    openStatement(reading, undefined)
    if (!reading.isOpened) {
      const message = 'the message ends without naming its account'
      throw new StatementError({ position: `line ${lineNumber}`, field: ':25:', message })
    }
    const message = 'the statement has neither balances nor entries; the file may be truncated'
    warn(reading, `line ${lineNumber}`, message)
  }
  if (reading.section === 'entries' && reading.hasOpeningBalance) {
    const message = 'the statement has no closing balance (:62F:); the file may be truncated'
    warn(reading, `line ${lineNumber}`, message)
  }
  reading.section = 'outside'
  reading.account = undefined
  reading.currency = undefined
  reading.isOpened = false
  reading.hasOpeningBalance = false
}

function takeBalance(reading: Reading, field: Field, kind: 'opening' | 'closing'): void {
  closeEntry(reading)
  const position = `line ${field.number}`
  const balance = readMtBalance(field.lines[0] ?? '')
  const isRead = typeof balance !== 'string'
  openStatement(reading, isRead ? balance.currency : undefined)
  if (!reading.isOpened) {
    const message = 'the statement has a balance, but names no account'
    throw new StatementError({ position, field: ':25:', message })
  }
  reading.section = kind === 'opening' ? 'entries' : 'closed'
  if (kind === 'opening') reading.hasOpeningBalance = true
  const currency = isRead ? (balance.currency ?? reading.currency) : undefined
  if (!isRead || currency === undefined) {
    warn(reading, position, `:${field.tag}: ${isRead ? 'has no currency' : balance}`)
    return
  }
  const { amount, at } = balance
  const when = at === undefined ? {} : { at }
  reading.events.push({ kind: 'balance', balance: { kind, amount, currency, ...when } })
}

function takeAccount(reading: Reading, field: Field): void {
  if (reading.section === 'entries') {
    if (reading.entry !== undefined) reading.entry.stray = field
    else refuse(reading, `line ${field.number}`, ':25:', 'is between the entries')
    return
  }
  if (reading.section !== 'head') closeMessage(reading, field.number)
  reading.section = 'head'
  reading.account = { ...reading.account, ...readOwnAccount(field.lines[0] ?? '') }
  if (Object.keys(reading.account).length === 0) reading.account = undefined
  else if (reading.account.iban !== reading.doubtedIban) {
    const doubt = doubtOfIban(reading.account)
    warn(reading, `line ${field.number}`, doubt)
    if (doubt !== undefined) reading.doubtedIban = reading.account.iban
  }
}

/** Refuses an entry above the limit of length. */
function measureEntry(entry: OpenEntry, field: Field): void {
  entry.length += field.lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (entry.length <= STATEMENT_ENTRY_CHARS_MAX) return
  const message = `the entry has more than ${STATEMENT_ENTRY_CHARS_MAX} characters of details`
  throw new StatementError({ position: entry.position, field: `:${field.tag}:`, message })
}

function takeNonSwift(reading: Reading, field: Field): void {
  if (reading.entry !== undefined) {
    measureEntry(reading.entry, field)
    reading.entry.nonSwift = reading.entry.nonSwift.concat(field.lines)
    return
  }
  const { account } = reading
  if (account === undefined || reading.section !== 'head') return
  const named = (code: string): string | undefined =>
    cleanText(field.lines.find((line) => line.startsWith(code))?.slice(2))
  fillText(account, 'holderName', named('22'))
  fillText(account, 'name', named('23'))
}

function takeField(reading: Reading, field: Field): void {
  const { tag } = field
  if (tag === '86') {
    // Without an entry it describes the statement as a whole, and is no detail.
    if (reading.entry === undefined) return
    measureEntry(reading.entry, field)
    reading.entry.details = reading.entry.details.concat(field.lines)
  } else if (tag === 'NS') {
    takeNonSwift(reading, field)
  } else if (tag === '20') {
    closeMessage(reading, field.number)
    reading.section = 'head'
  } else if (tag === '25' || tag === '25P') {
    takeAccount(reading, field)
  } else if (tag === '34F') {
    reading.currency ??= /^[A-Z]{3}/.exec(field.lines[0] ?? '')?.[0]
  } else if (tag === '60F' || tag === '60M') {
    takeBalance(reading, field, 'opening')
  } else if (tag === '62F' || tag === '62M') {
    takeBalance(reading, field, 'closing')
  } else if (tag === '61') {
    closeEntry(reading)
    openStatement(reading, reading.currency)
    reading.section = 'entries'
    reading.entryCount += 1
    const position = `entry ${reading.entryCount} (line ${field.number})`
    reading.entry = { position, statementLine: field, details: [], nonSwift: [], length: 0 }
  } else {
    closeEntry(reading)
  }
}

/**
 * Reads MT940 statements and MT942 reports, in SWIFT envelopes or without, as German, Dutch, Swiss,
 * Polish and other banks write them. One `account` event per message; balances of pages (`:60M:`,
 * `:62M:`) count as those of a statement of their own. Entries that are only expected are warnings.
 * Holds one entry, and one reference for each entry that has one.
 */
export const readMt940: StatementReader = async function* (text, options) {
  const reading: Reading = {
    ...{ options, references: new DigestCounts(), events: [], section: 'outside', isOpened: false },
    ...{ hasOpeningBalance: false, entryCount: 0, statementCount: 0 },
  }
  const cutter = createFieldCutter({
    takeField: (field) => takeField(reading, field),
    endMessage: (number) => closeMessage(reading, number),
  })
  const takeEvents = (): readonly StatementEvent[] => {
    const { events } = reading
    reading.events = []
    return events
  }
  let lastNumber = 1
  for await (const lines of mtLinesOf(text)) {
    try {
      for (const line of lines) {
        lastNumber = line.number
        cutter.take(line)
      }
    } finally {
      // Events before a fault are reported all the same, however the text was cut in pieces.
      if (reading.events.length > 0) yield takeEvents()
    }
  }
  try {
    cutter.end()
    closeMessage(reading, lastNumber)
  } finally {
    if (reading.events.length > 0) yield takeEvents()
  }
  if (reading.statementCount === 0 && reading.entryCount === 0) {
    const message = 'contains no MT940 statement (no :20:, :25:, :60F:)'
    throw new StatementError({ position: `line ${lastNumber}`, message })
  }
}
