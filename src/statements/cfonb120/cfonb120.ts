import { isIban } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import { formatAmount } from '../../money.js'
import { readOwnAccount } from '../account-text.js'
import type { FixedRecord } from '../fixed-width/fixed-records.js'
import { frenchIban } from '../fixed-width/national-iban.js'
import { dayOfDigits } from '../fixed-width/record-fields.js'
import { RecordReading } from '../fixed-width/record-reading.js'
import type {
  ReadOptions,
  StatementAccount,
  StatementReader,
  StatementTransaction,
} from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { applyQualified, type QualifiedDetail } from './cfonb120-details.js'
import {
  type AccountColumns,
  CFONB120,
  type OperationRecord,
  readAccountColumns,
  readOperation,
  readOverpunched,
} from './cfonb120-records.js'

/** A movement whose details may still follow. */
interface OpenOperation {
  readonly position: string
  /** Absent when its record 04 was refused. */
  readonly record?: OperationRecord
  readonly details: QualifiedDetail[]
}

/** The state of reading the current statement. */
class CfonbReading extends RecordReading {
  section: 'outside' | 'entries' = 'outside'
  columns: AccountColumns | undefined
  /** Day of the old balance, then of the new one. */
  day: EpochMs | undefined
  operation: OpenOperation | undefined
  hasNamedOther = false
}

function transactionOf(
  reading: CfonbReading,
  record: OperationRecord,
  currency: string,
  { position, details }: OpenOperation,
): StatementTransaction | undefined {
  const days = reading.entryDays(position, record, reading.day)
  if (days === undefined) return undefined
  const transaction: StatementTransaction = {
    ...{ amount: record.amount, currency, ...days },
    ...{ counterpart: {}, position },
  }
  const reject = record.reject === '' || record.reject === '00' ? '' : ` Reject ${record.reject}`
  const source = applyQualified(transaction, `${record.label}${reject}`, details)
  if (source === 'other' && !reading.hasNamedOther) {
    reading.hasNamedOther = true
    const [named, party] =
      record.amount.unscaled < 0 ? ['payer', 'debit'] : ['beneficiary', 'credit']
    const message = `the name of the ${named} of a ${party} is used as the counterpart's name`
    reading.warn(position, `${message}, here and in later entries`)
  }
  const reference = cleanReference(record.reference)
  fillText(transaction.counterpart, 'customerReference', reference)
  const isOther = reference !== transaction.counterpart.customerReference
  const purpose = joinTexts([transaction.purpose, isOther ? reference : undefined])
  if (purpose !== undefined) transaction.purpose = purpose
  fillText(transaction, 'type', record.code === '' ? undefined : record.code)
  if (!/^0*$/.test(record.number)) fillText(transaction, 'primanota', record.number)
  return transaction
}

function closeOperation(reading: CfonbReading): void {
  const { operation } = reading
  reading.operation = undefined
  if (operation?.record === undefined) return
  const currency = reading.entryCurrency(operation.position, '01 currency')
  if (currency === undefined) return
  const transaction = transactionOf(reading, operation.record, currency, operation)
  if (transaction !== undefined) reading.emit(transaction)
}

function closeStatement(reading: CfonbReading, position: string): void {
  closeOperation(reading)
  if (reading.section === 'outside') return
  reading.section = 'outside'
  const message = 'the statement has no new balance (record 07); the file may be truncated'
  reading.warn(position, message)
}

/**
 * The account of bank, branch and number. Its IBAN is derived, or that of `--account` if it has the
 * same number: in Monaco only the country differs.
 */
function accountOf(columns: AccountColumns, options: ReadOptions): StatementAccount {
  const { bank, branch, number, currency } = columns
  const given = options.account?.replace(/\s/g, '').toUpperCase() ?? ''
  const isGiven = isIban(given) && given.slice(4, 25) === `${bank}${branch}${number}`
  const iban = isGiven ? given : frenchIban(bank, branch, number)
  const accountNumber = cleanText(number)
  const named = accountNumber === undefined ? readOwnAccount(options.account ?? '') : undefined
  return {
    ...named,
    ...(iban === undefined ? {} : { iban }),
    ...(accountNumber === undefined ? {} : { accountNumber }),
    ...(currency === undefined ? {} : { currency }),
  }
}

function takeOldBalance(reading: CfonbReading, { text, position }: FixedRecord): void {
  closeStatement(reading, position)
  const columns = readAccountColumns(text)
  const account = accountOf(columns, reading.options)
  reading.columns = columns
  reading.currency = columns.currency ?? reading.options.currency
  if (reading.currency !== undefined) account.currency = reading.currency
  reading.section = 'entries'
  reading.statementCount += 1
  reading.day = dayOfDigits(text.slice(34, 40), 'dmy')
  const amount = readOverpunched(text.slice(90, 104), text.charAt(19))
  if (typeof amount === 'string') {
    reading.events.push({ kind: 'account', account })
    reading.warn(position, `record 01, old balance: ${amount}`)
    return
  }
  // Statements have no number, but an account has one old balance on one day.
  const name = `${columns.bank} ${columns.branch} ${columns.number} ${reading.currency ?? ''}`
  const balance = `${text.slice(34, 40)} ${formatAmount(amount.unscaled, amount.scale)}`
  reading.events.push({ kind: 'account', account, statementKey: `${name} ${balance}` })
  reading.events.push(...reading.balanceEvents('opening', amount, reading.day))
}

/** The reason why a record does not belong to the current statement; undefined = it does. */
function mismatch(reading: CfonbReading, text: string): string | undefined {
  const { columns, section } = reading
  if (section === 'outside' || columns === undefined) {
    return 'is in no statement; expected a record 01 before it'
  }
  const own = readAccountColumns(text)
  // The records of a bank may have the code of another bank of its group.
  if (own.number === columns.number && own.currency === columns.currency) return undefined
  const [found, expected] = [own, columns].map(({ number, currency }) =>
    `${number} ${currency ?? ''}`.trimEnd(),
  )
  return `names the account "${found}"; expected "${expected}" as in the record 01 before it`
}

function takeOperation(reading: CfonbReading, record: FixedRecord): void {
  closeOperation(reading)
  const position = reading.nextEntry(record)
  const message = mismatch(reading, record.text)
  const read =
    message === undefined
      ? reading.readEntry(record, readOperation)
      : { field: '04 account', message }
  const isRead = !('message' in read)
  reading.operation = { position, ...(isRead ? { record: read } : {}), details: [] }
  if (!isRead) reading.refuse(position, read)
}

function takeDetail(reading: CfonbReading, { text, position }: FixedRecord): void {
  const { operation } = reading
  if (operation === undefined) {
    reading.warn(position, 'record 05 follows no movement (record 04); it is left out')
    return
  }
  operation.details.push({ qualifier: text.slice(45, 48), text: text.slice(48, 118) })
  reading.boundEntry(operation.details.length, operation.position)
}

function takeNewBalance(reading: CfonbReading, { text, position }: FixedRecord): void {
  closeOperation(reading)
  const message = mismatch(reading, text)
  if (message !== undefined) {
    reading.warn(position, `record 07 ${message}; its balance is left out`)
    return
  }
  reading.section = 'outside'
  const amount = readOverpunched(text.slice(90, 104), text.charAt(19))
  reading.day = dayOfDigits(text.slice(34, 40), 'dmy')
  if (typeof amount === 'string') reading.warn(position, `record 07, new balance: ${amount}`)
  else reading.events.push(...reading.balanceEvents('closing', amount, reading.day))
}

function takeRecord(reading: CfonbReading, record: FixedRecord): void {
  const type = record.text.slice(0, 2)
  reading.warnOfExcess(record)
  if (type === '01') takeOldBalance(reading, record)
  else if (type === '04') takeOperation(reading, record)
  else if (type === '05') takeDetail(reading, record)
  else if (type === '07') takeNewBalance(reading, record)
  else reading.refuseType(record)
}

/**
 * Reads CFONB120, the French account statement in records of 120 characters; one `account` event
 * per statement. Holds one movement with its details.
 * @see cfonb120-records.ts for the records and their source
 */
export const readCfonb120: StatementReader = async function* (text, options) {
  const reading = new CfonbReading(CFONB120, options)
  yield* reading.eventsOf(text, {
    take: (record) => takeRecord(reading, record),
    end: (position) => closeStatement(reading, position),
    missing: () => 'contains no CFONB120 statement (no record 01)',
  })
}
