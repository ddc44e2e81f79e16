import { isDeepStrictEqual } from 'node:util'
import type { EpochMs } from '../../instant.js'
import type { TransactionRow } from '../../store/columns.js'
import type { NewRow } from '../../store/workspace-writer.js'
import type { StatementAccount, StatementEvent, StatementTransaction } from '../statement.js'
import type { BatchedRows } from './batched-rows.js'
import { digestOf } from './digest.js'
import { ExpectedIdentities, type IdentityCounter, identityBase, lineDigest } from './identity.js'
import type { JoinedEntries } from './joined-entries.js'
import type { OtherDays } from './other-days.js'
import { rowAsWritten, rowOfTransaction } from './statement-row.js'

/** A transaction as a row, with its digests. */
export interface BookedRow {
  readonly row: NewRow<TransactionRow>
  /** Digest of its {@link identityBase}. */
  readonly base: string
  /** See {@link lineDigest}; undefined = not computed. */
  readonly line: string | undefined
}

/** Parts of an import that prefetch rows. */
interface AskingParts {
  readonly now: EpochMs
  readonly rows: BatchedRows
  readonly identities: IdentityCounter
  readonly entries: JoinedEntries
  readonly otherDays: OtherDays
}

/**
 * Prefetches the rows that a batch of events is expected to need. Only the speed depends on it: a
 * transaction may turn out to belong to another account, or to be counted differently.
 */
export class ExpectedRows {
  readonly #bookings = new Map<StatementTransaction, BookedRow>()

  constructor(private readonly parts: AskingParts) {}

  /** To be called before each batch. */
  begin(): void {
    this.#bookings.clear()
  }

  /**
   * Prefetches for the transactions of a batch, from a position up to the first event that may
   * belong to another account.
   * @param named the account, as the file names it
   * @param mayBeThere false = only parts of entries may have stored rows
   * @returns the position of that event
   */
  take(
    events: readonly StatementEvent[],
    from: number,
    { id, named }: { readonly id: number; readonly named: StatementAccount | undefined },
    mayBeThere: boolean,
  ): number {
    const transactions: StatementTransaction[] = []
    let end = from
    for (; end < events.length; end++) {
      const event = events[end]! // end < length
      if (event.kind === 'account' && !isDeepStrictEqual(event.account, named)) break
      if (event.kind !== 'transaction') continue
      const { transaction } = event
      if (mayBeThere || transaction.entry !== undefined) transactions.push(transaction)
    }
    if (transactions.length > 0) this.#expect(id, transactions)
    return end
  }

  /** The row and base of a transaction. */
  bookingOf(accountId: number, transaction: StatementTransaction): BookedRow {
    const known = this.#bookings.get(transaction)
    if (known?.row.accountId === accountId) return known
    const row = rowOfTransaction(transaction, accountId, this.parts.now)
    const written = rowAsWritten(row, transaction)
    const base = digestOf(identityBase(written, transaction.bankReference))
    return { row, base, line: undefined }
  }

  #expect(accountId: number, transactions: readonly StatementTransaction[]): void {
    const { rows, identities, entries, otherDays } = this.parts
    const expected = new ExpectedIdentities(identities)
    const asked = transactions.map((transaction) => {
      const { row, base } = this.bookingOf(accountId, transaction)
      const line = lineDigest(row)
      this.#bookings.set(transaction, { row, base, line })
      return [base, line].map((digest) => expected.nextOf(accountId, digest))
    })
    rows.expectIdentities(accountId, asked.flat())
    entries.expect(accountId, transactions)
    otherDays.expect(
      accountId,
      transactions.filter((_, i) => {
        const some = asked[i] ?? []
        return some.every((each) => rows.transactionIdByIdentity(accountId, each) === undefined)
      }),
    )
  }
}
