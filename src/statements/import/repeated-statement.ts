import type { TransactionRow } from '../../store/columns.js'
import type { Identity } from '../../store/workspace-file.js'
import { referenceWithin } from '../bank-reference.js'
import { DigestCounts } from './digest-counts.js'
import { IdentityCounter } from './identity.js'

/** The identities of the entries of one statement, or of a file. */
export interface EntryIdentities {
  /** As {@link IdentityCounter.next}. */
  next(
    accountId: number,
    row: Omit<TransactionRow, 'id'>,
    bankReference: string | undefined,
  ): Identity
  /** As {@link IdentityCounter.nextLine}. */
  nextLine(accountId: number, row: Omit<TransactionRow, 'id'>): Identity
}

/**
 * A statement that repeats one of its file. Its entries are counted as in a file of their own, so
 * they have the identities of the first one's entries.
 */
export class RepeatedStatement implements EntryIdentities {
  readonly #identities: IdentityCounter
  readonly #references = new DigestCounts()

  /** @param whole the counter of the file */
  constructor(whole: IdentityCounter) {
    this.#identities = new IdentityCounter(whole)
  }

  next(
    accountId: number,
    row: Omit<TransactionRow, 'id'>,
    bankReference: string | undefined,
  ): Identity {
    const reference =
      bankReference === undefined ? undefined : referenceWithin(this.#references, bankReference)
    return this.#identities.next(accountId, row, reference)
  }

  nextLine(accountId: number, row: Omit<TransactionRow, 'id'>): Identity {
    return this.#identities.nextLine(accountId, row)
  }
}

/** The sentence about such a statement. @param place as `account 4711, statement of 2026-01-31` */
export function repeatedSentence(place: string, entryCount: number, addedCount: number): string {
  const repeats = `${place}: repeats a statement of this file`
  if (addedCount === 0) return `${repeats}; its entries are not added again`
  const verb = addedCount === 1 ? 'is' : 'are'
  const entries = `${addedCount} of its ${entryCount} entries ${verb} not in that one`
  return `${repeats}, but ${entries} and ${verb} added; check the file`
}
