import { StatementError, type StatementEvent, type StatementTransaction } from '../statement.js'
import { cleanText, overlongField } from '../text-field.js'
import { type FixedRecord, hasFillers, recordsOf, withoutFillers } from './fixed-records.js'

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
 * Reads all records into `reading`, and yields its events a piece of text at a time. Events before
 * a fault are yielded all the same, however the text was cut in pieces.
 * @param steps `take` receives each record, `end` is called after the last one
 * @throws StatementError when `steps` or the splitting of records does
 */
export async function* eventsOfRecords(
  text: AsyncIterable<string>,
  width: number,
  reading: RecordReading,
  steps: { take(record: FixedRecord): void; end(): void },
): AsyncGenerator<readonly StatementEvent[]> {
  const takeEvents = (): readonly StatementEvent[] => {
    const { events } = reading
    reading.events = []
    return events
  }
  for await (const records of recordsOf(text, width)) {
    try {
      for (const record of records) {
        reading.lastPosition = record.position
        reading.hasFillers ||= hasFillers(record)
        steps.take(record)
      }
    } finally {
      if (reading.events.length > 0) yield takeEvents()
    }
  }
  try {
    steps.end()
  } finally {
    if (reading.events.length > 0) yield takeEvents()
  }
}

/** Records of one entry, its details included: 9,999 details of ten records. */
const ENTRY_RECORDS_MAX = 100_000

/** @throws StatementError for an entry with more records than any bank writes */
export function boundEntry(recordCount: number, position: string): void {
  if (recordCount <= ENTRY_RECORDS_MAX) return
  const message = `the entry has more than ${ENTRY_RECORDS_MAX} records of details`
  throw new StatementError({ position, message })
}
