// Entries of one day and amount with the same reference of the bank.
//
// A reader numbers them in the order of the file: `R1 …`, `R1 … #2`. A report of the running day
// may have had the second one alone, as `R1 …`. The statement's first entry is then taken for it,
// and its second one is new, but it is the text of the first one that is not stored yet. So a new
// entry whose text is stored under an earlier number gets the text of the entry with that number.
import { plainReference } from '../bank-reference.js'
import type { StatementTransaction } from '../statement.js'

/** Entries that are remembered: the equal references of a day are near one another. */
const RECENT_MAX = 1_000

/** The recent entries of a file that were already stored, by their references without a number. */
export class EqualReferences {
  /** Oldest first, so that the first keys are forgotten first. */
  readonly #known = new Map<string, { transaction: StatementTransaction; id: number }[]>()

  /** Remembers an entry that is taken for a stored row. */
  add(accountId: number, transaction: StatementTransaction, id: number): void {
    const key = keyOf(accountId, transaction)
    if (key === undefined) return
    const known = this.#known.get(key)
    if (known !== undefined) {
      if (known.length < RECENT_MAX) known.push({ transaction, id })
      return
    }
    this.#known.set(key, [{ transaction, id }])
    if (this.#known.size <= RECENT_MAX) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  /**
   * The entry whose text a new row has to have in place of `transaction`.
   * @param isStoredAs whether a stored row has the texts of a transaction
   */
  textFor(
    accountId: number,
    transaction: StatementTransaction,
    isStoredAs: (id: number, transaction: StatementTransaction) => boolean,
  ): StatementTransaction {
    const key = keyOf(accountId, transaction)
    const known = (key === undefined ? undefined : this.#known.get(key)) ?? []
    const at = known.findIndex(
      (each) => !isStoredAs(each.id, each.transaction) && isStoredAs(each.id, transaction),
    )
    // Each stands for one new row.
    const [swapped] = at < 0 ? [] : known.splice(at, 1)
    return swapped?.transaction ?? transaction
  }
}

function keyOf(accountId: number, { bankReference }: StatementTransaction): string | undefined {
  return bankReference === undefined ? undefined : `${accountId} ${plainReference(bankReference)}`
}
