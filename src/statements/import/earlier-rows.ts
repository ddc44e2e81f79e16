// Rows imported by an earlier version of kontor.
//
// Without a bank reference, an identity consists of the texts. An improved reader computes another
// identity for the same booking, so importing the file again would add the row twice. A booking
// with an unknown identity is therefore looked up among the rows from before the upgrade, by
// account, day, amount and currency, and by wording: readers differ in blanks and in dropped texts,
// so the longer wording contains nearly all of the shorter one; if they assume different encodings,
// nearly all of its ASCII letters. Each of those rows matches one booking of a file. Rows of the
// current readers are never looked up this way.
import { formatAmount } from '../../money.js'
import type { TransactionRow } from '../../store/columns.js'
import type { Identity, NewRow, OpenWorkspace } from '../../store/workspace-writer.js'
import { textsOf, utcDayOf } from './identity.js'

/** Share of the trigrams of the shorter wording that the longer one has to contain. */
const SHARED_MIN = 0.7

/** A booking with an unknown identity. */
export interface UnknownBooking {
  readonly row: NewRow<TransactionRow>
  readonly identity: Identity
}

/** The rows of one workspace from before an upgrade, while a file is imported. */
export class EarlierRows {
  readonly #lastId: number
  /** Rows matched by bookings of the file, with the booking if only its wording matches. */
  readonly #claimed = new Map<number, UnknownBooking | undefined>()
  /** Account -> day, amount and currency -> ids; read at the first unknown booking. */
  readonly #accounts = new Map<number, ReadonlyMap<string, readonly number[]>>()

  constructor(private readonly file: OpenWorkspace) {
    this.#lastId = file.largestEarlierId()
  }

  /**
   * Claims the row that a booking matches by identity.
   * @returns the booking that had claimed the row by its wording: it is another row, or new
   */
  claim(id: number): UnknownBooking | undefined {
    if (id > this.#lastId) return undefined
    const displaced = this.#claimed.get(id)
    this.#claimed.set(id, undefined)
    return displaced
  }

  /** Claims a row that an earlier reader created from the booking. @returns whether one exists */
  claimLike(booking: UnknownBooking): boolean {
    return this.#claimLike(booking) !== undefined
  }

  /** Claims a row for each of the bookings, or none. @returns whether each has one */
  claimAllLike(bookings: readonly UnknownBooking[]): boolean {
    const claimed: number[] = []
    for (const booking of bookings) {
      const id = this.#claimLike(booking)
      if (id === undefined) {
        for (const each of claimed) this.#claimed.delete(each)
        return false
      }
      claimed.push(id)
    }
    return true
  }

  #claimLike(booking: UnknownBooking): number | undefined {
    if (this.#lastId === 0) return undefined
    const { row } = booking
    const key = keyOf(row.bookedAt ?? row.valuedAt, row.amountUnscaled, row.amountScale, row)
    const found = this.#rowsOf(row.accountId)
      .get(key)
      ?.find((id) => !this.#claimed.has(id) && this.#isWordedLike(id, row))
    if (found !== undefined) this.#claimed.set(found, booking)
    return found
  }

  #isWordedLike(id: number, row: NewRow<TransactionRow>): boolean {
    const [earlier] = this.file.transactionsOf([id])
    if (earlier === undefined) return false
    const [one, other] = [wordingOf(earlier), wordingOf(row)]
    return isSameWording(one, other) || isSameInAscii(one, other)
  }

  #rowsOf(accountId: number): ReadonlyMap<string, readonly number[]> {
    const known = this.#accounts.get(accountId)
    if (known !== undefined) return known
    const rows = new Map<string, number[]>()
    for (const { id, bookedAt, unscaled, scale, currency } of this.file.earlierRows(accountId)) {
      const key = keyOf(bookedAt, unscaled, scale, { currency })
      const ids = rows.get(key)
      if (ids === undefined) rows.set(key, [id])
      else ids.push(id)
    }
    this.#accounts.set(accountId, rows)
    return rows
  }
}

function keyOf(
  bookedAt: number | null,
  unscaled: number,
  scale: number,
  { currency }: { readonly currency: string },
): string {
  const day = bookedAt === null ? '' : utcDayOf(bookedAt)
  return `${day} ${formatAmount(unscaled, scale)} ${currency}`
}

/** The texts of a row as letters and digits alone, in lower case. */
function wordingOf(row: Omit<TransactionRow, 'id'>): string {
  return textsOf(row)
    .join('')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Whether two wordings of letters and digits belong to one booking: the longer one has nearly all
 * distinct trigrams of the shorter one. A wording without trigrams is contained in any other.
 */
function isSameWording(one: string, other: string): boolean {
  const [shorter, longer] = [trigramsOf(one), trigramsOf(other)].sort((a, b) => a.size - b.size)
  if (shorter === undefined || longer === undefined) return true
  let sharedCount = 0
  for (const trigram of shorter) if (longer.has(trigram)) sharedCount += 1
  return sharedCount >= shorter.size * SHARED_MIN
}

/**
 * Whether the ASCII letters and digits of two wordings, the majority of each, belong to one
 * booking: a reader that assumes another encoding reads the other letters differently.
 */
function isSameInAscii(one: string, other: string): boolean {
  const [plain, otherPlain] = [one, other].map((text) => text.replace(/[^a-z0-9]+/g, ''))
  if (plain === undefined || otherPlain === undefined) return false
  const isMost = plain.length * 2 > one.length && otherPlain.length * 2 > other.length
  return (
    isMost && Math.min(plain.length, otherPlain.length) >= 3 && isSameWording(plain, otherPlain)
  )
}

function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) trigrams.add(text.slice(at, at + 3))
  return trigrams
}
