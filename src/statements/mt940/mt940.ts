import { readOwnAccount, warningOfIban } from '../account-text.js'
import { DigestCounts } from '../import/digest-counts.js'
import {
  type ReadOptions,
  type StatementAccount,
  StatementError,
  type StatementEvent,
  type StatementReader,
} from '../statement.js'
import { cleanText, fillText } from '../text-field.js'
import { linesOf } from '../text-lines.js'
import { createFieldCutter, type Field } from './mt940-cut.js'
import { addToEntry, type OpenEntry, readEntry } from './mt940-entry.js'
import { type FloorLimit, readFloorLimit, readMtBalance } from './mt940-fields.js'
import { createBlankRestorer } from './mt940-wrap.js'
import { ReportSums } from './mt942-sums.js'
import { statementKeyOf } from './statement-key.js'

/** Fields of the current message. */
interface Message {
  /** Field 20. */
  reference: string
  account?: StatementAccount | undefined
  currency?: string | undefined
  /** Field 28 or 28C. */
  number?: string
  /** Fields 13 and 13D of an MT942, the time of the report. */
  reportedAt?: string
  floor?: FloorLimit | undefined
  /** Whether it is an MT942, which has no balances. */
  isReport: boolean
  isOpened: boolean
  hasOpeningBalance: boolean
  readonly sums: ReportSums
}

/** The state of reading. */
interface Reading {
  readonly options: ReadOptions
  readonly references: DigestCounts
  events: StatementEvent[]
  /** `head`: before the first balance or entry; `entries`; `closed`: after the closing balance. */
  section: 'outside' | 'head' | 'entries' | 'closed'
  message: Message
  entryCount: number
  statementCount: number
  entry?: OpenEntry | undefined
  /** Own IBAN of the last warning, which is not repeated. */
  warnedIban?: string | undefined
}

/**
 * The MT942 that Sparkassen write in addition to the MT940 lists pending entries, which recur in
 * other words when they are booked.
 */
const PENDING_REFERENCE = /^STARTDISP/

/** The advice where the file names no account. */
const NAME_IT = 'specify one, for example --account DE89370400440532013000'

function emptyMessage(): Message {
  return {
    ...{ reference: '', isReport: false, isOpened: false, hasOpeningBalance: false },
    sums: new ReportSums(),
  }
}

/** Emits the account of the message before its first balance or entry. */
function openStatement(
  reading: Reading,
  currency: string | undefined,
  openingBalance: Field | undefined,
): void {
  const { message } = reading
  if (message.isOpened) return
  message.account ??= readOwnAccount(reading.options.account ?? '')
  const { account } = message
  if (account === undefined) return
  message.currency = currency ?? account.currency ?? reading.options.currency
  message.isOpened = true
  reading.statementCount += 1
  if (message.currency !== undefined) account.currency = message.currency
  const { number, reportedAt } = message
  const statementKey = statementKeyOf({ account, number, reportedAt, openingBalance })
  const key = statementKey === undefined ? {} : { statementKey }
  reading.events.push({ kind: 'account', account, ...key })
}

function refuse(reading: Reading, position: string, field: string, message: string): void {
  reading.events.push({ kind: 'refused', fault: { position, field, message } })
}

function warn(reading: Reading, position: string, message: string | undefined): void {
  if (message !== undefined) reading.events.push({ kind: 'warning', message, position })
}

function closeEntry(reading: Reading): void {
  const { entry, message } = reading
  if (entry === undefined) return
  reading.entry = undefined
  const isPending = message.isReport && PENDING_REFERENCE.test(message.reference)
  const { transaction, fault, amount, warnings } = readEntry(entry, {
    account: message.account,
    currency: message.currency,
    notBooked: isPending ? 'is pending (:20:STARTDISP…), not booked' : undefined,
    references: reading.references,
  })
  for (const warning of warnings) warn(reading, entry.position, warning)
  if (fault !== undefined) reading.events.push({ kind: 'refused', fault })
  if (amount === undefined) message.sums.addUnread()
  // Only a report has sums of its entries.
  else if (message.isReport) message.sums.add(amount, transaction !== undefined)
  if (transaction !== undefined) reading.events.push({ kind: 'transaction', transaction })
}

/** Ends the message: at its end mark, at the next message, or at the end of the file. */
function closeMessage(reading: Reading, lineNumber: number): void {
  closeEntry(reading)
  const { message, section } = reading
  if (section === 'head') {
    openStatement(reading, message.currency, undefined)
    if (!message.isOpened) {
      const text = `the message ends without naming its account; ${NAME_IT}`
      throw new StatementError({ position: `line ${lineNumber}`, field: ':25:', message: text })
    }
    const text = 'the statement has neither balances nor entries; the file may be truncated'
    if (!message.isReport) warn(reading, `line ${lineNumber}`, text)
  }
  if (section === 'entries' && message.hasOpeningBalance) {
    const text = 'the statement has no closing balance (:62F:); the file may be truncated'
    warn(reading, `line ${lineNumber}`, text)
  }
  reading.section = 'outside'
  reading.message = emptyMessage()
}

function takeBalance(reading: Reading, field: Field, kind: 'opening' | 'closing'): void {
  closeEntry(reading)
  const { message } = reading
  const position = `line ${field.number}`
  const balance = readMtBalance(field.lines[0] ?? '')
  const isRead = typeof balance !== 'string'
  const isOpening = kind === 'opening' && isRead
  openStatement(reading, isRead ? balance.currency : undefined, isOpening ? field : undefined)
  if (!message.isOpened) {
    const text = `the statement has a balance, but names no account; ${NAME_IT}`
    throw new StatementError({ position, field: ':25:', message: text })
  }
  reading.section = kind === 'opening' ? 'entries' : 'closed'
  if (kind === 'opening') message.hasOpeningBalance = true
  const currency = isRead ? (balance.currency ?? message.currency) : undefined
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
  const { message } = reading
  message.account = { ...message.account, ...readOwnAccount(field.lines[0] ?? '') }
  if (Object.keys(message.account).length === 0) message.account = undefined
  else if (message.account.iban !== reading.warnedIban) {
    const warning = warningOfIban(message.account)
    warn(reading, `line ${field.number}`, warning)
    if (warning !== undefined) reading.warnedIban = message.account.iban
  }
}

function takeNonSwift(reading: Reading, field: Field): void {
  if (reading.entry !== undefined) {
    addToEntry(reading.entry, 'nonSwift', field)
    return
  }
  const { account } = reading.message
  if (account === undefined || reading.section !== 'head') return
  const named = (code: string): string | undefined =>
    cleanText(field.lines.find((line) => line.startsWith(code))?.slice(2))
  fillText(account, 'holderName', named('22'))
  fillText(account, 'name', named('23'))
}

/** Takes a field of an MT942 alone. */
function takeReportField(reading: Reading, field: Field): void {
  closeEntry(reading)
  const { message } = reading
  const text = field.lines[0] ?? ''
  message.isReport = true
  if (field.tag === '34F') {
    message.currency ??= /^[A-Z]{3}/.exec(text)?.[0]
    message.floor ??= readFloorLimit(text)
  } else if (field.tag === '90C' || field.tag === '90D') {
    const difference = message.sums.difference(field.tag, text, message.currency, message.floor)
    warn(reading, `line ${field.number}`, difference)
  } else {
    message.reportedAt = text.trim()
  }
}

function takeEntry(reading: Reading, field: Field): void {
  closeEntry(reading)
  openStatement(reading, reading.message.currency, undefined)
  reading.section = 'entries'
  reading.entryCount += 1
  const position = `entry ${reading.entryCount} (line ${field.number})`
  reading.entry = {
    ...{ position, statementLine: field, details: [], nonSwift: [] },
    ...{ length: 0, fieldCount: 0 },
  }
}

function takeField(reading: Reading, field: Field): void {
  const { tag } = field
  const text = field.lines[0]?.trim() ?? ''
  if (tag === '86') {
    // Without an entry, it describes the statement as a whole.
    if (reading.entry !== undefined) addToEntry(reading.entry, 'details', field)
  } else if (tag === 'NS') {
    takeNonSwift(reading, field)
  } else if (tag === '20') {
    closeMessage(reading, field.number)
    reading.section = 'head'
    reading.message.reference = text
  } else if (tag === '25' || tag === '25P') {
    takeAccount(reading, field)
  } else if (/^(?:13D?|34F|90[CD])$/.test(tag)) {
    takeReportField(reading, field)
  } else if (tag === '60F' || tag === '60M') {
    takeBalance(reading, field, 'opening')
  } else if (tag === '62F' || tag === '62M') {
    takeBalance(reading, field, 'closing')
  } else if (tag === '61') {
    takeEntry(reading, field)
  } else {
    closeEntry(reading)
    if (tag.startsWith('28')) reading.message.number = text
  }
}

/**
 * Reads MT940 statements and MT942 reports, in SWIFT envelopes or without, as German, Dutch, Swiss,
 * Polish and other banks write them. One `account` event per message; a page with balances
 * (`:60M:`, `:62M:`) counts as a statement. Pending entries give a warning; so do numbers and sums
 * of a report (`:90D:`, `:90C:`) that differ from its entries. Holds one entry, and one reference
 * for each entry that has one; fields wait for the width of the lines (mt940-wrap.ts).
 */
export const readMt940: StatementReader = async function* (text, options) {
  const reading: Reading = {
    ...{ options, references: new DigestCounts(), events: [], section: 'outside' },
    ...{ message: emptyMessage(), entryCount: 0, statementCount: 0 },
  }
  const restorer = createBlankRestorer({
    takeField: (field) => takeField(reading, field),
    endMessage: (number) => closeMessage(reading, number),
  })
  const cutter = createFieldCutter(restorer)
  const takeEvents = (): readonly StatementEvent[] => {
    const { events } = reading
    reading.events = []
    return events
  }
  let lastNumber = 1
  try {
    try {
      for await (const lines of linesOf(text)) {
        for (const line of lines) {
          lastNumber = line.number
          cutter.take(line)
        }
        if (reading.events.length > 0) yield takeEvents()
      }
      cutter.end()
    } finally {
      // Waiting fields precede the line with the fault, so their faults come first.
      restorer.release()
    }
    closeMessage(reading, lastNumber)
  } finally {
    // Events before a fault are emitted too, however the text was cut in pieces.
    if (reading.events.length > 0) yield takeEvents()
  }
  if (reading.statementCount === 0 && reading.entryCount === 0) {
    const message = 'contains no MT940 statement and no MT942 report (no :20:, :25:, :60F:)'
    throw new StatementError({ position: `line ${lastNumber}`, message })
  }
}
