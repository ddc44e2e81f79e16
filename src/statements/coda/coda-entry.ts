import { type Amount, addAmounts, compareAmounts, formatAmount } from '../../money.js'
import type { RecordReading } from '../fixed-width/record-reading.js'
import { FIELD_CODE_POINTS_MAX } from '../statement.js'
import { joinTexts } from '../text-field.js'
import {
  communicationOf,
  emitMovement,
  informationOf,
  type MovementContext,
  type MovementReading,
} from './coda-movement.js'

/** Whether a movement is a detail of another, by its kind: the first digit of its code. */
export function isDetailKind(kind: string): boolean {
  return kind >= '5'
}

/** Adds a detail to its entry: one of kind 9 to the detail before it, the others to the entry. */
export function addDetail(entry: MovementReading, detail: MovementReading): void {
  const last = entry.details.at(-1)
  const isSecondLevel = detail.record?.kind === '9' && last?.record?.kind === '7'
  if (isSecondLevel) last.details.push(detail)
  else entry.details.push(detail)
}

/** The sum of the amounts; undefined when an amount is unreadable or the sum is too large. */
function sumOfDetails(details: readonly MovementReading[]): Amount | undefined {
  let sum: Amount | undefined = { unscaled: 0, scale: 0 }
  for (const { record } of details) {
    sum = record === undefined || sum === undefined ? undefined : addAmounts(sum, record.amount)
  }
  return sum
}

function decimalText({ unscaled, scale }: Amount): string {
  return formatAmount(unscaled, scale)
}

function textsOf(movement: MovementReading): (string | undefined)[] {
  const information = informationOf(movement).flatMap(({ name, text }) => [name, text])
  return [communicationOf(movement).text, movement.reference, movement.name, ...information]
}

/** A detail and its own details as text of their entry: texts and amount. */
function detailText(detail: MovementReading, currency: string): string | undefined {
  const { record } = detail
  const amount = record === undefined ? undefined : `(${decimalText(record.amount)} ${currency})`
  const own = detail.details.map((each) => detailText(each, currency))
  return joinTexts([...textsOf(detail), amount, ...own])
}

/** Warning about a batch that is not split; undefined = its details replace it. */
function warningOfBatch(entry: MovementReading, amount: Amount): string | undefined {
  const sum = sumOfDetails(entry.details)
  if (sum !== undefined && compareAmounts(sum, amount) === 0) return undefined
  const found = sum === undefined ? 'to no amount' : `up to ${decimalText(sum)}`
  const total = decimalText(amount)
  return `the details of the batch add ${found}, not to ${total}; it is kept as one transaction`
}

/**
 * Emits the transactions of one entry. A batch (kinds 1 and 2) is replaced by its details if they
 * add up to its amount; otherwise it is one transaction, with a warning. An entry with details of
 * its amount (kind 3), such as charges, is one transaction that names them.
 */
export function emitEntry(
  reading: RecordReading,
  entry: MovementReading,
  context: MovementContext,
): void {
  const { record, position, details } = entry
  if (record === undefined) return
  const isBatch = (record.kind === '1' || record.kind === '2') && details.length > 0
  const warning = isBatch ? warningOfBatch(entry, record.amount) : undefined
  reading.warn(position, warning)
  if (!isBatch || warning !== undefined) {
    const ofDetails = details.map((detail) => detailText(detail, context.currency))
    emitMovement(reading, entry, context, { more: [], ofDetails })
    return
  }
  // The text is joined once, because a batch has thousands of details.
  const shared = joinTexts(textsOf(entry))
  const hasRoom = (shared ?? '').length <= FIELD_CODE_POINTS_MAX
  if (!hasRoom)
    reading.warn(position, 'the text of the batch is left out: it does not fit into a field')
  const more = hasRoom ? [shared] : []
  for (const detail of details) {
    const ofDetails = detail.details.map((each) => detailText(each, context.currency))
    emitMovement(reading, detail, context, { more, ofDetails })
  }
}
