import { referenceWithin } from '../bank-reference.js'
import type { StatementEntry, StatementTransaction } from '../statement.js'
import type { CheckedStatement } from './balance-check.js'
import { digestOf } from './digest.js'
import { DigestCounts } from './digest-counts.js'
import { IdentityCounter } from './identity.js'

/** Earlier statements of a file, by their keys. */
export class KnownStatements {
  /** Digests of keys. */
  readonly #keys = new Set<string>()
  /** Digests of keys with balances, number and sum of the entries. */
  readonly #contents = new Set<string>()

  /** Whether a statement of this key has begun before; remembers the key. */
  begin(key: string): boolean {
    const digest = digestOf(key)
    const isKnown = this.#keys.has(digest)
    this.#keys.add(digest)
    return isKnown
  }

  /**
   * Whether a statement of this key with the same balances, number and sum of entries has ended
   * before; remembers this one.
   */
  end(key: string, statements: readonly CheckedStatement[]): boolean {
    const sums = statements.map(({ currency, opening, entries, entryCount, closing, closedAt }) =>
      [currency, opening, entries, entryCount, closing, closedAt].join(' '),
    )
    const digest = digestOf([key, ...sums].join('\n'))
    const isKnown = this.#contents.has(digest)
    this.#contents.add(digest)
    return isKnown
  }
}

/**
 * A statement that repeats one of its file. Its entries are counted as in a file of their own, so
 * they have the identities of the first one's entries.
 */
export class RepeatedStatement {
  readonly identities: IdentityCounter
  readonly #references = new DigestCounts()
  #latest: { readonly written: StatementEntry; readonly alone: StatementEntry } | undefined

  /** @param whole the counter of the file */
  constructor(whole: IdentityCounter) {
    this.identities = new IdentityCounter(whole)
  }

  /** The next transaction, with its reference as in a file with this statement alone. */
  alone(transaction: StatementTransaction): StatementTransaction {
    const { bankReference: reference, entry } = transaction
    const alone = { ...transaction }
    if (entry !== undefined) alone.entry = this.#entryAlone(entry)
    if (reference === undefined) return alone
    // The only part of an entry may have the entry's key as its reference, which counts once.
    const isKey = entry !== undefined && entry.key === reference
    alone.bankReference = isKey
      ? this.#entryAlone(entry).key
      : referenceWithin(this.#references, reference)
    return alone
  }

  /** The same object for all transactions of an entry, which are adjacent. */
  #entryAlone(entry: StatementEntry): StatementEntry {
    if (this.#latest?.written !== entry) {
      const key = referenceWithin(this.#references, entry.key)
      this.#latest = { written: entry, alone: { ...entry, key } }
    }
    return this.#latest.alone
  }
}

/** The warning about such a statement. @param place as `account 4711, statement of 2026-01-31` */
export function repeatedSentence(place: string, entryCount: number, addedCount: number): string {
  const repeats = `${place}: repeats a statement of this file`
  if (addedCount === 0) return `${repeats}; its entries are not added again`
  const verb = addedCount === 1 ? 'is' : 'are'
  const entries = `${addedCount} of its ${entryCount} entries ${verb} not in that one`
  return `${repeats}, but ${entries} and ${verb} added; check the file`
}

/** The warning about a statement with the key of an earlier one, but other entries or balances. */
export function distinctSentence(place: string): string {
  return (
    `${place}: has the number and the opening balance of an earlier statement of this file, but ` +
    'other entries or another closing balance; its entries are added; check the file'
  )
}
