import { compactCode, isBic } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import { type Amount, formatAmount, formatSum, type Sum, sumOf } from '../../money.js'
import { readOwnAccount, warningOfIban } from '../account-text.js'
import type { FixedRecord } from '../fixed-width/fixed-records.js'
import {
  dayOfDigits,
  type RecordFault,
  signedAmountOf,
  totalOfDigits,
} from '../fixed-width/record-fields.js'
import { RecordReading } from '../fixed-width/record-reading.js'
import type { StatementAccount, StatementEvent, StatementReader } from '../statement.js'
import { cleanText, fillText } from '../text-field.js'
import { addDetail, emitEntry, isDetailKind } from './coda-entry.js'
import { addRecord, type MovementReading, openMovement } from './coda-movement.js'
import { CODA, readCodaAccount, readMovement } from './coda-records.js'

/** The state of reading the current statement. */
class CodaReading extends RecordReading {
  section: 'outside' | 'entries' | 'closed' = 'outside'
  /** Day and version of the header. */
  day: EpochMs | undefined
  version = '2'
  bic: string | undefined
  /** Code of a statement of details without entries; undefined = a statement with entries. */
  application: string | undefined
  /** Number of details of a separate application: their totals are entries of another statement. */
  leftOutCount = 0
  /** Account and old balance of such a statement, until it has an entry. */
  held: StatementEvent[] = []
  account: StatementAccount | undefined
  /** Kind of the account number, from record 1. */
  accountKind = '0'
  /** The open entry, whose details may still follow, and the open movement. */
  entry: MovementReading | undefined
  movement: MovementReading | undefined
  entryRecordCount = 0
  /** Number of records 1 to 8 of the statement, for the trailer. */
  recordCount = 0
  debits: Sum = 0n
  credits: Sum = 0n
}

function closeEntry(reading: CodaReading): void {
  const { entry, day } = reading
  reading.entry = undefined
  reading.movement = undefined
  if (entry === undefined) return
  const currency = reading.entryCurrency(entry.position, '1 currency')
  if (currency !== undefined) emitEntry(reading, entry, { currency, day })
}

/** Emits the account of a statement with more than details of a separate application. */
function release(reading: CodaReading): void {
  if (reading.held.length === 0) return
  reading.events.push(...reading.held)
  reading.held = []
  reading.statementCount += 1
}

/** Ends the statement: at its trailer, at the next header, or at the end of the file. */
function closeStatement(reading: CodaReading, position: string): void {
  closeEntry(reading)
  if (reading.leftOutCount === 0) release(reading)
  else if (reading.application !== undefined) {
    const message = `${reading.leftOutCount} details of a separate application`
    const where = `(${reading.application}) are left out: their totals are in the main statement`
    reading.warn(position, `${message} ${where}`)
    reading.application = undefined
  }
  reading.held = []
  if (reading.section === 'entries') {
    const message = 'the statement has no closing balance (record 8); the file may be truncated'
    reading.warn(position, message)
  }
  reading.section = 'outside'
  reading.account = undefined
}

function takeHeader(reading: CodaReading, { text, position }: FixedRecord): void {
  closeStatement(reading, position)
  reading.day = dayOfDigits(text.slice(5, 11), 'dmy')
  reading.version = text.charAt(127)
  const bic = compactCode(text.slice(60, 71))
  reading.bic = isBic(bic) ? bic : undefined
  const application = text.slice(83, 88)
  reading.application = /^[0 ]*$/.test(application) ? undefined : application
  reading.leftOutCount = 0
  reading.recordCount = 0
  reading.debits = 0n
  reading.credits = 0n
}

function takeOldBalance(reading: CodaReading, { text, position }: FixedRecord): void {
  closeEntry(reading)
  if (reading.section === 'entries') closeStatement(reading, position)
  reading.accountKind = reading.version === '1' ? '0' : text.charAt(1)
  const named = readCodaAccount(reading.accountKind, text.slice(5, 42))
  const isNamed = named.iban !== undefined || named.accountNumber !== undefined
  const account = isNamed ? named : { ...readOwnAccount(reading.options.account ?? ''), ...named }
  fillText(account, 'bic', reading.bic)
  fillText(account, 'holderName', cleanText(text.slice(64, 90)))
  fillText(account, 'name', cleanText(text.slice(90, 125)))
  reading.removeFillers(account)
  reading.currency = account.currency ?? reading.options.currency
  if (reading.currency !== undefined) account.currency = reading.currency
  reading.account = account
  reading.section = 'entries'
  reading.warn(position, warningOfIban(account))
  const amount = signedAmountOf(text.charAt(42), text.slice(43, 58), CODA)
  if (typeof amount === 'string') {
    reading.held = [{ kind: 'account', account }]
    reading.warn(position, `record 1, old balance: ${amount}`)
  } else {
    reading.held = [
      { kind: 'account', account, ...statementKeyOf(account, text, amount) },
      ...reading.balanceEvents('opening', amount, dayOfDigits(text.slice(58, 64), 'dmy')),
    ]
  }
  if (reading.application === undefined) release(reading)
}

/** The key of a statement with a number: numbers restart each year, and some banks write zeros. */
function statementKeyOf(
  account: StatementAccount,
  text: string,
  amount: Amount,
): { statementKey?: string } {
  const number = text.slice(125, 128)
  if (/^0*$/.test(number.trim())) return {}
  const balance = `${text.slice(58, 64)} ${formatAmount(amount.unscaled, amount.scale)}`
  return { statementKey: `${account.iban ?? account.accountNumber ?? ''} ${number} ${balance}` }
}

function takeDetail(reading: CodaReading, entry: MovementReading, record: FixedRecord): void {
  const { text, position } = record
  const at = `entry ${reading.entryCount}, detail ${entry.details.length + 1} (${position})`
  const read = reading.readEntry(record, readMovement)
  const isRead = !('message' in read)
  // The amount of the entry is still known; the entry is only not split.
  if (!isRead) reading.warn(at, `${read.field}: ${read.message}`)
  reading.movement = openMovement(text, at, isRead ? read : undefined)
  addDetail(entry, reading.movement)
  reading.entryRecordCount += 1
  reading.boundEntry(reading.entryRecordCount, entry.position)
}

/** Whether a record 21 is a detail of the open entry, by its kind or by its detail number. */
function isDetailOf(entry: MovementReading | undefined, text: string): entry is MovementReading {
  if (entry === undefined || entry.sequence !== text.slice(2, 6)) return false
  if (isDetailKind(text.charAt(53))) return true
  // Some banks give the details of a batch the kind of an entry.
  return text.slice(6, 10) !== '0000' && /[1-3]/.test(entry.record?.kind ?? '0')
}

function takeMovement(reading: CodaReading, record: FixedRecord): void {
  const { text, position } = record
  if (isDetailOf(reading.entry, text)) {
    takeDetail(reading, reading.entry, record)
    return
  }
  closeEntry(reading)
  const isOrphan = isDetailKind(text.charAt(53))
  if (isOrphan && reading.application !== undefined) {
    reading.leftOutCount += 1
    reading.movement = openMovement(text, position, undefined)
    return
  }
  release(reading)
  reading.entryRecordCount = 0
  const at = reading.nextEntry(record)
  const read = isOrphan ? ORPHAN : reading.readEntry(record, readMovement)
  const isRead = !('message' in read)
  reading.entry = openMovement(text, at, isRead ? read : undefined)
  reading.movement = reading.entry
  if (isRead) addTurnover(reading, read.amount)
  else reading.refuse(at, read)
}

const ORPHAN: RecordFault = {
  field: '21 code',
  message:
    'is a detail (kind 5 to 9), but follows no entry of its sequence number; expected an entry ' +
    'of kind 0 to 3 before it',
}

function addTurnover(reading: CodaReading, { unscaled, scale }: Amount): void {
  const sum = sumOf(BigInt(Math.abs(unscaled)), scale)
  if (unscaled < 0) reading.debits += sum
  else reading.credits += sum
}

/** Takes a record 22, 23, 31, 32 or 33, which belongs to the movement with its sequence number. */
function takeContinuation(reading: CodaReading, { text, position }: FixedRecord): void {
  const { movement } = reading
  const type = text.slice(0, 2)
  if (movement === undefined || movement.sequence !== text.slice(2, 6)) {
    const message = `record ${type} of ${text.slice(2, 6)} follows no movement of that number`
    reading.warn(position, `${message}; it is left out`)
    return
  }
  reading.entryRecordCount += 1
  reading.boundEntry(reading.entryRecordCount, movement.position)
  addRecord(movement, text, reading.version)
}

function takeNewBalance(reading: CodaReading, { text, position }: FixedRecord): void {
  closeEntry(reading)
  const { account, section } = reading
  if (section !== 'entries' || account === undefined) {
    reading.warn(position, 'record 8 has a balance without a statement; it is left out')
    return
  }
  reading.section = 'closed'
  const named = readCodaAccount(reading.accountKind, text.slice(4, 41))
  const isSame = named.iban === account.iban && named.accountNumber === account.accountNumber
  if (!isSame && (named.iban ?? named.accountNumber) !== undefined) {
    const name = named.iban ?? named.accountNumber
    reading.warn(position, `record 8 names another account (${name}) than record 1`)
  }
  const amount = signedAmountOf(text.charAt(41), text.slice(42, 57), CODA)
  if (typeof amount === 'string') reading.warn(position, `record 8, new balance: ${amount}`)
  else {
    if (reading.leftOutCount === 0) release(reading)
    if (reading.held.length > 0) return
    const day = dayOfDigits(text.slice(57, 63), 'dmy')
    reading.events.push(...reading.balanceEvents('closing', amount, day))
  }
}

/** Compares counts and sums of the trailer with those of the records before it. */
function takeTrailer(reading: CodaReading, record: FixedRecord): void {
  const { text, position } = record
  const wasStatement = reading.section !== 'outside' && reading.leftOutCount === 0
  closeStatement(reading, position)
  if (!wasStatement) return
  reading.checkCount(record, '9', text.slice(16, 22), reading.recordCount)
  for (const [digits, sum, name] of [
    [text.slice(22, 37), reading.debits, 'debits'],
    [text.slice(37, 52), reading.credits, 'credits'],
  ] as const) {
    const total = totalOfDigits(digits, CODA.decimals)
    if (total.sum === sum) continue
    const message = `record 9 has the total ${total.text} for ${name}`
    reading.warn(position, `${message}; their sum is ${formatSum(sum)}`)
  }
}

function takeRecord(reading: CodaReading, record: FixedRecord): void {
  const { text } = record
  const type = text.charAt(0)
  if (type === '0') {
    takeHeader(reading, record)
    return
  }
  const movementType = text.slice(0, 2)
  const isContinuation = /^(22|23|31|32|33)$/.test(movementType)
  if (type !== '9' && type !== '4') reading.recordCount += 1
  reading.warnOfExcess(record)
  if (type === '1') takeOldBalance(reading, record)
  else if (movementType === '21') takeInSection(reading, record)
  else if (isContinuation) takeContinuation(reading, record)
  else if (type === '8') takeNewBalance(reading, record)
  else if (type === '9') takeTrailer(reading, record)
  else if (type !== '4') reading.refuseType(record)
}

function takeInSection(reading: CodaReading, record: FixedRecord): void {
  if (reading.section === 'entries') {
    takeMovement(reading, record)
    return
  }
  reading.movement = undefined
  const message = 'the movement is in no statement; expected records 0 and 1 before it'
  reading.refuse(record.position, { field: '21', message })
}

/**
 * Reads CODA, versions 1 and 2: Belgian statements in records of 128 characters. One `account`
 * event per statement. Messages of the bank (record 4) belong to no transaction and are left out.
 * Holds one entry with its details.
 * @see coda-records.ts for the records and their source
 */
export const readCoda: StatementReader = async function* (text, options) {
  const reading = new CodaReading(CODA, options)
  yield* reading.eventsOf(text, {
    take: (record) => takeRecord(reading, record),
    end: (position) => closeStatement(reading, position),
    missing: () =>
      reading.leftOutCount > 0
        ? 'contains details of a separate application alone; import the main statement of the day'
        : 'contains no CODA statement (no record 1)',
  })
}
