// How a repeated import finds a transaction again.
//
// A transaction's base consists of the values that a bank repeats word for word in every file that
// holds the booking: its own reference where the format promises one, else the texts, and always
// booking day, value day, amount and currency. Banks do reuse references, so a reference alone
// never decides: of two bookings with one reference and different amounts or days, neither may
// swallow the other. Equal bases within one file are counted, so the n-th of them has an identity
// of its own: two equal bookings of one day stay two, the same file again adds nothing, and a file
// that overlaps an earlier one adds only its new bookings. The account is a separate column, not
// part of the identity.
//
// NDJSON has no bank references, so an exported workspace returns without them. Its lines therefore
// have an identity of another kind, of the texts alone and counted over all lines. An entry of a
// statement is looked up by that kind too, counted over all entries, with a reference or without. A
// row that is found this way keeps its identity: its NDJSON may be imported again.
//
// Remaining errors: a new booking is taken for a known one when two bookings equal in all of the
// above are in two files of which neither holds both (the second coffee of the day in a second
// statement of that day), or when they differ in the reference alone and the first was imported
// from NDJSON. A known booking is taken for a new one when the bank words it differently in another
// file: another format, or a booking whose date or text was still preliminary; when a file without
// references repeats a booking of a file with references; and when one file holds the same
// statement twice and its format has no key by which to tell (`statementKey` of a reader).
//
// A statement that its key, balances and sums show to repeat one of the same file is counted as in
// a file of its own (repeated-statement.ts): its n-th booking of a base finds the n-th of the file.
// One that the first statement did not have is new, and counted for the rest of the file.
import type { EpochMs } from '../../instant.js'
import { formatAmount } from '../../money.js'
import type { TransactionRow } from '../../store/columns.js'
import type { Identity } from '../../store/workspace-file.js'
import { digestOf } from './digest.js'
import { DigestCounts } from './digest-counts.js'

/** Milliseconds of a day of UTC. */
export const DAY_MS = 86_400_000

/** Printable ASCII without blanks: nothing to normalize but the case. */
const PLAIN = /^[!-~]*$/

/** Compatibility forms composed, case folded (`ß` = `SS`), white space dropped. */
function foldedText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  // Up and down again equals Unicode's full case folding but for a handful of letters no bank
  // writes.
  return text.normalize('NFKC').replace(/\s+/g, '').toUpperCase().toLowerCase()
}

/** Days since 1970-01-01 UTC of the day of an instant. */
export function utcDayOf(at: EpochMs): number {
  return Math.floor(at / DAY_MS)
}

/** The texts of a row that the bank wrote, an absent one as an empty text. */
export function textsOf(row: Omit<TransactionRow, 'id'>): string[] {
  return [
    row.counterpartName ?? '',
    row.counterpartIban ?? '',
    row.counterpartAccountNumber ?? '',
    row.purpose ?? '',
    row.type ?? '',
    row.endToEndReference ?? '',
    row.mandateReference ?? '',
    row.creditorId ?? '',
    row.customerReference ?? '',
    row.primanota ?? '',
    row.paypalInvoiceNumber ?? '',
  ]
}

/**
 * The input of the fingerprint. Equal for two rows exactly when they have the same days, amount
 * (1.50 is 1.5), currency and bank reference or, when there is none, the same texts but for case,
 * white space and compatibility forms. Independent of the account, category and ids.
 * @param bankReference as the statement reader promises it, see StatementTransaction
 */
export function identityBase(
  row: Omit<TransactionRow, 'id'>,
  bankReference: string | undefined,
): string {
  const words =
    bankReference !== undefined ? ['reference', bankReference] : ['texts', ...textsOf(row)]
  const amount = formatAmount(row.amountUnscaled, row.amountScale)
  const bookedOn = row.bookedAt === null ? '' : utcDayOf(row.bookedAt)
  const valuedOn = row.valuedAt === null ? '' : utcDayOf(row.valuedAt)
  const figures = `${bookedOn} ${valuedOn} ${amount} ${row.currency}`
  // Folding drops line breaks, so the one between two words cannot occur inside a word.
  return `${figures}\n${words.map(foldedText).join('\n')}`
}

/** The digest by which a row is known as a line of NDJSON, the first of equal ones. */
export function lineDigest(row: Omit<TransactionRow, 'id'>): string {
  return digestOf(`line\n${identityBase(row, undefined)}`)
}

/** Counts equal transactions of one file, account by account. */
export class IdentityCounter {
  /** Digests of bases, counted apart for each account. */
  readonly #counts = new DigestCounts()

  /**
   * @param whole of a part that is counted from its own start: the counter of the whole file, which
   *   then counts as many as the part that has the most. Absent for the whole file.
   */
  constructor(private readonly whole?: IdentityCounter) {}

  /**
   * The identity of the file's next transaction of this account; no two calls return the same one
   * for one account. @returns 16 bytes
   */
  next(
    accountId: number,
    row: Omit<TransactionRow, 'id'>,
    bankReference: string | undefined,
  ): Identity {
    return this.#count(accountId, digestOf(identityBase(row, bankReference)))
  }

  /**
   * The identity of the file's next transaction of this account as a line of NDJSON; counted apart
   * from those of `next`, and never equal to one of them. @returns 16 bytes
   */
  nextLine(accountId: number, row: Omit<TransactionRow, 'id'>): Identity {
    return this.#count(accountId, lineDigest(row))
  }

  #count(accountId: number, digest: string): Identity {
    const earlierCount = this.#counts.add(digest, accountId)
    if (this.whole !== undefined) this.whole.#raise(accountId, digest, earlierCount + 1)
    return Buffer.from(
      earlierCount === 0 ? digest : digestOf(`${earlierCount}\n${digest}`),
      'latin1',
    )
  }

  /** Counts one more where the file had fewer than `count`; a part grows one by one. */
  #raise(accountId: number, digest: string, count: number): void {
    if (this.#counts.countOf(digest, accountId) < count) this.#counts.add(digest, accountId)
  }
}
