import { readOwnAccount, warningOfIban } from '../account-text.js'
import { uniqueReference } from '../bank-reference.js'
import { CountedNotes } from '../counted-notes.js'
import { emittedEvents } from '../emitted-events.js'
import { DigestCounts } from '../import/digest-counts.js'
import {
  type ReadOptions,
  type StatementAccount,
  StatementError,
  type StatementEvent,
  type StatementReader,
  type StatementTransaction,
} from '../statement.js'
import { fillText, overlongField } from '../text-field.js'
import { CamtBalances } from './camt-balances.js'
import {
  type CutNames,
  cutXml,
  elementAt,
  textAt,
  type XmlElement,
  type XmlEvent,
} from './camt-cut.js'
import { type CamtDetail, readDetail } from './camt-detail.js'
import { type AssumedDay, type ReadEntry, readCamtEntry } from './camt-entry.js'
import { isFault, readAccount } from './camt-fields.js'
import {
  camtStatementKey,
  HEADER_ELEMENTS,
  type HeaderFields,
  takeHeaderElement,
} from './camt-header.js'
import { CAMT_052, CAMT_053, CAMT_054, type CamtMessage, messageOfRoot } from './camt-message.js'

/** Details of one batch booking: schemes allow 99,999 transactions a message. */
export const STATEMENT_DETAILS_MAX = 100_000

/** The state of reading. */
interface Reading {
  readonly message: CamtMessage
  readonly options: ReadOptions
  /**
   * References of the file; of the current report or notification alone, which may repeat earlier
   * entries.
   */
  references: DigestCounts
  readonly notes: CountedNotes
  events: StatementEvent[]
  isInMessage: boolean
  rootName?: string
  statementCount: number
  entryCount: number
  /** Line the open entry begins in; undefined between entries. */
  entryLine?: number | undefined
  details: CamtDetail[]
  header: HeaderFields
  account?: StatementAccount | undefined
  /** Whether the statement has no account, and that of the caller is used. */
  isAccountGiven: boolean
  /** Whether the account of the open statement has been reported. */
  isOpened: boolean
  /** Balances of the open statement, emitted when it ends. */
  balances: CamtBalances
}

const CUT: CutNames = {
  outer: new Set(['Acct', 'Bal', 'Ntry', ...HEADER_ELEMENTS]),
  inner: new Set(['TxDtls']),
}

function refuse(reading: Reading, position: string, field: string, message: string): void {
  reading.events.push({ kind: 'refused', fault: { position, field, message } })
}

function warn(reading: Reading, position: string, message: string): void {
  reading.events.push({ kind: 'warning', message, position })
}

/** The caller's account, for a statement without one. */
function givenAccount(reading: Reading, position: string): StatementAccount {
  const given = readOwnAccount(reading.options.account ?? '')
  if (given !== undefined) return given
  const message =
    `the ${reading.message.source} names no account (Acct/Id/IBAN or Acct/Id/Othr/Id); specify ` +
    'it with --account IBAN'
  throw new StatementError({ position, field: 'Acct', message })
}

function takeAccount(reading: Reading, element: XmlElement): void {
  const position = `line ${element.line}`
  if (reading.isAccountGiven) {
    const message = 'the account follows one of its entries; it must precede them all'
    throw new StatementError({ position, field: 'Acct', message })
  }
  if (reading.account !== undefined) return
  const named = readAccount(element)
  const isNamed = named.iban !== undefined || named.accountNumber !== undefined
  const account = { ...named, ...(isNamed ? {} : givenAccount(reading, position)) }
  reading.account = account
  const warning = warningOfIban(account)
  if (warning !== undefined) warn(reading, position, warning)
}

/** Completes the account by the currency of the first available amount. */
function fillCurrency(account: StatementAccount, element: XmlElement): void {
  const currency = elementAt(element, 'Amt')?.currency?.trim() ?? ''
  if (/^[A-Z]{3}$/.test(currency)) fillText(account, 'currency', currency)
}

/** The account of the open statement: its own, else the caller's. */
function accountAt(reading: Reading, position: string): StatementAccount {
  if (reading.account === undefined) {
    reading.account = givenAccount(reading, position)
    reading.isAccountGiven = true
  }
  return reading.account
}

/** Emits the account, before its first entry or at its end. */
function openStatement(reading: Reading, account: StatementAccount): void {
  if (reading.isOpened) return
  reading.isOpened = true
  fillText(account, 'currency', reading.options.currency)
  const { message, header, balances } = reading
  const statementKey = camtStatementKey(account, header, balances.all(), message.source)
  reading.events.push({
    kind: 'account',
    account,
    ...(statementKey === undefined ? {} : { statementKey }),
    ...(message.source === 'statement' ? {} : { isInterim: true }),
  })
}

function takeBalance(reading: Reading, element: XmlElement): void {
  const position = `line ${element.line}`
  const { account } = reading
  if (account !== undefined) fillCurrency(account, element)
  const fault = reading.balances.add(element, account?.currency)
  if (fault !== undefined) warn(reading, position, `${fault.field}: ${fault.message}`)
}

/** The status of the entry; `Sts` is a word in version 2, a choice of codes since version 3. */
function statusOf(element: XmlElement): string {
  return (
    textAt(element, 'Sts', 'Cd') ??
    textAt(element, 'Sts', 'Prtry') ??
    textAt(element, 'Sts') ??
    'BOOK'
  )
}

/** The day of the statement as a whole, for an entry without a date. */
function statementDayOf({ balances, header }: Reading): AssumedDay | undefined {
  const closedAt = balances.closingDay()
  if (closedAt !== undefined) return { at: closedAt, what: 'the day of the closing balance' }
  const { endsAt, madeAt } = header
  if (endsAt !== undefined) return { at: endsAt, what: 'the end of the period (FrToDt)' }
  return madeAt === undefined ? undefined : { at: madeAt, what: 'the day of CreDtTm' }
}

function takeEntry(reading: Reading, element: XmlElement): void {
  const position = `entry ${reading.entryCount} (line ${element.line})`
  const { details, notes } = reading
  reading.details = []
  reading.entryLine = undefined
  const account = accountAt(reading, position)
  fillCurrency(account, element)
  openStatement(reading, account)
  const status = statusOf(element).slice(0, 40)
  if (status !== 'BOOK') {
    notes.add(
      `status ${status}`,
      position,
      `has the status ${status}, is not booked, and is left out`,
    )
    return
  }
  const statementDay = statementDayOf(reading)
  const entry = readCamtEntry(element, details, { own: account, position, statementDay })
  if (isFault(entry)) {
    refuse(reading, position, entry.field, entry.message)
    return
  }
  if (entry.assumption !== undefined) {
    const [what] = entry.assumption.split(',')
    const message = `has no booking date (BookgDt); ${entry.assumption}`
    notes.add(`day ${what}`, position, message)
  }
  takeTransactions(reading, entry, { account, position })
}

/** Warning about an entry of a notification that is not imported. */
const NOT_JOINED =
  'has no bank reference (AcctSvcrRef) to match it with its statement, and is skipped; import it ' +
  'with --include notifications'

/** Charges of a batch that its warning lists; banks write one or two. */
const CHARGES_LISTED_MAX = 5

/** Warning about charges of a whole batch. */
function chargesSentence(charges: readonly string[], count: number): string {
  const more = charges.length - CHARGES_LISTED_MAX
  const listed = charges.slice(0, CHARGES_LISTED_MAX).join(', ')
  const whole = more > 0 ? `${listed} and ${more} more` : listed
  return `the batch has charges (Chrgs: ${whole}), which are in none of its ${count} transactions`
}

/** Warning about an entry of a report that its statement may contain once more. */
const MAY_COUNT_TWICE =
  'has no bank reference (AcctSvcrRef) to match it with its statement, and is imported twice if ' +
  'the statement words it differently; import such entries from statements only'

/** The same about an entry of a notification, imported because the caller asked for it. */
const NOTIFIED_MAY_COUNT_TWICE =
  'has no bank reference (AcctSvcrRef) to match it with its statement, and is imported twice if ' +
  'a statement contains it too; import such notifications only where there are no statements'

/** Emits an entry's transactions, as parts of the entry if other messages may repeat it. */
function takeTransactions(
  reading: Reading,
  entry: ReadEntry,
  { account, position }: { readonly account: StatementAccount; readonly position: string },
): void {
  const { message, references, notes, options } = reading
  const { booked, reference, total } = entry
  const { source } = message
  if (source === 'notification' && reference === undefined && !options.includesNotifications) {
    notes.add('not joined', position, NOT_JOINED)
    return
  }
  if (source !== 'statement' && reference === undefined) {
    const message = source === 'report' ? MAY_COUNT_TWICE : NOTIFIED_MAY_COUNT_TWICE
    notes.add('may count twice', position, message)
  }
  if (entry.strayCount !== undefined) {
    const isJoined = source === 'notification' && !options.includesNotifications
    const sentence = isJoined
      ? 'do not add up to the entry, and are left out'
      : 'do not add up to the entry, which is imported as one transaction'
    warn(reading, position, `the ${entry.strayCount} details ${sentence}`)
  }
  if (entry.sharedCharges !== undefined) {
    notes.add('charges', position, chargesSentence(entry.sharedCharges, booked.length))
  }
  const name = account.iban ?? account.accountNumber ?? ''
  const [first] = booked
  const isOwnKey = booked.length === 1 && first?.reference === reference
  const key =
    reference === undefined
      ? undefined
      : uniqueReference(references, name, reference, { ...entry, ...total })
  // An entry of a statement whose reference is its key is joined by the reference.
  const isPlain = key === undefined || (source === 'statement' && isOwnKey)
  const parts: StatementTransaction[] = []
  for (const { transaction, reference: own } of booked) {
    const overlong = overlongField(transaction)
    if (overlong !== undefined) {
      refuse(reading, transaction.position, overlong, 'is longer than the maximum of a field')
      continue
    }
    if (isOwnKey && key !== undefined) transaction.bankReference = key
    else if (own !== undefined) {
      transaction.bankReference = uniqueReference(references, name, own, transaction)
    }
    parts.push(transaction)
  }
  const isWhole = parts.length === booked.length
  if (source === 'notification' && !isWhole) return
  const { amount } = total
  const joined = isPlain || !isWhole ? undefined : { key, amount, source, partCount: parts.length }
  for (const transaction of parts) {
    if (joined !== undefined) transaction.entry = joined
    reading.events.push({ kind: 'transaction', transaction })
  }
}

function takeDetail(reading: Reading, element: XmlElement): void {
  if (reading.entryLine === undefined) return
  if (reading.details.length === STATEMENT_DETAILS_MAX) {
    const message = `the entry has more than ${STATEMENT_DETAILS_MAX} details`
    throw new StatementError({ position: `line ${element.line}`, field: 'TxDtls', message })
  }
  reading.details.push(readDetail(element))
}

function takeStart(reading: Reading, name: string, line: number): void {
  reading.rootName ??= name
  const { message } = reading
  const found = messageOfRoot(name)
  if (found === message) reading.isInMessage = true
  else if (found !== undefined && !reading.isInMessage) {
    const remedy = `import it with --format ${found.format}`
    const what = `is a ${found.name}, not a ${message.name}; ${remedy}`
    throw new StatementError({ position: `line ${line}`, field: name, message: what })
  }
  if (name === message.part) {
    const { madeAt } = reading.header
    reading.statementCount += 1
    reading.header = madeAt === undefined ? {} : { madeAt }
    reading.account = undefined
    reading.isAccountGiven = false
    reading.isOpened = false
    if (message.source !== 'statement') reading.references = new DigestCounts()
    reading.balances = new CamtBalances(message.source === 'report')
  }
  if (name === 'Ntry') {
    reading.entryCount += 1
    reading.entryLine = line
  }
}

function takeEnd(reading: Reading, name: string, line: number): void {
  if (name !== reading.message.part) return
  openStatement(reading, accountAt(reading, `line ${line}`))
  for (const balance of reading.balances.all()) reading.events.push({ kind: 'balance', balance })
  reading.events.push(...reading.notes.take())
}

/** Takes an element: outside a statement, only the day of the message has a meaning. */
function takeElement(reading: Reading, element: XmlElement): void {
  const { name } = element
  if (!reading.isInMessage) return
  if (reading.statementCount === 0) {
    if (name === 'CreDtTm') takeHeaderElement(reading.header, element)
  } else if (name === 'Acct') takeAccount(reading, element)
  else if (name === 'Bal') takeBalance(reading, element)
  else if (name === 'TxDtls') takeDetail(reading, element)
  else if (name === 'Ntry') takeEntry(reading, element)
  else if (reading.account === undefined) takeHeaderElement(reading.header, element)
}

function takeEvent(reading: Reading, event: XmlEvent): void {
  if (event.kind === 'start') takeStart(reading, event.name, event.line)
  else if (event.kind === 'element') takeElement(reading, event.element)
  else if (reading.isInMessage) takeEnd(reading, event.name, event.line)
}

/** Adds the entry to the position of a fault inside it. */
function placeFault(reading: Reading, error: unknown): unknown {
  if (!(error instanceof StatementError) || reading.entryLine === undefined) return error
  const position = `entry ${reading.entryCount} (${error.fault.position})`
  return new StatementError({ ...error.fault, position }, { cause: error })
}

/** Rejects a well-formed document without a complete statement. */
function checkMessage({ message, isInMessage, rootName, statementCount }: Reading): void {
  if (!isInMessage) {
    const what = `is not a ${message.name} (${message.root}); found ${rootName ?? ''}`
    throw new StatementError({ position: 'line 1', message: what.slice(0, 200) })
  }
  if (statementCount === 0) {
    const what = `the message has no ${message.source}; a ${message.name} has at least one`
    throw new StatementError({ position: 'line 1', field: message.part, message: what })
  }
}

/**
 * A reader of one message of the family, of the versions 02 to 13, with any namespace or none.
 * Batch bookings are split where their details add up to the entry; entries that are not booked are
 * counted in a warning; balances follow the entries of their statement. Holds one entry with its
 * details, and one reference for each entry that has one. Another message is refused.
 */
function camtReader(message: CamtMessage): StatementReader {
  return async function* (text, options) {
    const reading: Reading = {
      ...{ message, options, references: new DigestCounts(), notes: new CountedNotes() },
      ...{ events: [], isInMessage: false, statementCount: 0, entryCount: 0, details: [] },
      ...{ header: {}, isAccountGiven: false, isOpened: false },
      balances: new CamtBalances(false),
    }
    try {
      yield* emittedEvents(cutXml(text, CUT), reading, {
        take: (event) => takeEvent(reading, event),
        end: () => checkMessage(reading),
      })
    } catch (error) {
      throw placeFault(reading, error)
    }
  }
}

/** Reads intraday reports: see {@link camtReader}; interim balances count as well. */
export const readCamt052 = camtReader(CAMT_052)

/** Reads statements, see {@link camtReader}. */
export const readCamt053 = camtReader(CAMT_053)

/**
 * Reads notifications, see {@link camtReader}. Their transactions refer to the entry whose details
 * they are; an entry without a bank reference is skipped unless notifications are included.
 */
export const readCamt054 = camtReader(CAMT_054)
