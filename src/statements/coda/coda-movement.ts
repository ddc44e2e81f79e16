import { compactCode, isBic } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import { type Amount, negateAmount } from '../../money.js'
import type { RecordReading } from '../fixed-width/record-reading.js'
import { FIELD_CODE_POINTS_MAX, type StatementTransaction } from '../statement.js'
import { cleanReference, cleanText, fillText, joinTexts } from '../text-field.js'
import { type CommunicationFields, readStructured, returnText } from './coda-communications.js'
import { type MovementRecord, readCounterpartAccount } from './coda-records.js'
import { nameOfCodaTransaction } from './transaction-codes.js'

/** Characters of the communication in the records 21, 22 and 23. */
const COMMUNICATION_WIDTHS = [53, 53, 43] as const

/** One piece of information of the records 31 to 33: free text, or a structured communication. */
interface InformationPart {
  readonly isStructured: boolean
  text: string
}

/** A movement of the records 21 to 23, with its information and its details so far. */
export interface MovementReading {
  readonly position: string
  readonly sequence: string
  /** Absent when its record 21 was refused; its further records are then left out. */
  readonly record?: MovementRecord
  readonly isStructured: boolean
  /** Communications of the records 21, 22, 23. */
  readonly communication: [string, string, string]
  reference?: string | undefined
  bic?: string | undefined
  /** Type and reason of an R-transaction. */
  returned: string
  purposeCode?: string | undefined
  account: string
  name?: string | undefined
  address?: string | undefined
  readonly information: InformationPart[]
  /** Details; those of a detail of kind 7 have kind 9. */
  readonly details: MovementReading[]
}

/** The movement that a record 21 begins. */
export function openMovement(
  text: string,
  position: string,
  record: MovementRecord | undefined,
): MovementReading {
  return {
    position,
    sequence: text.slice(2, 6),
    ...(record === undefined ? {} : { record }),
    isStructured: text.charAt(61) === '1',
    communication: [text.slice(62, 115), '', ''],
    returned: '',
    account: '',
    information: [],
    details: [],
  }
}

/** Adds a record 22, 23, 31, 32 or 33. @param version of the header, `1` or `2` */
export function addRecord(movement: MovementReading, text: string, version: string): void {
  const type = text.slice(0, 2)
  if (type === '22') {
    movement.communication[1] = text.slice(10, 63)
    movement.reference = cleanReference(text.slice(63, 98))
    movement.bic = cleanText(text.slice(98, 109))
    movement.returned = text.slice(112, 117)
    const [category, purpose] = [text.slice(117, 121), text.slice(121, 125)]
    movement.purposeCode = [purpose, category].find((code) => /^[A-Z]{4}$/.test(code))
  } else if (type === '23') {
    movement.account = text.slice(10, 47)
    // Version 1 has an address after a shorter name, and no communication.
    const isFirst = version === '1'
    movement.name = cleanReference(text.slice(47, isFirst ? 73 : 82))
    if (isFirst) movement.address = cleanText(text.slice(73, 125))
    else movement.communication[2] = text.slice(82, 125)
  } else {
    addInformation(movement, text)
  }
}

function addInformation({ information }: MovementReading, text: string): void {
  const last = information.at(-1)
  const isFirst = text.startsWith('31')
  const isStructured = isFirst && text.charAt(39) === '1'
  const piece = isFirst ? text.slice(40, 113) : text.slice(10, text.startsWith('32') ? 115 : 100)
  // Free text that does not fit continues in the next record of any type, without a blank.
  const isContinued = last !== undefined && (!isFirst || !(isStructured || last.isStructured))
  if (isContinued) last.text += piece
  else information.push({ isStructured, text: piece })
}

/** Statement values of a transaction. */
export interface MovementContext {
  readonly currency: string
  /** The day on which the statement was created. */
  readonly day: EpochMs | undefined
}

function freeText(text: string): CommunicationFields {
  const clean = cleanText(text)
  return clean === undefined ? {} : { text: clean }
}

/** The communication of the records 21 to 23. */
export function communicationOf({
  isStructured,
  communication,
}: MovementReading): CommunicationFields {
  const text = communication.map((piece, i) => piece.padEnd(COMMUNICATION_WIDTHS[i] ?? 0)).join('')
  return isStructured ? readStructured(text) : freeText(text)
}

/** The information of the records 31 to 33. */
export function informationOf({ information }: MovementReading): CommunicationFields[] {
  return information.map(({ isStructured, text }) =>
    isStructured ? readStructured(text) : freeText(text),
  )
}

function sameSign(amount: Amount, like: Amount): Amount {
  return like.unscaled < 0 ? negateAmount(amount) : amount
}

function applyFields(transaction: StatementTransaction, fields: CommunicationFields): void {
  const { counterpart } = transaction
  fillText(counterpart, 'mandateReference', fields.mandateReference)
  fillText(counterpart, 'creditorId', fields.creditorId)
  if (fields.originalAmount !== undefined && transaction.originalAmount === undefined) {
    transaction.originalAmount = sameSign(fields.originalAmount, transaction.amount)
    fillText(transaction, 'originalCurrency', fields.originalCurrency)
  }
}

/**
 * Applies the communications; texts without a field form the purpose.
 * @param more of the movement, in front of its information   @param ofDetails after all others
 * @returns a warning when the details do not fit into the purpose
 */
function applyTexts(
  transaction: StatementTransaction,
  movement: MovementReading,
  { more, ofDetails }: EntryTexts,
): string | undefined {
  const main = communicationOf(movement)
  const information = informationOf(movement)
  for (const fields of [main, ...information]) applyFields(transaction, fields)
  // Record 23 cuts names at 35 characters, the information about the counterpart at 70.
  const long = information.map(({ name }) => name).find((name) => name !== undefined)
  const short = movement.name
  const isSame = short === undefined || (long?.startsWith(short) ?? false)
  fillText(transaction.counterpart, 'name', isSame ? long : short)
  fillText(transaction.counterpart, 'name', short)
  const own = joinTexts([
    main.text,
    ...more,
    returnText(movement.returned.charAt(0), movement.returned.slice(1)),
    isSame ? undefined : long,
    movement.address,
    ...information.map(({ text }) => text),
  ])
  const all = joinTexts([own, ...ofDetails])
  const hasRoom = all === undefined || all.length <= FIELD_CODE_POINTS_MAX
  const purpose = hasRoom ? all : own
  if (purpose !== undefined) transaction.purpose = purpose
  if (hasRoom || ofDetails.length === 0) return undefined
  return `the texts of its ${ofDetails.length} details are left out: they do not fit into a field`
}

/** Texts of a transaction in addition to those of its movement. */
export interface EntryTexts {
  /** Texts of the entry of the movement. */
  readonly more: readonly (string | undefined)[]
  readonly ofDetails: readonly (string | undefined)[]
}

/**
 * Emits the transaction of a movement. One without any date is refused; a day that does not exist
 * gives a warning.
 */
export function emitMovement(
  reading: RecordReading,
  movement: MovementReading,
  context: MovementContext,
  texts: EntryTexts,
): void {
  const { position, record } = movement
  if (record === undefined) return
  const days = reading.entryDays(position, record, context.day)
  if (days === undefined) return
  const transaction: StatementTransaction = {
    ...{ amount: record.amount, currency: context.currency, ...days },
    ...{ counterpart: {}, position },
  }
  const { counterpart } = transaction
  const account = readCounterpartAccount(movement.account)
  fillText(counterpart, 'iban', account.iban)
  fillText(counterpart, 'accountNumber', account.accountNumber)
  const bic = compactCode(movement.bic ?? '')
  if (isBic(bic)) fillText(counterpart, 'bic', bic)
  fillText(transaction, 'endToEndReference', movement.reference)
  fillText(transaction, 'type', nameOfCodaTransaction(record.code))
  fillText(transaction, 'sepaPurposeCode', movement.purposeCode)
  const more = [...texts.more, account.text, isBic(bic) ? undefined : movement.bic]
  reading.warn(position, applyTexts(transaction, movement, { ...texts, more }))
  reading.emit(transaction)
}
