import type { EpochMs } from '../../instant.js'
import { emittedEvents } from '../emitted-events.js'
import { StatementError, type StatementEvent, type StatementTransaction } from '../statement.js'
import { cleanText, overlongField } from '../text-field.js'
import { type FixedRecord, hasFillers, recordsOf, withoutFillers } from './fixed-records.js'
import { bookingDayOf, dayOfDigits } from './record-fields.js'

/** The state that the readers of records share. */
export interface RecordReading {
  /** Found, and not yet yielded. */
  events: StatementEvent[]
  /** Of the last record, for faults of the file as a whole. */
  lastPosition: string
  /** Whether a record had fillers, which texts then have. */
  hasFillers: boolean
}

/** Refuses one entry: the whole file is then refused, or with --lenient the entry is skipped. */
export function refuse(
  reading: RecordReading,
  position: string,
  field: string,
  message: string,
): void {
  reading.events.push({ kind: 'refused', fault: { position, field, message } })
}

/** Adds a warning; undefined = none. */
export function warn(reading: RecordReading, position: string, message: string | undefined): void {
  if (message !== undefined) reading.events.push({ kind: 'warning', message, position })
}

/** How a format writes the days of an entry. */
interface DayColumns {
  readonly order: 'dmy' | 'ymd'
  /** Record and column of the booking day, for messages. */
  readonly field: string
}

/** The days of an entry, as a transaction has them. */
interface EntryDays {
  readonly bookedAt: EpochMs
  readonly valuedAt?: EpochMs
}

/**
 * Reads the days of an entry. A booking day that is missing or on no calendar is replaced by the
 * value day, else by that of the statement, with a warning.
 * @returns undefined when there is no day at all: the entry is then refused
 */
export function readDays(
  reading: RecordReading,
  position: string,
  written: { readonly bookingDate: string; readonly valueDate: string },
  { order, field, ofStatement }: DayColumns & { readonly ofStatement: EpochMs | undefined },
): EntryDays | undefined {
  const valued = dayOfDigits(written.valueDate, order)
  const booked = dayOfDigits(written.bookingDate, order)
  const booking = bookingDayOf({ booked, valued, ofStatement }, written.bookingDate)
  if (booking === undefined) {
    const expected =
      order === 'dmy'
        ? 'DDMMYY; expected for example 311224'
        : 'YYMMDD; expected for example 241231'
    refuse(reading, position, field, `"${written.bookingDate}" is not a day ${expected}`)
    return undefined
  }
  warn(reading, position, booking.warning)
  return { bookedAt: booking.day, ...(valued === undefined ? {} : { valuedAt: valued }) }
}

/** Removes fillers from the texts of an account or a transaction, where the file has any. */
export function removeFillers(reading: RecordReading, part: object): void {
  if (!reading.hasFillers) return
  for (const [field, value] of Object.entries(part)) {
    if (typeof value !== 'string') continue
    // A column may end within a character: its filler alone is no text.
    const text = cleanText(withoutFillers(value))
    if (text === undefined) Reflect.deleteProperty(part, field)
    else Object.assign(part, { [field]: text })
  }
}

/** Adds a transaction, or refuses it when one of its fields is too long to store. */
export function emitTransaction(reading: RecordReading, transaction: StatementTransaction): void {
  removeFillers(reading, transaction)
  removeFillers(reading, transaction.counterpart)
  const overlong = overlongField(transaction)
  if (overlong === undefined) reading.events.push({ kind: 'transaction', transaction })
  else refuse(reading, transaction.position, overlong, 'is longer than the maximum of a field')
}

/**
 * Reads all records into `reading`, and yields its events a piece of text at a time.
 * @param steps `take` receives each record, `end` is called after the last one
 * @throws StatementError when `steps` or the splitting of records does
 */
export function eventsOfRecords(
  text: AsyncIterable<string>,
  width: number,
  reading: RecordReading,
  { take, end }: { take(record: FixedRecord): void; end(): void },
): AsyncGenerator<readonly StatementEvent[]> {
  return emittedEvents(recordsOf(text, width), reading, {
    take: (record) => {
      reading.lastPosition = record.position
      reading.hasFillers ||= hasFillers(record)
      take(record)
    },
    end,
  })
}

/** Records of one entry, its details included: 9,999 details of ten records. */
const ENTRY_RECORDS_MAX = 100_000

/** @throws StatementError for an entry with more records than any bank writes */
export function boundEntry(recordCount: number, position: string): void {
  if (recordCount <= ENTRY_RECORDS_MAX) return
  const message = `the entry has more than ${ENTRY_RECORDS_MAX} records of details`
  throw new StatementError({ position, message })
}
