import { referenceWithin } from '../bank-reference.js'
import type { StatementTransaction } from '../statement.js'
import { DigestCounts } from './digest-counts.js'
import { IdentityCounter } from './identity.js'

/**
 * A statement that repeats one of its file. Its entries are counted as in a file of their own, so
 * they have the identities of the first one's entries.
 */
export class RepeatedStatement {
  readonly identities: IdentityCounter
  readonly #references = new DigestCounts()

  /** @param whole the counter of the file */
  constructor(whole: IdentityCounter) {
    this.identities = new IdentityCounter(whole)
  }

  /**
   * The next transaction as it would be in a file with this statement alone. Its entry has been
   * joined with other messages where the first statement brought it.
   */
  alone({ entry: _, ...transaction }: StatementTransaction): StatementTransaction {
    const { bankReference } = transaction
    if (bankReference === undefined) return transaction
    return { ...transaction, bankReference: referenceWithin(this.#references, bankReference) }
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
