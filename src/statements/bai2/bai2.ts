import type { EpochMs } from '../../instant.js'
import { readOwnAccount, warningOfIban } from '../account-text.js'
import { emittedEvents } from '../emitted-events.js'
import { digestOf } from '../import/digest.js'
import {
  type ReadOptions,
  StatementError,
  type StatementEvent,
  type StatementReader,
} from '../statement.js'
import { linesOf } from '../text-lines.js'
import {
  amountOf,
  type Bai2Group,
  dayOf,
  readAccount,
  readEntry,
  readGroup,
  unitsOf,
} from './bai2-fields.js'
import { type Bai2Record, Bai2RecordReader, FieldReader } from './bai2-records.js'

/** Whether the text begins with the headers of a BAI2 file and of its first group. */
export function isBai2(head: string): boolean {
  const isHeader = /^01,[^,\n]{0,60},[^,\n]{0,60},\d{6}(?:\d{2})?,\d{0,4},/u.test(head)
  return isHeader && /\s02,/u.test(head)
}

/** Sums and counts of a file, a group or an account, which its trailer repeats. */
interface Level {
  units: bigint
  /** Physical records, header and trailer included. */
  recordCount: number
  /** Groups of a file, accounts of a group. */
  memberCount: number
}

/** The state of reading. */
interface Reading {
  readonly options: ReadOptions
  events: StatementEvent[]
  file?: Level | undefined
  group?: Level | undefined
  account?: Level | undefined
  /** Day of the file header. */
  fileDay?: EpochMs | undefined
  groupFields?: Bai2Group | undefined
  /** Digest of the group header, which the key of each of its accounts contains. */
  groupDigest: string
  /** Currency of the current account. */
  currency: string
  /** Whether the group is skipped, because it is a test or a deletion. */
  isSkipped: boolean
  isCurrencyAssumed: boolean
  isEnded: boolean
  entryCount: number
  accountCount: number
}

function warn(reading: Reading, record: Bai2Record, message: string): void {
  reading.events.push({ kind: 'warning', message, position: `line ${record.line}` })
}

function newLevel(): Level {
  return { units: 0n, recordCount: 0, memberCount: 0 }
}

function takeFileHeader(reading: Reading, record: Bai2Record): void {
  const fields = record.parts.join(',').split(',')
  const version = fields[7]?.trim() ?? ''
  if (version !== '2' && version !== '') {
    const message =
      `the file is BAI version ${JSON.stringify(version.slice(0, 10))}, expected 2; ` +
      'ask the bank for BAI version 2'
    throw new StatementError({ position: `line ${record.line}`, field: '01', message })
  }
  reading.fileDay = dayOf(fields[2]?.trim() ?? '')
  reading.isEnded = false
}

function takeGroup(reading: Reading, record: Bai2Record): void {
  const group = readGroup(record)
  reading.groupDigest = digestOf(record.parts.join('\n'))
  reading.isSkipped = false
  if (group.asOf === undefined && reading.fileDay !== undefined) {
    warn(reading, record, 'the group (02) names no day; the day of the file (01) is assumed')
  }
  reading.groupFields = { ...group, asOf: group.asOf ?? reading.fileDay }
  if (group.status === '2') {
    const message = 'the group deletes earlier bookings (status 2), which is not supported'
    const fault = { position: `line ${record.line}`, field: '02', message }
    reading.events.push({ kind: 'refused', fault })
    reading.isSkipped = true
  } else if (group.status === '3') {
    const message =
      'the group corrects earlier bookings (status 3): corrected ones are added, and the wrong ' +
      'ones of an earlier file stay; delete these'
    warn(reading, record, message)
  } else if (group.status === '4') {
    warn(reading, record, 'the group is a test (status 4), skipped')
    reading.isSkipped = true
  }
  if (!reading.isSkipped && (group.dayState === '1' || group.dayState === '3')) {
    warn(reading, record, `the bookings of the group are not final (02, state ${group.dayState})`)
  }
}

function takeAccount(reading: Reading, record: Bai2Record): void {
  const { options, groupFields } = reading
  const { number, currency, summaries } = readAccount(record)
  for (const { amount } of summaries) addUnits(reading, amount)
  const known = currency ?? groupFields?.currency ?? options.currency
  reading.currency = known ?? 'USD'
  reading.accountCount += 1
  if (reading.isSkipped) return
  if (known === undefined && !reading.isCurrencyAssumed) {
    reading.isCurrencyAssumed = true
    const message = 'the file names no currency; USD, the default of BAI2, is assumed'
    warn(reading, record, `${message}; override it with --currency`)
  }
  const account = readOwnAccount(number) ?? readOwnAccount(options.account ?? '')
  if (account === undefined) {
    const message = 'the record names no account; specify it, for example --account 123456789'
    throw new StatementError({ position: `line ${record.line}`, field: '03', message })
  }
  account.currency = reading.currency
  const hasBalance = summaries.some(({ code }) => code === '010' || code === '015')
  const statementKey = `${reading.groupDigest}\n${record.parts.join('\n')}`
  const isInterim = groupFields?.dayState === '1' || groupFields?.dayState === '3'
  reading.events.push({
    ...{ kind: 'account', account },
    ...(hasBalance ? { statementKey } : {}),
    ...(isInterim ? { isInterim } : {}),
  })
  const warning = warningOfIban(account)
  if (warning !== undefined) warn(reading, record, warning)
  for (const { code, amount: text } of summaries) {
    if (code !== '010' && code !== '015') continue
    const amount = amountOf(text, reading.currency)
    const kind = code === '010' ? 'opening' : 'closing'
    if (typeof amount === 'string') {
      warn(reading, record, `the ${kind} balance (${code}) ${amount}`)
      continue
    }
    const at = groupFields?.asOf
    const when = at === undefined ? {} : { at }
    const balance = { kind, amount, currency: reading.currency, ...when } as const
    reading.events.push({ kind: 'balance', balance })
  }
}

function takeEntry(reading: Reading, record: Bai2Record): void {
  reading.entryCount += 1
  const position = `transaction ${reading.entryCount} (line ${record.line})`
  const fields = new FieldReader(record.parts)
  fields.next()
  addUnits(reading, fields.next() ?? '')
  if (reading.isSkipped) return
  const { groupFields, account } = reading
  if (account === undefined || groupFields === undefined) {
    const message = 'the record is not in an account (03)'
    reading.events.push({ kind: 'refused', fault: { position, field: '16', message } })
    return
  }
  const entry = readEntry(record, groupFields, reading.currency, position)
  if (entry.kind === 'refused') reading.events.push(entry)
  else if (entry.kind === 'note') {
    reading.events.push({ kind: 'warning', message: entry.message, position })
  } else {
    const { transaction, warning } = entry
    if (warning !== undefined) reading.events.push({ kind: 'warning', message: warning, position })
    reading.events.push({ kind: 'transaction', transaction })
  }
}

/** Adds an amount. One that is not a number is refused or reported where it is read. */
function addUnits(reading: Reading, amount: string): void {
  const { account } = reading
  if (account !== undefined) account.units += unitsOf(amount) ?? 0n
}

const LEVEL_NAMES = { '49': 'account', '98': 'group', '99': 'file' } as const
const MEMBERS = { '98': 'accounts', '99': 'groups' } as const

/** Compares a trailer with the records before it. */
function checkTrailer(reading: Reading, record: Bai2Record, level: Level): void {
  const { code } = record
  if (code !== '49' && code !== '98' && code !== '99') return
  const fields = new FieldReader(record.parts)
  const differences: string[] = []
  const compare = (what: string, text: string | undefined, found: bigint | number): void => {
    if (text === undefined || text === '') return
    if (unitsOf(text) === BigInt(found)) return
    differences.push(`${what} ${text.slice(0, 40)}, but ${found} was read`)
  }
  compare('the total', fields.next(), level.units)
  if (code !== '49') compare(`the number of ${MEMBERS[code]}`, fields.next(), level.memberCount)
  compare('the number of records', fields.next(), level.recordCount)
  if (differences.length === 0) return
  const message = `the trailer of the ${LEVEL_NAMES[code]} (${code}) has ${differences.join('; ')}`
  warn(reading, record, `${message}; the file may be incomplete or changed`)
}

/** Opens the level that a record begins, and counts it in the level above. */
function openLevel(reading: Reading, { code }: Bai2Record): void {
  if (code === '01') reading.file = newLevel()
  if (code === '02') {
    reading.group = newLevel()
    reading.account = undefined
    if (reading.file !== undefined) reading.file.memberCount += 1
  }
  if (code === '03') {
    reading.account = newLevel()
    if (reading.group !== undefined) reading.group.memberCount += 1
  }
}

function closeLevel(reading: Reading, record: Bai2Record): void {
  const { file, group, account } = reading
  const { code } = record
  if (code === '49' && account !== undefined) {
    checkTrailer(reading, record, account)
    if (group !== undefined) group.units += account.units
    reading.account = undefined
  } else if (code === '98' && group !== undefined) {
    checkTrailer(reading, record, group)
    if (file !== undefined) file.units += group.units
    reading.group = undefined
    reading.groupFields = undefined
    reading.account = undefined
  } else if (code === '99') {
    if (file !== undefined) checkTrailer(reading, record, file)
    reading.file = undefined
    reading.isEnded = true
  }
}

function takeRecord(reading: Reading, record: Bai2Record): void {
  openLevel(reading, record)
  for (const level of [reading.file, reading.group, reading.account]) {
    if (level !== undefined) level.recordCount += record.count
  }
  const { code } = record
  if (code === '01') takeFileHeader(reading, record)
  else if (code === '02') takeGroup(reading, record)
  else if (code === '03') takeAccount(reading, record)
  else if (code === '16') takeEntry(reading, record)
  else closeLevel(reading, record)
}

/**
 * Reads BAI2 (BAI version 2), which banks in North America write: one `account` event for each
 * account record, with its opening (010) and closing (015) ledger balance. Totals and counts of the
 * trailers (49, 98, 99) are checked; a difference is a warning. Amounts are in the currency's
 * smallest unit, that of USD where neither file nor caller names one. Holds one record.
 * @throws StatementError when the file has no account, or is of another version
 */
export const readBai2: StatementReader = async function* (text, options) {
  const reading: Reading = {
    ...{
      options,
      events: [],
      groupDigest: '',
      currency: '',
      isSkipped: false,
      isCurrencyAssumed: false,
    },
    ...{ isEnded: false, entryCount: 0, accountCount: 0 },
  }
  const records = new Bai2RecordReader((record) => takeRecord(reading, record))
  let position = 'line 1'
  yield* emittedEvents(linesOf(text), reading, {
    take: (line) => {
      position = `line ${line.number}`
      records.take(line)
    },
    end: () => {
      records.end()
      if (reading.isEnded) return
      const message = 'the file has no trailer (99); it may be truncated'
      reading.events.push({ kind: 'warning', message, position })
    },
  })
  if (reading.accountCount === 0 && reading.entryCount === 0) {
    throw new StatementError({ position, message: 'contains no BAI2 account (03)' })
  }
}
