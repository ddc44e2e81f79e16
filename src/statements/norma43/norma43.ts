import type { EpochMs } from '../../instant.js'
import { type Amount, formatAmount, formatSum, negateAmount, type Sum, sumOf } from '../../money.js'
import { readOwnAccount } from '../account-text.js'
import type { FixedRecord } from '../fixed-width/fixed-records.js'
import { spanishIban } from '../fixed-width/national-iban.js'
import { amountOfDigits, dayOfDigits } from '../fixed-width/record-fields.js'
import {
  boundEntry,
  emitTransaction,
  eventsOfRecords,
  type RecordReading,
  readDays,
  refuse,
  removeFillers,
  warn,
} from '../fixed-width/record-reading.js'
import { joinParts } from '../sepa-keywords.js'
import {
  type ReadOptions,
  type StatementAccount,
  StatementError,
  type StatementReader,
  type StatementTransaction,
} from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { nameOfConcept } from './common-concepts.js'
import { currencyOfNumber } from './currency-numbers.js'
import {
  NORMA43_DECIMALS,
  NORMA43_RECORD_WIDTH,
  type NormaRecord,
  readMarkedAmount,
  readNormaRecord,
} from './norma43-records.js'

/** Characters of each of the two texts of a record 23. */
const TEXT_WIDTH = 38

/** A movement whose texts may still follow. */
interface OpenMovement {
  readonly position: string
  /** Absent when its record 22 was refused. */
  readonly record?: NormaRecord
  /** The texts of its records 23, trimmed at their ends. */
  readonly texts: string[]
  originalAmount?: Amount
  originalCurrency?: string
}

interface Turnover {
  count: number
  sum: Sum
}

/** The state of reading: what the records so far say of the current account. */
interface NormaReading extends RecordReading {
  readonly options: ReadOptions
  section: 'outside' | 'entries'
  /** Columns 2 to 20 of the header: bank, branch, account. */
  accountColumns: string
  currency: string | undefined
  lastDay: EpochMs | undefined
  movement: OpenMovement | undefined
  debits: Turnover
  credits: Turnover
  recordCount: number
  entryCount: number
  statementCount: number
}

function transactionOf(
  reading: NormaReading,
  movement: OpenMovement,
  record: NormaRecord,
  currency: string,
): StatementTransaction | undefined {
  const { position } = movement
  const columns = { order: 'ymd', field: '22 booking date', ofStatement: reading.lastDay } as const
  const days = readDays(reading, position, record, columns)
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
    // A full text goes on in the next one.
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
  const { movement, currency } = reading
  reading.movement = undefined
  if (movement?.record === undefined) return
  if (currency === undefined) {
    const message = 'the account has no currency; specify one, for example --currency EUR'
    refuse(reading, movement.position, '11 currency', message)
    return
  }
  const transaction = transactionOf(reading, movement, movement.record, currency)
  if (transaction !== undefined) emitTransaction(reading, transaction)
}

function closeAccount(reading: NormaReading, position: string): void {
  closeMovement(reading)
  if (reading.section === 'outside') return
  reading.section = 'outside'
  const message = 'the account has no closing balance (record 33); the file may be truncated'
  warn(reading, position, message)
}

function takeAccount(reading: NormaReading, { text, position }: FixedRecord): void {
  closeAccount(reading, position)
  const [bank, branch, number] = [text.slice(2, 6), text.slice(6, 10), text.slice(10, 20)]
  const code = text.slice(47, 50)
  const named = currencyOfNumber(code)
  reading.currency = named ?? reading.options.currency
  if (named === undefined) {
    const taken = reading.currency === undefined ? '' : `; ${reading.currency} is taken for it`
    warn(reading, position, `"${code}" is not a currency number, such as 978 for EUR${taken}`)
  }
  const iban = spanishIban(bank, branch, number)
  const holderName = cleanText(text.slice(51, 77))
  const accountNumber = cleanText(number)
  const asked = accountNumber === undefined ? readOwnAccount(reading.options.account ?? '') : {}
  const account: StatementAccount = {
    ...asked,
    ...(iban === undefined ? {} : { iban }),
    ...(accountNumber === undefined ? {} : { accountNumber }),
    ...(holderName === undefined ? {} : { holderName }),
    ...(reading.currency === undefined ? {} : { currency: reading.currency }),
  }
  removeFillers(reading, account)
  reading.section = 'entries'
  reading.accountColumns = text.slice(2, 20)
  reading.lastDay = dayOfDigits(text.slice(26, 32), 'ymd')
  reading.debits = { count: 0, sum: 0n }
  reading.credits = { count: 0, sum: 0n }
  reading.statementCount += 1
  const amount = readMarkedAmount(text.charAt(32), text.slice(33, 47))
  if (typeof amount === 'string') {
    reading.events.push({ kind: 'account', account })
    warn(reading, position, `record 11, old balance: ${amount}`)
    return
  }
  // Account, period, balance and currency: statements have no number.
  reading.events.push({ kind: 'account', account, statementKey: text.slice(2, 50) })
  emitBalance(reading, 'opening', amount, undefined)
}

function emitBalance(
  reading: NormaReading,
  kind: 'opening' | 'closing',
  amount: Amount,
  at: EpochMs | undefined,
): void {
  const { currency } = reading
  if (currency === undefined) return
  const when = at === undefined ? {} : { at }
  reading.events.push({ kind: 'balance', balance: { kind, amount, currency, ...when } })
}

function takeMovement(reading: NormaReading, { text, position, excess }: FixedRecord): void {
  closeMovement(reading)
  reading.entryCount += 1
  const at = `entry ${reading.entryCount} (${position})`
  reading.movement = { position: at, texts: [] }
  const read = readNormaRecord(text)
  if (reading.section === 'outside') {
    const message = 'the movement is of no account; expected a record 11 before it'
    refuse(reading, at, '22', message)
  } else if ('message' in read) {
    refuse(reading, at, read.field ?? '22', read.message)
  } else if (excess !== '') {
    const message = `has more than ${NORMA43_RECORD_WIDTH} characters`
    refuse(reading, at, '22', `${message}, so that its columns are in doubt: "${excess}" is over`)
  } else {
    reading.movement = { position: at, record: read, texts: [] }
    const { unscaled, scale } = read.amount
    const turnover = text.charAt(27) === '1' ? reading.debits : reading.credits
    turnover.count += 1
    turnover.sum += sumOf(BigInt(Math.abs(unscaled)), scale)
  }
}

/** A record 23, texts, or 24, the amount in another currency. */
function takeComplement(reading: NormaReading, { text, position }: FixedRecord): void {
  const { movement } = reading
  const type = text.slice(0, 2)
  if (movement === undefined) {
    warn(reading, position, `record ${type} follows no movement (record 22); it is left out`)
    return
  }
  if (type === '23') {
    const middle = 4 + TEXT_WIDTH
    const [first, second] = [text.slice(4, middle), text.slice(middle, middle + TEXT_WIDTH)]
    movement.texts.push(first.trimEnd(), second.trimEnd())
    boundEntry(movement.texts.length, movement.position)
    return
  }
  const code = text.slice(4, 7)
  const currency = currencyOfNumber(code)
  const amount = amountOfDigits(text.slice(7, 21), NORMA43_DECIMALS)
  if (currency === undefined || typeof amount === 'string') {
    const found = typeof amount === 'string' ? amount : `"${code}" is not a currency number`
    warn(reading, position, `record 24, original amount: ${found}; it is left out`)
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
  const amount = amountOfDigits(written.sum, NORMA43_DECIMALS)
  const isSum = typeof amount !== 'string' && sumOf(BigInt(amount.unscaled), amount.scale) === sum
  if (isSum && Number(written.count) === count) return
  const found =
    typeof amount === 'string' ? `"${written.sum}"` : formatAmount(amount.unscaled, amount.scale)
  const message = `record 33 has ${Number(written.count)} ${name} of ${found} in all`
  warn(reading, position, `${message}; there are ${count} of ${formatSum(sum)}`)
}

function takeClosing(reading: NormaReading, { text, position }: FixedRecord): void {
  closeMovement(reading)
  if (reading.section === 'outside') {
    warn(reading, position, 'record 33 closes no account; its balance is left out')
    return
  }
  reading.section = 'outside'
  if (text.slice(2, 20) !== reading.accountColumns) {
    const message = `record 33 names another account (${text.slice(2, 20)}) than record 11`
    warn(reading, position, message)
  }
  const debits = { count: text.slice(20, 25), sum: text.slice(25, 39) }
  const credits = { count: text.slice(39, 44), sum: text.slice(44, 58) }
  checkTurnover(reading, position, 'debits', debits)
  checkTurnover(reading, position, 'credits', credits)
  const amount = readMarkedAmount(text.charAt(58), text.slice(59, 73))
  if (typeof amount === 'string') warn(reading, position, `record 33, new balance: ${amount}`)
  else emitBalance(reading, 'closing', amount, reading.lastDay)
}

/** Some banks count the record 88 itself. */
function takeEnd(reading: NormaReading, { text, position }: FixedRecord): void {
  closeAccount(reading, position)
  const count = Number(text.slice(20, 26))
  const { recordCount } = reading
  reading.recordCount = 0
  if (count === recordCount || count === recordCount + 1) return
  const message = `record 88 counts "${text.slice(20, 26)}" records; there are ${recordCount}`
  warn(reading, position, `${message}: some may be missing`)
}

function takeRecord(reading: NormaReading, record: FixedRecord): void {
  const { text, position, excess } = record
  const type = text.slice(0, 2)
  if (type === '88') {
    takeEnd(reading, record)
    return
  }
  if (type !== '00') reading.recordCount += 1
  if (excess !== '' && type !== '22') {
    warn(reading, position, `has more than ${NORMA43_RECORD_WIDTH} characters`)
  }
  if (type === '11') takeAccount(reading, record)
  else if (type === '22') takeMovement(reading, record)
  else if (type === '23' || type === '24') takeComplement(reading, record)
  else if (type === '33') takeClosing(reading, record)
  else if (type !== '00') {
    // A record that may have been a movement is not passed over.
    const message = `"${text.slice(0, 10)}" begins no record; expected 11, 22, 23, 24, 33 or 88`
    refuse(reading, position, 'record', message)
  }
}

/**
 * Reads Norma 43 (Cuaderno 43), the Spanish account statement in records of 80 characters; one
 * `account` event for each account and currency. Banks put names wherever they like in the texts:
 * they are the purpose. Holds one movement with its texts.
 * @see norma43-records.ts for the records and their source
 */
export const readNorma43: StatementReader = async function* (text, options) {
  const reading: NormaReading = {
    ...{
      options,
      events: [],
      lastPosition: 'line 1',
      hasFillers: false,
      section: 'outside',
      accountColumns: '',
    },
    ...{ currency: undefined, lastDay: undefined, movement: undefined },
    ...{ debits: { count: 0, sum: 0n }, credits: { count: 0, sum: 0n } },
    ...{ recordCount: 0, entryCount: 0, statementCount: 0 },
  }
  yield* eventsOfRecords(text, NORMA43_RECORD_WIDTH, reading, {
    take: (record) => takeRecord(reading, record),
    end: () => closeAccount(reading, reading.lastPosition),
  })
  if (reading.statementCount > 0) return
  const message = 'contains no Norma 43 account (no record 11)'
  throw new StatementError({ position: reading.lastPosition, message })
}
