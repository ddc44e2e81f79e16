import type { EpochMs } from '../../instant.js'
import type { AccountRow } from '../../store/columns.js'
import type { ClosingBalance } from './balance-check.js'
import type { ChainedStatements } from './chained-statements.js'
import { utcDayOf } from './identity.js'
import type { NewestBookings } from './newest-bookings.js'
import type { OwnAccounts } from './own-accounts.js'

/** The closing balances of one import: the newest one becomes the account's. */
export class ClosingBalances {
  readonly #closings = new Map<number, ClosingBalance[]>()

  constructor(
    private readonly accounts: OwnAccounts,
    private readonly chains: ChainedStatements,
  ) {}

  add(accountId: number, closings: readonly ClosingBalance[]): void {
    const known = this.#closings.get(accountId)
    if (known === undefined) this.#closings.set(accountId, [...closings])
    else known.push(...closings)
  }

  /**
   * To be called once, at the end of the import.
   * @param addedTo accounts that the import added to
   */
  keep(addedTo: ReadonlySet<number>, newest: NewestBookings, now: EpochMs): void {
    for (const [accountId, closings] of this.#closings) {
      const account = this.accounts.byId(accountId)
      if (account !== undefined) this.#keepOne(account, closings, addedTo, newest, now)
    }
  }

  /**
   * A closing balance becomes the account's balance when it is known to be the newest: no
   * transaction of the account is booked after its day, no statement of that day leads from it to
   * the account's balance, and either the account had no balance or this import added to the
   * account. So an old statement or a repeated import never restores an older balance, and a
   * statement without entries never changes an existing one.
   */
  #keepOne(
    account: AccountRow,
    closings: readonly ClosingBalance[],
    addedTo: ReadonlySet<number>,
    newest: NewestBookings,
    now: EpochMs,
  ): void {
    const closing = this.#newestOf(account, closings)
    if (closing?.at === undefined) return
    const { id, currency, balanceUnscaled, balanceScale } = account
    if (balanceUnscaled !== null && !addedTo.has(id)) return
    const newestBookedAt = newest.of(id)
    if (newestBookedAt !== undefined && utcDayOf(newestBookedAt) > utcDayOf(closing.at)) return
    if (balanceUnscaled !== null && balanceScale !== null) {
      const present = { unscaled: balanceUnscaled, scale: balanceScale }
      if (this.chains.leads(id, currency, closing.at, closing.amount, present)) return
    }
    this.accounts.replace({
      ...account,
      balanceUnscaled: closing.amount.unscaled,
      balanceScale: closing.amount.scale,
      updatedAt: now,
    })
  }

  /**
   * The closing balance of the latest day; of one day, the one that the statements of the day lead
   * to, else the last one in the file.
   */
  #newestOf(
    { id, currency }: AccountRow,
    closings: readonly ClosingBalance[],
  ): ClosingBalance | undefined {
    let newest: ClosingBalance | undefined
    for (const closing of closings) {
      if (closing.currency !== currency || closing.at === undefined) continue
      const days = newest?.at === undefined ? 1 : utcDayOf(closing.at) - utcDayOf(newest.at)
      const isLater =
        days > 0 ||
        (days === 0 &&
          newest !== undefined &&
          !this.chains.leads(id, currency, closing.at, closing.amount, newest.amount))
      if (isLater) newest = closing
    }
    return newest
  }
}
