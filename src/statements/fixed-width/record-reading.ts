import type { EpochMs } from '../../instant.js'
import type { Amount } from '../../money.js'
import { emittedEvents } from '../emitted-events.js'
import {
  type ReadOptions,
  StatementError,
  type StatementEvent,
  type StatementTransaction,
} from '../statement.js'
import { cleanText, overlongField } from '../text-field.js'
import { type FixedRecord, hasFillers, recordsOf, withoutFillers } from './fixed-records.js'
import { bookingDayOf, dayOfDigits, type RecordFault } from './record-fields.js'

/** A format of records of fixed width. */
export interface RecordFormat {
  readonly width: number
  /** Type of the records that begin an entry. */
  readonly entryType: string
  /** All types of records, for messages. */
  readonly types: string
  readonly dayOrder: 'dmy' | 'ymd'
}

/** The days of an entry, as a transaction has them. */
interface EntryDays {
  readonly bookedAt: EpochMs
  readonly valuedAt?: EpochMs
}

/** Records of one entry, its details included: 9,999 details of ten records. */
const ENTRY_RECORDS_MAX = 100_000

/** The state of reading records; each format adds its own. */
export class RecordReading {
  /** Events not yet yielded. */
  events: StatementEvent[] = []
  /** Of the current account; undefined = neither the file nor the caller specifies one. */
  currency: string | undefined
  entryCount = 0
  statementCount = 0
  /** Position of the last record, for faults of the file as a whole. */
  #lastPosition = 'line 1'
  /** Whether a record had fillers, which texts then have. */
  #hasFillers = false

  constructor(
    private readonly format: RecordFormat,
    readonly options: ReadOptions,
  ) {}

  /**
   * Reads all records, and yields the events a piece of text at a time.
   * @param steps `take` receives each record, `end` the position of the last one; `missing` returns
   *   the message for a file without a statement
   * @throws StatementError for such a file, and when `steps` or the splitting of records does
   */
  async *eventsOf(
    text: AsyncIterable<string>,
    steps: { take(record: FixedRecord): void; end(position: string): void; missing(): string },
  ): AsyncGenerator<readonly StatementEvent[]> {
    yield* emittedEvents(recordsOf(text, this.format.width), this, {
      take: (record) => {
        this.#lastPosition = record.position
        this.#hasFillers ||= hasFillers(record)
        steps.take(record)
      },
      end: () => steps.end(this.#lastPosition),
    })
    if (this.statementCount > 0) return
    throw new StatementError({ position: this.#lastPosition, message: steps.missing() })
  }

  /** Refuses one entry: the whole file is then refused, or with --lenient the entry is skipped. */
  refuse(position: string, fault: RecordFault): void {
    this.events.push({ kind: 'refused', fault: { position, ...fault } })
  }

  /** Adds a warning; undefined = none. */
  warn(position: string, message: string | undefined): void {
    if (message !== undefined) this.events.push({ kind: 'warning', message, position })
  }

  /** Refuses a record of an unknown type, which may be an entry. */
  refuseType({ text, position }: FixedRecord): void {
    const message = `"${text.slice(0, 10)}" begins no record; expected ${this.format.types}`
    this.refuse(position, { field: 'record', message })
  }

  /** Warns of text after the last column of a record that does not begin an entry. */
  warnOfExcess({ text, position, excess }: FixedRecord): void {
    if (excess === '' || text.startsWith(this.format.entryType)) return
    this.warn(position, `has more than ${this.format.width} characters`)
  }

  /** Warns when a trailer counts other records than there are. */
  checkCount({ position }: FixedRecord, type: string, written: string, recordCount: number): void {
    if (Number(written) === recordCount) return
    const message = `record ${type} counts "${written}" records; there are ${recordCount}`
    this.warn(position, `${message}: some may be missing`)
  }

  /** Counts an entry. @returns its position for messages, `entry 3 (line 41)` */
  nextEntry({ position }: FixedRecord): string {
    this.entryCount += 1
    return `entry ${this.entryCount} (${position})`
  }

  /** Reads the record of an entry; text after its last column is a fault. */
  readEntry<Entry extends object>(
    { text, excess }: FixedRecord,
    read: (text: string) => Entry | RecordFault,
  ): Entry | RecordFault {
    const entry = read(text)
    if (excess === '' || 'message' in entry) return entry
    const { width, entryType } = this.format
    const message = `has more than ${width} characters, so its columns may be shifted`
    const found = `"${excess.slice(0, 40)}" follows the last column`
    return { field: entryType, message: `${message}: ${found}` }
  }

  /** @throws StatementError for an entry with more records than any bank writes */
  boundEntry(recordCount: number, position: string): void {
    if (recordCount <= ENTRY_RECORDS_MAX) return
    const message = `the entry has more than ${ENTRY_RECORDS_MAX} records of details`
    throw new StatementError({ position, message })
  }

  /** The currency of an entry, which is refused when its account has none. @param field of it */
  entryCurrency(position: string, field: string): string | undefined {
    if (this.currency === undefined) {
      const message = 'the account has no currency; specify one, for example --currency EUR'
      this.refuse(position, { field, message })
    }
    return this.currency
  }

  /**
   * Reads the days of an entry. A booking day that is missing or not in the calendar is replaced by
   * the value date, else by the day of the statement, with a warning.
   * @returns undefined when there is no day at all: the entry is then refused
   */
  entryDays(
    position: string,
    written: { readonly bookingDate: string; readonly valueDate: string },
    ofStatement: EpochMs | undefined,
  ): EntryDays | undefined {
    const { dayOrder, entryType } = this.format
    const valued = dayOfDigits(written.valueDate, dayOrder)
    const booked = dayOfDigits(written.bookingDate, dayOrder)
    const booking = bookingDayOf({ booked, valued, ofStatement }, written.bookingDate)
    if (booking !== undefined) {
      this.warn(position, booking.warning)
      return { bookedAt: booking.day, ...(valued === undefined ? {} : { valuedAt: valued }) }
    }
    const expected =
      dayOrder === 'dmy'
        ? 'DDMMYY; expected for example 311224'
        : 'YYMMDD; expected for example 241231'
    const message = `"${written.bookingDate}" is not a day ${expected}`
    this.refuse(position, { field: `${entryType} booking date`, message })
    return undefined
  }

  /** A balance of the current account as an event; none without a currency. */
  balanceEvents(
    kind: 'opening' | 'closing',
    amount: Amount,
    day: EpochMs | undefined,
  ): StatementEvent[] {
    if (this.currency === undefined) return []
    const { currency } = this
    const when = day === undefined ? {} : { at: day }
    return [{ kind: 'balance', balance: { kind, amount, currency, ...when } }]
  }

  /** Removes fillers from the texts of an account or a transaction, where the file has any. */
  removeFillers(part: object): void {
    if (!this.#hasFillers) return
    for (const [field, value] of Object.entries(part)) {
      if (typeof value !== 'string') continue
      // A column may end within a character, and then contain nothing but its filler.
      const text = cleanText(withoutFillers(value))
      if (text === undefined) Reflect.deleteProperty(part, field)
      else Object.assign(part, { [field]: text })
    }
  }

  /** Adds a transaction, or refuses it when one of its fields is too long to store. */
  emit(transaction: StatementTransaction): void {
    this.removeFillers(transaction)
    this.removeFillers(transaction.counterpart)
    const field = overlongField(transaction)
    if (field === undefined) this.events.push({ kind: 'transaction', transaction })
    else
      this.refuse(transaction.position, { field, message: 'is longer than the maximum of a field' })
  }
}
