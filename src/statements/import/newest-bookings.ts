import type { EpochMs } from '../../instant.js'
import type { OpenWorkspace } from '../../store/workspace-writer.js'
import type { StatementTransaction } from '../statement.js'
import { DAY_MS } from './identity.js'

/** Accounts that are looked up one by one: one query for all takes three times as long as one. */
const SINGLE_LOOKUPS_MAX = 3

/**
 * The newest bookings of accounts during an import. No index has booking days, so each query reads
 * all transactions, and a file may name thousands of accounts.
 */
export class NewestBookings {
  /** Of rows that the file had at the first lookup; undefined = unknown. */
  readonly #known = new Map<number, EpochMs | undefined>()
  #all: ReadonlyMap<number, EpochMs> | undefined
  /** Of entries of this import, whether they were added or were there already. */
  readonly #taken = new Map<number, EpochMs>()

  constructor(
    private readonly file: Pick<
      OpenWorkspace,
      'newestBookings' | 'newestBookedAt' | 'bookedFromCount'
    >,
  ) {}

  /** Takes an entry that is no notification's alone. */
  take(accountId: number, { bookedAt, entry }: StatementTransaction): void {
    if (bookedAt === undefined || entry?.source === 'notification') return
    const newest = this.#taken.get(accountId)
    if (newest === undefined || newest < bookedAt) this.#taken.set(accountId, bookedAt)
  }

  /** The newest booking date of the account's transactions; undefined = none has one. */
  of(accountId: number): EpochMs | undefined {
    const [stored, taken] = [this.#storedOf(accountId), this.#taken.get(accountId)]
    if (stored === undefined || taken === undefined) return stored ?? taken
    return Math.max(stored, taken)
  }

  /** Number of the account's stored transactions booked after a day. @param day of utcDayOf */
  countAfter(accountId: number, day: number): number {
    return this.file.bookedFromCount(accountId, (day + 1) * DAY_MS)
  }

  /** To be called at the end of the import, when no rows will follow: lookups read the file. */
  forget(): void {
    this.#known.clear()
    this.#taken.clear()
    this.#all = undefined
  }

  #storedOf(accountId: number): EpochMs | undefined {
    if (this.#all !== undefined) return this.#all.get(accountId)
    if (this.#known.has(accountId)) return this.#known.get(accountId)
    if (this.#known.size === SINGLE_LOOKUPS_MAX) {
      this.#all = this.file.newestBookings()
      return this.#all.get(accountId)
    }
    const newest = this.file.newestBookedAt(accountId)
    this.#known.set(accountId, newest)
    return newest
  }
}
