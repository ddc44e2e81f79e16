// How a repeated import finds a transaction again.
//
// A transaction's base consists of the values that a bank repeats word for word in every file with
// the booking: its own reference where the format promises one, else the texts, and always booking
// day, value day, amount and currency. Banks reuse references, so a reference alone never decides:
// two bookings with one reference and different amounts or days are both kept. Equal bases within
// one file are counted, so the n-th of them has its own identity: two equal bookings of one day
// stay two, a repeated import adds nothing, and a file that overlaps an earlier one adds only its
// new bookings. The account is a separate column, not part of the identity.
//
// NDJSON has no bank references, so its lines have an identity of another kind: of the texts alone,
// counted over all lines. An entry of a statement is also looked up by that kind, counted over all
// entries, with or without a reference. A row that is found this way keeps its identity, because
// its NDJSON may be imported again.
//
// Two files may each have one of two bookings that are equal in all of the above: the second coffee
// of the day in a second statement of that day. Where the balances of the two statements show that
// they do not overlap, the second coffee has the identity of the second one (statement-chain.ts).
//
// Remaining errors: a new booking is taken for a known one when two equal bookings are in two files
// without such balances, or when they differ in the reference alone and the first was imported from
// NDJSON. A known booking is taken for a new one when the bank words it differently in another
// file: another format, or a booking whose date or text was preliminary; when a file without
// references repeats a booking of a file with references; and when one file contains a statement
// twice and its format has no key for it (`statementKey` of a reader).
//
// A statement that repeats one of the same file, by its key, balances and sums, is counted like a
// file of its own (repeated-statement.ts): its n-th booking of a base finds the n-th of the file. A
// booking that the first statement did not have is new, and counts for the rest of the file.
import type { EpochMs } from '../../instant.js'
import { formatAmount } from '../../money.js'
import type { TransactionRow } from '../../store/columns.js'
import type { Identity } from '../../store/workspace-writer.js'
import { digestOf } from './digest.js'
import { DigestCounts } from './digest-counts.js'

/** Milliseconds of a day of UTC. */
export const DAY_MS = 86_400_000

/** Printable ASCII without blanks: nothing to normalize but the case. */
const PLAIN = /^[!-~]*$/

/** Compatibility forms composed, case folded (`ß` = `SS`), white space dropped. */
function foldedText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  // Upper and then lower case equals Unicode's full case folding, except for a few letters that
  // banks do not write.
  return text.normalize('NFKC').replace(/\s+/g, '').toUpperCase().toLowerCase()
}

/** Days since 1970-01-01 UTC of the day of an instant. */
export function utcDayOf(at: EpochMs): number {
  return Math.floor(at / DAY_MS)
}

/** The texts of the bank in a row, an absent one as an empty text. */
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

/** The identity of a row as a line of NDJSON, the first of equal ones. */
export function lineDigest(row: Omit<TransactionRow, 'id'>): string {
  return rowDigests(row).line
}

/** The identities of a row by its texts, each for the first of equal rows. */
export interface RowDigests {
  /** As a line of NDJSON. */
  readonly line: string
  /** As an entry of a statement without a reference. */
  readonly entry: string
}

/** The identities of a row by its texts. */
export function rowDigests(row: Omit<TransactionRow, 'id'>): RowDigests {
  const base = identityBase(row, undefined)
  return { line: digestOf(`line\n${base}`), entry: digestOf(base) }
}

/** The identity of a transaction with this base. @param earlierCount number of equal ones before */
export function countedIdentity(base: string, earlierCount: number): Identity {
  return Buffer.from(earlierCount === 0 ? base : digestOf(`${earlierCount}\n${base}`), 'latin1')
}

/** Counts equal transactions of one file, account by account. */
export class IdentityCounter {
  /** Digests of bases, counted apart for each account. */
  readonly #counts = new DigestCounts()

  /**
   * @param whole for a part that is counted from its own start: the counter of the whole file,
   *   which takes the largest count of all parts. Absent for the whole file.
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
    return this.nextOf(accountId, digestOf(identityBase(row, bankReference)))
  }

  /** As `next`. @param base digest of the transaction's {@link identityBase} */
  nextOf(accountId: number, base: string): Identity {
    return this.#count(accountId, base)
  }

  /** Number of the transactions so far with this base. */
  countOf(accountId: number, base: string): number {
    return this.#counts.countOf(base, accountId)
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
    return countedIdentity(digest, earlierCount)
  }

  /** Counts one more if the file had fewer than `count`; a part grows one by one. */
  #raise(accountId: number, digest: string, count: number): void {
    if (this.#counts.countOf(digest, accountId) < count) this.#counts.add(digest, accountId)
  }
}

/** Predicts the identities of a batch for prefetching, before its transactions are counted. */
export class ExpectedIdentities {
  readonly #counts = new DigestCounts()

  constructor(private readonly counter: IdentityCounter) {}

  /** The identity that `counter` is expected to give. @param digest as of `nextOf` */
  nextOf(accountId: number, digest: string): Identity {
    const count = this.counter.countOf(accountId, digest) + this.#counts.add(digest, accountId)
    return countedIdentity(digest, count)
  }
}
