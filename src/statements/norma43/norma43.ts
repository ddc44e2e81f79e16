import type { EpochMs } from '../../instant.js'
import { type Amount, formatSum, negateAmount, type Sum, sumOf } from '../../money.js'
import { readOwnAccount } from '../account-text.js'
import type { FixedRecord } from '../fixed-width/fixed-records.js'
import { spanishIban } from '../fixed-width/national-iban.js'
import {
  amountOfDigits,
  dayOfDigits,
  type RecordFault,
  signedAmountOf,
  totalOfDigits,
} from '../fixed-width/record-fields.js'
import { RecordReading } from '../fixed-width/record-reading.js'
import { joinParts } from '../sepa-keywords.js'
import type { StatementAccount, StatementReader, StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { nameOfConcept } from './common-concepts.js'
import { currencyOfNumber } from './currency-numbers.js'
import { NORMA43, type NormaRecord, readNormaRecord } from './norma43-records.js'

/** Characters of each of the two texts of a record 23. */
const TEXT_WIDTH = 38

/** A movement whose texts may still follow. */
interface OpenMovement {
  readonly position: string
  /** Absent when its record 22 was refused. */
  readonly record?: NormaRecord
  /** Texts of its records 23, without trailing blanks. */
  readonly texts: string[]
  originalAmount?: Amount
  originalCurrency?: string
}

interface Turnover {
  count: number
  sum: Sum
}

/** The state of reading the current account. */
class NormaReading extends RecordReading {
  section: 'outside' | 'entries' = 'outside'
  /** Columns 2 to 20 of the header: bank, branch, account. */
  accountColumns = ''
  lastDay: EpochMs | undefined
  movement: OpenMovement | undefined
  debits: Turnover = { count: 0, sum: 0n }
  credits: Turnover = { count: 0, sum: 0n }
  /** Records before the trailer 88. */
  recordCount = 0
}

function transactionOf(
  reading: NormaReading,
  movement: OpenMovement,
  record: NormaRecord,
  currency: string,
): StatementTransaction | undefined {
  const { position } = movement
  const days = reading.entryDays(position, record, reading.lastDay)
  if (days === undefined) return undefined
  const transaction: StatementTransaction = {
    ...{ amount: record.amount, currency, ...days },
    ...{ counterpart: {}, position },
  }
  const [first, second] = record.references.map((reference) =>
    /^[0 ]*$/.test(reference) ? undefined : cleanReference(reference),
  )
  fillText(transaction.counterpart, 'customerReference', joinTexts([first, second]))
  fillText(transaction, 'type', nameOfConcept(record.concept))
  const hasDocument = !/^0*$/.test(record.document)
  const purpose = joinTexts([
    // A full text continues in the next one.
    cleanText(joinParts(movement.texts, TEXT_WIDTH).text),
    hasDocument ? `Document ${record.document}` : undefined,
  ])
  if (purpose !== undefined) transaction.purpose = purpose
  const { originalAmount, originalCurrency } = movement
  if (originalAmount !== undefined && originalCurrency !== undefined) {
    const isDebit = record.amount.unscaled < 0
    transaction.originalAmount = isDebit ? negateAmount(originalAmount) : originalAmount
    transaction.originalCurrency = originalCurrency
  }
  return transaction
}

function closeMovement(reading: NormaReading): void {
  const { movement } = reading
  reading.movement = undefined
  if (movement?.record === undefined) return
  const currency = reading.entryCurrency(movement.position, '11 currency')
  if (currency === undefined) return
  const transaction = transactionOf(reading, movement, movement.record, currency)
  if (transaction !== undefined) reading.emit(transaction)
}

function closeAccount(reading: NormaReading, position: string): void {
  closeMovement(reading)
  if (reading.section === 'outside') return
  reading.section = 'outside'
  const message = 'the account has no closing balance (record 33); the file may be truncated'
  reading.warn(position, message)
}

function takeAccount(reading: NormaReading, { text, position }: FixedRecord): void {
  closeAccount(reading, position)
  const [bank, branch, number] = [text.slice(2, 6), text.slice(6, 10), text.slice(10, 20)]
  const code = text.slice(47, 50)
  const named = currencyOfNumber(code)
  reading.currency = named ?? reading.options.currency
  if (named === undefined) {
    const taken = reading.currency === undefined ? '' : `; ${reading.currency} is taken for it`
    reading.warn(position, `"${code}" is not a currency number, such as 978 for EUR${taken}`)
  }
  const iban = spanishIban(bank, branch, number)
  const holderName = cleanText(text.slice(51, 77))
  const accountNumber = cleanText(number)
  const given = accountNumber === undefined ? readOwnAccount(reading.options.account ?? '') : {}
  const account: StatementAccount = {
    ...given,
    ...(iban === undefined ? {} : { iban }),
    ...(accountNumber === undefined ? {} : { accountNumber }),
    ...(holderName === undefined ? {} : { holderName }),
    ...(reading.currency === undefined ? {} : { currency: reading.currency }),
  }
  reading.removeFillers(account)
  reading.section = 'entries'
  reading.accountColumns = text.slice(2, 20)
  reading.lastDay = dayOfDigits(text.slice(26, 32), 'ymd')
  reading.debits = { count: 0, sum: 0n }
  reading.credits = { count: 0, sum: 0n }
  reading.statementCount += 1
  const amount = signedAmountOf(text.charAt(32), text.slice(33, 47), NORMA43)
  if (typeof amount === 'string') {
    reading.events.push({ kind: 'account', account })
    reading.warn(position, `record 11, old balance: ${amount}`)
    return
  }
  // The key is account, period, balance and currency, because statements have no number.
  reading.events.push({ kind: 'account', account, statementKey: text.slice(2, 50) })
  reading.events.push(...reading.balanceEvents('opening', amount, undefined))
}

const ORPHAN: RecordFault = {
  field: '22',
  message: 'the movement belongs to no account; expected a record 11 before it',
}

function takeMovement(reading: NormaReading, record: FixedRecord): void {
  closeMovement(reading)
  const position = reading.nextEntry(record)
  const isOrphan = reading.section === 'outside'
  const read = isOrphan ? ORPHAN : reading.readEntry(record, readNormaRecord)
  if ('message' in read) {
    reading.movement = { position, texts: [] }
    reading.refuse(position, read)
    return
  }
  reading.movement = { position, record: read, texts: [] }
  const { unscaled, scale } = read.amount
  const turnover = record.text.charAt(27) === NORMA43.debit ? reading.debits : reading.credits
  turnover.count += 1
  turnover.sum += sumOf(BigInt(Math.abs(unscaled)), scale)
}

/** A record 23, texts, or 24, the amount in another currency. */
function takeComplement(reading: NormaReading, { text, position }: FixedRecord): void {
  const { movement } = reading
  const type = text.slice(0, 2)
  if (movement === undefined) {
    reading.warn(position, `record ${type} follows no movement (record 22); it is left out`)
    return
  }
  if (type === '23') {
    const middle = 4 + TEXT_WIDTH
    const [first, second] = [text.slice(4, middle), text.slice(middle, middle + TEXT_WIDTH)]
    movement.texts.push(first.trimEnd(), second.trimEnd())
    reading.boundEntry(movement.texts.length, movement.position)
    return
  }
  const code = text.slice(4, 7)
  const currency = currencyOfNumber(code)
  const amount = amountOfDigits(text.slice(7, 21), NORMA43.decimals)
  if (currency === undefined || typeof amount === 'string') {
    const found = typeof amount === 'string' ? amount : `"${code}" is not a currency number`
    reading.warn(position, `record 24, original amount: ${found}; it is left out`)
    return
  }
  movement.originalAmount = amount
  movement.originalCurrency = currency
}

/** Compares one count and sum of the record 33 with those of the movements. */
function checkTurnover(
  reading: NormaReading,
  position: string,
  name: string,
  written: { readonly count: string; readonly sum: string },
): void {
  const { count, sum } = name === 'debits' ? reading.debits : reading.credits
  const total = totalOfDigits(written.sum, NORMA43.decimals)
  if (total.sum === sum && Number(written.count) === count) return
  const message = `record 33 has ${Number(written.count)} ${name} of ${total.text} in all`
  reading.warn(position, `${message}; there are ${count} of ${formatSum(sum)}`)
}

function takeClosing(reading: NormaReading, { text, position }: FixedRecord): void {
  closeMovement(reading)
  if (reading.section === 'outside') {
    reading.warn(position, 'record 33 closes no account; its balance is left out')
    return
  }
  reading.section = 'outside'
  if (text.slice(2, 20) !== reading.accountColumns) {
    const message = `record 33 names another account (${text.slice(2, 20)}) than record 11`
    reading.warn(position, message)
  }
  const debits = { count: text.slice(20, 25), sum: text.slice(25, 39) }
  const credits = { count: text.slice(39, 44), sum: text.slice(44, 58) }
  checkTurnover(reading, position, 'debits', debits)
  checkTurnover(reading, position, 'credits', credits)
  const amount = signedAmountOf(text.charAt(58), text.slice(59, 73), NORMA43)
  if (typeof amount === 'string') reading.warn(position, `record 33, new balance: ${amount}`)
  else reading.events.push(...reading.balanceEvents('closing', amount, reading.lastDay))
}

/** Some banks count the record 88 itself. */
function takeEnd(reading: NormaReading, record: FixedRecord): void {
  closeAccount(reading, record.position)
  const { recordCount } = reading
  reading.recordCount = 0
  const count = record.text.slice(20, 26)
  if (Number(count) === recordCount + 1) return
  reading.checkCount(record, '88', count, recordCount)
}

function takeRecord(reading: NormaReading, record: FixedRecord): void {
  const type = record.text.slice(0, 2)
  if (type === '88') {
    takeEnd(reading, record)
    return
  }
  if (type !== '00') reading.recordCount += 1
  reading.warnOfExcess(record)
  if (type === '11') takeAccount(reading, record)
  else if (type === '22') takeMovement(reading, record)
  else if (type === '23' || type === '24') takeComplement(reading, record)
  else if (type === '33') takeClosing(reading, record)
  else if (type !== '00') reading.refuseType(record)
}

/**
 * Reads Norma 43 (Cuaderno 43), the Spanish account statement in records of 80 characters; one
 * `account` event for each account and currency. Banks write names anywhere in the texts, which are
 * the purpose. Holds one movement with its texts.
 * @see norma43-records.ts for the records and their source
 */
export const readNorma43: StatementReader = async function* (text, options) {
  const reading = new NormaReading(NORMA43, options)
  yield* reading.eventsOf(text, {
    take: (record) => takeRecord(reading, record),
    end: (position) => closeAccount(reading, position),
    missing: () => 'contains no Norma 43 account (no record 11)',
  })
}
