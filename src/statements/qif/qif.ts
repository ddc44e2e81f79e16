import { formatAmount } from '../../money.js'
import { readOwnAccount, warningOfIban } from '../account-text.js'
import { emittedEvents } from '../emitted-events.js'
import {
  type ReadOptions,
  STATEMENT_ENTRY_CHARS_MAX,
  type StatementAccount,
  StatementError,
  type StatementEvent,
  type StatementReader,
} from '../statement.js'
import { linesOf } from '../text-lines.js'
import { inferNotation, type QifNotation } from './qif-notation.js'
import { type QifPart, type QifRecord, QifRecordReader, textOf } from './qif-records.js'
import { amountOfRecord, readQifTransaction } from './qif-transaction.js'

/**
 * Records that are held until their days and amounts prove the notation: a month of a busy account,
 * small enough to hold.
 */
const EVIDENCE_RECORDS_MAX = 1_000

/** Registers: `!Type:Bank` of a bank, of cash, of a card, of other assets and debts. */
const REGISTER = /^type:\s*(?:bank|cash|ccard|oth\s?[al])\b/iu

/** Lists that programs export with the registers: categories, memorized bookings, prices. */
const LIST = /^type:\s*(?:cat|class|tag|memorized|security|prices|budget|invitem|template)\b/iu

/** Whether the text begins with a header of QIF. */
export function isQif(head: string): boolean {
  return /^!(?:type:|account\b|option:|clear:)/iu.test(head)
}

/** A booking whose notation is not yet known, with the account it belongs to. */
interface HeldRecord {
  readonly record: QifRecord
  /** The account that begins with the record; undefined = the same as before. */
  readonly account: StatementAccount | undefined
  readonly isFirst: boolean
}

/** The state of reading. */
interface Reading {
  readonly options: ReadOptions
  readonly currency: string
  events: StatementEvent[]
  section: 'register' | 'accounts' | 'other'
  /** The account of the last !Account. */
  named: QifRecord | undefined
  /** The name of the open register's account, or its header; undefined before the first one. */
  opened: string | undefined
  /** Whether the next booking is the first of its register. */
  isFirst: boolean
  /** Account that is not yet emitted, because a booking has to follow. */
  account: StatementAccount | undefined
  held: HeldRecord[]
  /** Characters of the held records. */
  heldLength: number
  notation: QifNotation | undefined
  registerCount: number
  entryCount: number
}

/**
 * Reads the registers of a QIF file: bank, cash, card and other accounts. Each begins with an
 * `account` event: `!Account` names it, else the caller, who also names the currency. A record
 * "Opening Balance" is a balance, not a booking. Lists are skipped, and investments with a warning.
 * The caller may specify the order of days and the decimal mark (`--columns dateFormat=mdy`);
 * otherwise the first records prove them, at most EVIDENCE_RECORDS_MAX of which are held.
 * @throws StatementError when account or currency are missing, the notation is ambiguous, or the
 *   file has no register
 */
export const readQif: StatementReader = async function* (text, options) {
  const { currency } = options
  if (currency === undefined) {
    const message = 'a QIF file does not name its currency; specify it, for example --currency USD'
    throw new StatementError({ position: 'line 1', message })
  }
  const reading: Reading = {
    ...{ options, currency, events: [], section: 'register', named: undefined },
    ...{ opened: undefined, isFirst: true, account: undefined, held: [], heldLength: 0 },
    ...{ notation: undefined, registerCount: 0, entryCount: 0 },
  }
  const records = new QifRecordReader((part) => takePart(reading, part))
  let lastNumber = 1
  yield* emittedEvents(linesOf(text), reading, {
    take: (line) => {
      lastNumber = line.number
      records.take(line)
    },
    end: () => {
      records.end()
      release(reading)
    },
  })
  if (reading.registerCount === 0) {
    const message = 'the file has no register; expected !Type:Bank, Cash, CCard, Oth A or Oth L'
    throw new StatementError({ position: `line ${lastNumber}`, message })
  }
}

function takePart(reading: Reading, part: QifPart): void {
  if (part.kind === 'header') takeHeader(reading, part.text, part.line)
  else if (reading.section === 'accounts') reading.named = part.record
  else if (reading.section === 'register') takeBooking(reading, part.record)
}

function takeHeader(reading: Reading, text: string, line: number): void {
  if (/^account\b/iu.test(text)) {
    reading.section = 'accounts'
  } else if (REGISTER.test(text)) {
    reading.section = 'register'
    openRegister(reading, text, line)
  } else if (/^(?:option|clear):/iu.test(text)) {
    // Accounts between the two options are a list, not the account of the next register.
    if (/^clear:/iu.test(text)) reading.named = undefined
  } else {
    reading.section = 'other'
    if (LIST.test(text)) return
    const message = `!${text.slice(0, 40)} is not a register, skipped`
    reading.events.push({ kind: 'warning', message, position: `line ${line}` })
  }
}

/**
 * Opens the account of a register. A number from the caller is that of the only account of the
 * file; several accounts are distinguished by their names in the file.
 */
function openRegister(reading: Reading, header: string, line: number): void {
  const { named, options } = reading
  reading.registerCount += 1
  reading.isFirst = true
  const name = (named && textOf(named, 'N')) ?? ''
  const opened = name === '' ? header : name
  if (options.account !== undefined && (reading.opened ?? opened) !== opened) {
    const names = JSON.stringify(`${reading.opened}, ${opened}`)
    const message =
      `the file has several accounts (${names}), and --account names one; leave it out, or ` +
      'export one account a file'
    throw new StatementError({ position: `line ${line}`, message })
  }
  const account = readOwnAccount(options.account ?? name)
  if (account === undefined) {
    const message =
      'the file does not name its account (!Account); specify it, for example --account 123456789'
    throw new StatementError({ position: `line ${line}`, message })
  }
  reading.opened = opened
  account.currency = reading.currency
  if (name !== '') account.name = name
  reading.account = account
  reading.named = undefined
}

function takeBooking(reading: Reading, record: QifRecord): void {
  if (reading.registerCount === 0) openRegister(reading, '', record.line)
  const { account, isFirst } = reading
  reading.account = undefined
  reading.isFirst = false
  reading.held.push({ record, account, isFirst })
  reading.heldLength += record.length
  const isFull =
    reading.held.length >= EVIDENCE_RECORDS_MAX || reading.heldLength > STATEMENT_ENTRY_CHARS_MAX
  if (isFull || reading.notation !== undefined) release(reading)
}

/** Emits the held bookings. */
function release(reading: Reading): void {
  const { held } = reading
  reading.held = []
  reading.heldLength = 0
  const records = held.map(({ record }) => record)
  reading.notation ??= inferNotation(records, reading.options)
  for (const each of held) emit(reading, each, reading.notation)
}

function emit(reading: Reading, { record, account, isFirst }: HeldRecord, as: QifNotation): void {
  if (account !== undefined) emitAccount(reading, account, record.line)
  if (isFirst && isOpeningBalance(record)) {
    emitOpening(reading, record, as)
    return
  }
  reading.entryCount += 1
  const position = `transaction ${reading.entryCount} (line ${record.line})`
  reading.events.push(...readQifTransaction(record, as, reading.currency, position))
}

function emitAccount(reading: Reading, account: StatementAccount, line: number): void {
  reading.events.push({ kind: 'account', account })
  const message = warningOfIban(account)
  const position = `line ${line}`
  if (message !== undefined) reading.events.push({ kind: 'warning', message, position })
}

/** Whether a record is the first one of a Quicken register, with the balance before it. */
function isOpeningBalance(record: QifRecord): boolean {
  return /^opening balance$/iu.test(textOf(record, 'P') ?? '')
}

function emitOpening(reading: Reading, record: QifRecord, as: QifNotation): void {
  const { currency } = reading
  const position = `line ${record.line}`
  const amount = amountOfRecord(record, as, currency)
  if ('message' in amount) {
    const { field, message } = amount
    reading.events.push({ kind: 'refused', fault: { position, field, message } })
    return
  }
  reading.events.push({ kind: 'balance', balance: { kind: 'opening', amount, currency } })
  if (amount.unscaled === 0) return
  const text = formatAmount(amount.unscaled, amount.scale)
  const message = `"Opening Balance" ${text} ${currency} is read as a balance, not as a booking`
  reading.events.push({ kind: 'warning', message, position })
}
