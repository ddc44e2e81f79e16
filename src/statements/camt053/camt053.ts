import { doubtOfIban, readOwnAccount } from '../account-text.js'
import { uniqueReference } from '../bank-reference.js'
import { DigestCounts } from '../import/digest-counts.js'
import {
  type ReadOptions,
  type StatementAccount,
  type StatementBalance,
  StatementError,
  type StatementEvent,
  type StatementReader,
} from '../statement.js'
import { fillText, overlongField } from '../text-field.js'
import { cutXml, elementAt, textAt, type XmlElement, type XmlEvent } from './camt-cut.js'
import { type CamtDetail, readDetail } from './camt-detail.js'
import { readCamtEntry } from './camt-entry.js'
import { isFault, readAccount, readCamtBalance } from './camt-fields.js'

/** Details of one batch booking: schemes allow 99,999 transactions a message. */
export const STATEMENT_DETAILS_MAX = 100_000

/** The state of reading. */
interface Reading {
  readonly options: ReadOptions
  readonly references: DigestCounts
  events: StatementEvent[]
  isStatementMessage: boolean
  /** Whether the account of the open statement has been reported. */
  isOpened: boolean
  rootName?: string
  statementCount: number
  entryCount: number
  /** Line the open entry begins in; undefined between entries. */
  entryLine?: number | undefined
  details: CamtDetail[]
  account?: StatementAccount | undefined
  /** The relevant balance of each kind and currency; reported when the statement ends. */
  balances: Map<string, { readonly balance: StatementBalance; readonly rank: number }>
}

const CUT: ReadonlySet<string> = new Set(['Acct', 'Bal', 'Ntry', 'TxDtls'])

/** Messages of the same family that are no statements, and the message to request instead. */
const OTHER_MESSAGES: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt:
    'is a camt.052 intraday report, whose entries are not final; import the camt.053 ' +
    'statement instead',
  BkToCstmrDbtCdtNtfctn:
    'is a camt.054 notification about entries of a statement; import the camt.053 statement ' +
    'instead',
}

function refuse(reading: Reading, position: string, field: string, message: string): void {
  reading.events.push({ kind: 'refused', fault: { position, field, message } })
}

function warn(reading: Reading, position: string, message: string): void {
  reading.events.push({ kind: 'warning', message, position })
}

function takeAccount(reading: Reading, element: XmlElement): void {
  if (reading.account !== undefined) return
  const named = readAccount(element)
  const position = `line ${element.line}`
  const isNamed = named.iban !== undefined || named.accountNumber !== undefined
  const given = isNamed ? {} : readOwnAccount(reading.options.account ?? '')
  if (given === undefined) {
    const message = 'the statement names no account (Id/IBAN or Id/Othr/Id)'
    throw new StatementError({ position, field: 'Acct', message })
  }
  const account: StatementAccount = { ...named, ...given }
  reading.account = account
  const doubt = doubtOfIban(account)
  if (doubt !== undefined) warn(reading, position, doubt)
}

/** Emits the account before its first entry, with the currency of the first amount at hand. */
function openStatement(reading: Reading, element: XmlElement | undefined): void {
  const { account } = reading
  if (account === undefined || reading.isOpened) return
  const currency = elementAt(element, 'Amt')?.currency?.trim() ?? ''
  if (/^[A-Z]{3}$/.test(currency)) fillText(account, 'currency', currency)
  fillText(account, 'currency', reading.options.currency)
  reading.isOpened = true
  reading.events.push({ kind: 'account', account })
}

function takeBalance(reading: Reading, element: XmlElement): void {
  openStatement(reading, element)
  const found = readCamtBalance(element, reading.account?.currency)
  if (found === undefined) return
  if (isFault(found)) {
    warn(reading, `line ${element.line}`, `${found.field}: ${found.message}`)
    return
  }
  const key = `${found.balance.kind} ${found.balance.currency}`
  if ((reading.balances.get(key)?.rank ?? 0) < found.rank) reading.balances.set(key, found)
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

function takeEntry(reading: Reading, element: XmlElement): void {
  const position = `entry ${reading.entryCount} (line ${element.line})`
  const { account, details } = reading
  reading.details = []
  reading.entryLine = undefined
  if (account === undefined) {
    const message = 'the entry comes before its account'
    throw new StatementError({ position, field: 'Acct', message })
  }
  openStatement(reading, element)
  const status = statusOf(element)
  if (status !== 'BOOK') {
    warn(reading, position, `has the status ${status.slice(0, 40)}, is not booked, and is skipped`)
    return
  }
  const fallback = account.currency
  const options = { own: account, position, ...(fallback === undefined ? {} : { fallback }) }
  const entry = readCamtEntry(element, details, options)
  if (isFault(entry)) {
    refuse(reading, position, entry.field, entry.message)
    return
  }
  if (entry.warning !== undefined) warn(reading, position, entry.warning)
  const name = account.iban ?? account.accountNumber ?? ''
  for (const { transaction, reference } of entry.booked) {
    const overlong = overlongField(transaction)
    if (overlong !== undefined) {
      refuse(reading, transaction.position, overlong, 'is longer than the maximum of a field')
      continue
    }
    if (reference !== undefined) {
      transaction.bankReference = uniqueReference(reading.references, name, reference, transaction)
    }
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
  const other = OTHER_MESSAGES[name]
  if (other !== undefined && !reading.isStatementMessage) {
    throw new StatementError({ position: `line ${line}`, field: name, message: other })
  }
  if (name === 'BkToCstmrStmt') reading.isStatementMessage = true
  if (name === 'Stmt') {
    reading.statementCount += 1
    reading.account = undefined
    reading.isOpened = false
  }
  if (name === 'Ntry') {
    reading.entryCount += 1
    reading.entryLine = line
  }
}

function takeEnd(reading: Reading, name: string, line: number): void {
  if (name !== 'Stmt') return
  if (reading.account === undefined) {
    const message = 'the statement names no account'
    throw new StatementError({ position: `line ${line}`, field: 'Acct', message })
  }
  openStatement(reading, undefined)
  for (const { balance } of reading.balances.values()) {
    reading.events.push({ kind: 'balance', balance })
  }
  reading.balances.clear()
}

function takeEvent(reading: Reading, event: XmlEvent): void {
  if (event.kind === 'start') {
    takeStart(reading, event.name, event.line)
    return
  }
  // Elements of these names have a meaning inside a statement only.
  if (reading.statementCount === 0 || !reading.isStatementMessage) return
  if (event.kind === 'end') takeEnd(reading, event.name, event.line)
  else if (event.element.name === 'Acct') takeAccount(reading, event.element)
  else if (event.element.name === 'Bal') takeBalance(reading, event.element)
  else if (event.element.name === 'TxDtls') takeDetail(reading, event.element)
  else takeEntry(reading, event.element)
}

/** A fault inside an entry names the entry too. */
function placeFault(reading: Reading, error: unknown): unknown {
  if (!(error instanceof StatementError) || reading.entryLine === undefined) return error
  const position = `entry ${reading.entryCount} (${error.fault.position})`
  return new StatementError({ ...error.fault, position }, { cause: error })
}

/** Rejects a well-formed document without a complete statement. */
function checkMessage({ isStatementMessage, rootName, statementCount }: Reading): void {
  if (!isStatementMessage) {
    const message = `is not a camt.053 statement (BkToCstmrStmt); found ${rootName ?? ''}`
    throw new StatementError({ position: 'line 1', message: message.slice(0, 200) })
  }
  if (statementCount === 0) {
    const message = 'the message has no statement; a camt.053 has at least one'
    throw new StatementError({ position: 'line 1', field: 'Stmt', message })
  }
}

/**
 * Reads camt.053 statements of the versions 02 to 13, with any namespace or none. Batch bookings
 * are split where their details add up to the entry; entries that are not booked are warnings;
 * balances follow the entries of their statement. Holds one entry with its details, and one
 * reference for each entry that has one. A camt.052 or camt.054 is refused.
 */
export const readCamt053: StatementReader = async function* (text, options) {
  const reading: Reading = {
    ...{
      options,
      references: new DigestCounts(),
      events: [],
      isStatementMessage: false,
      isOpened: false,
    },
    ...{ statementCount: 0, entryCount: 0, details: [], balances: new Map() },
  }
  const takeEvents = (): readonly StatementEvent[] => {
    const { events } = reading
    reading.events = []
    return events
  }
  try {
    for await (const events of cutXml(text, CUT)) {
      try {
        for (const event of events) takeEvent(reading, event)
      } finally {
        // Events before a fault are reported all the same, however the text was cut in pieces.
        if (reading.events.length > 0) yield takeEvents()
      }
    }
  } catch (error) {
    throw placeFault(reading, error)
  }
  checkMessage(reading)
}
