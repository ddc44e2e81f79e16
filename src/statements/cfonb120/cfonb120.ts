import { isIban } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import { formatAmount } from '../../money.js'
import { readOwnAccount } from '../account-text.js'
import type { FixedRecord } from '../fixed-width/fixed-records.js'
import { frenchIban } from '../fixed-width/national-iban.js'
import { dayOfDigits } from '../fixed-width/record-fields.js'
import {
  boundEntry,
  emitTransaction,
  eventsOfRecords,
  type RecordReading,
  readDays,
  refuse,
  warn,
} from '../fixed-width/record-reading.js'
import {
  type ReadOptions,
  type StatementAccount,
  StatementError,
  type StatementReader,
  type StatementTransaction,
} from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { applyQualified, type QualifiedDetail } from './cfonb120-details.js'
import {
  type AccountColumns,
  CFONB120_RECORD_WIDTH,
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

/** The state of reading: what the records so far say of the current statement. */
interface CfonbReading extends RecordReading {
  readonly options: ReadOptions
  section: 'outside' | 'entries'
  columns: AccountColumns | undefined
  currency: string | undefined
  /** Of the old balance. */
  day: EpochMs | undefined
  operation: OpenOperation | undefined
  entryCount: number
  statementCount: number
  hasNamedOther: boolean
}

function transactionOf(
  reading: CfonbReading,
  record: OperationRecord,
  currency: string,
  { position, details }: OpenOperation,
): StatementTransaction | undefined {
  const columns = { order: 'dmy', field: '04 booking date', ofStatement: reading.day } as const
  const days = readDays(reading, position, record, columns)
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
    const message = `the ${named}'s name of a ${party} is taken for the counterpart's`
    warn(reading, position, `${message}, here and further on`)
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
  const { operation, currency } = reading
  reading.operation = undefined
  if (operation?.record === undefined) return
  if (currency === undefined) {
    const message = 'the account has no currency; specify one, for example --currency EUR'
    refuse(reading, operation.position, '01 currency', message)
    return
  }
  const transaction = transactionOf(reading, operation.record, currency, operation)
  if (transaction !== undefined) emitTransaction(reading, transaction)
}

function closeStatement(reading: CfonbReading, position: string): void {
  closeOperation(reading)
  if (reading.section === 'outside') return
  reading.section = 'outside'
  const message = 'the statement has no new balance (record 07); the file may be truncated'
  warn(reading, position, message)
}

/**
 * The account of bank, branch and number. Its IBAN is derived, or the one of `--account` where that
 * has the same number: in Monaco only the country differs.
 */
function accountOf(columns: AccountColumns, options: ReadOptions): StatementAccount {
  const { bank, branch, number, currency } = columns
  const asked = options.account?.replace(/\s/g, '').toUpperCase() ?? ''
  const isAsked = isIban(asked) && asked.slice(4, 25) === `${bank}${branch}${number}`
  const iban = isAsked ? asked : frenchIban(bank, branch, number)
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
    warn(reading, position, `record 01, old balance: ${amount}`)
    return
  }
  // Statements have no number; the account has one old balance on one day.
  const name = `${columns.bank} ${columns.branch} ${columns.number} ${reading.currency ?? ''}`
  const balance = `${text.slice(34, 40)} ${formatAmount(amount.unscaled, amount.scale)}`
  reading.events.push({ kind: 'account', account, statementKey: `${name} ${balance}` })
  emitBalance(reading, 'opening', amount)
}

function emitBalance(
  reading: CfonbReading,
  kind: 'opening' | 'closing',
  amount: { readonly unscaled: number; readonly scale: number },
): void {
  const { currency, day } = reading
  if (currency === undefined) return
  const when = day === undefined ? {} : { at: day }
  reading.events.push({ kind: 'balance', balance: { kind, amount, currency, ...when } })
}

/** The reason why a record is not one of the current statement; undefined = it is. */
function strangeness(reading: CfonbReading, text: string): string | undefined {
  const { columns, section } = reading
  if (section === 'outside' || columns === undefined) {
    return 'is in no statement; expected a record 01 before it'
  }
  const own = readAccountColumns(text)
  // Movements of one bank have the code of another one of its group.
  if (own.number === columns.number && own.currency === columns.currency) return undefined
  const [found, expected] = [own, columns].map(({ number, currency }) =>
    `${number} ${currency ?? ''}`.trimEnd(),
  )
  return `names the account "${found}"; expected "${expected}" as in the record 01 before it`
}

function takeOperation(reading: CfonbReading, { text, position, excess }: FixedRecord): void {
  closeOperation(reading)
  reading.entryCount += 1
  const at = `entry ${reading.entryCount} (${position})`
  const details: QualifiedDetail[] = []
  reading.operation = { position: at, details }
  const strange = strangeness(reading, text)
  const read = readOperation(text)
  if (strange !== undefined) refuse(reading, at, '04 account', strange)
  else if ('message' in read) refuse(reading, at, read.field ?? '04', read.message)
  else if (excess !== '') {
    const message = `has more than ${CFONB120_RECORD_WIDTH} characters`
    refuse(reading, at, '04', `${message}, so that its columns are in doubt: "${excess}" is over`)
  } else reading.operation = { position: at, record: read, details }
}

function takeDetail(reading: CfonbReading, { text, position }: FixedRecord): void {
  const { operation } = reading
  if (operation === undefined) {
    warn(reading, position, 'record 05 follows no movement (record 04); it is left out')
    return
  }
  operation.details.push({ qualifier: text.slice(45, 48), text: text.slice(48, 118) })
  boundEntry(operation.details.length, operation.position)
}

function takeNewBalance(reading: CfonbReading, { text, position }: FixedRecord): void {
  closeOperation(reading)
  const strange = strangeness(reading, text)
  if (strange !== undefined) {
    warn(reading, position, `record 07 ${strange}; its balance is left out`)
    return
  }
  reading.section = 'outside'
  const amount = readOverpunched(text.slice(90, 104), text.charAt(19))
  reading.day = dayOfDigits(text.slice(34, 40), 'dmy')
  if (typeof amount === 'string') warn(reading, position, `record 07, new balance: ${amount}`)
  else emitBalance(reading, 'closing', amount)
}

function takeRecord(reading: CfonbReading, record: FixedRecord): void {
  const type = record.text.slice(0, 2)
  if (record.excess !== '' && type !== '04') {
    warn(reading, record.position, `has more than ${CFONB120_RECORD_WIDTH} characters`)
  }
  if (type === '01') takeOldBalance(reading, record)
  else if (type === '04') takeOperation(reading, record)
  else if (type === '05') takeDetail(reading, record)
  else if (type === '07') takeNewBalance(reading, record)
  else {
    // A record that may have been a movement is not passed over.
    const message = `"${record.text.slice(0, 10)}" begins no record; expected 01, 04, 05 or 07`
    refuse(reading, record.position, 'record', message)
  }
}

/**
 * Reads CFONB120, the French account statement in records of 120 characters; one `account` event
 * per statement. Holds one movement with its details.
 * @see cfonb120-records.ts for the records and their source
 */
export const readCfonb120: StatementReader = async function* (text, options) {
  const reading: CfonbReading = {
    ...{
      options,
      events: [],
      lastPosition: 'line 1',
      hasFillers: false,
      section: 'outside',
      columns: undefined,
    },
    ...{ currency: undefined, day: undefined, operation: undefined },
    ...{ entryCount: 0, statementCount: 0, hasNamedOther: false },
  }
  yield* eventsOfRecords(text, CFONB120_RECORD_WIDTH, reading, {
    take: (record) => takeRecord(reading, record),
    end: () => closeStatement(reading, reading.lastPosition),
  })
  if (reading.statementCount > 0) return
  const message = 'contains no CFONB120 statement (no record 01)'
  throw new StatementError({ position: reading.lastPosition, message })
}
