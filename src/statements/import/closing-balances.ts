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
   * A closing balance becomes the account's balance when it is known to be the newest: it includes
   * all transactions of the account that are booked after its day, usually none, and either the
   * account had no balance or this import added to the account. So an old statement or a repeated
   * import never restores an older balance, and a statement without entries never changes an
   * existing one. If other statements of its day follow it, in this file or an earlier one, their
   * last balance counts.
   */
  #keepOne(
    account: AccountRow,
    closings: readonly ClosingBalance[],
    addedTo: ReadonlySet<number>,
    newest: NewestBookings,
    now: EpochMs,
  ): void {
    const closing = newestClosing(closings, account.currency)
    if (closing?.at === undefined) return
    if (account.balanceUnscaled !== null && !addedTo.has(account.id)) return
    if (!includesAll(closing, closing.at, account.id, newest)) return
    const { unscaled, scale } = this.chains.endOf(account.id, closing)
    const balance = { balanceUnscaled: unscaled, balanceScale: scale }
    this.accounts.replace({ ...account, ...balance, updatedAt: now })
  }
}

/** Whether a closing balance includes all stored transactions that are booked after its day. */
function includesAll(
  { bookedLaterCount }: ClosingBalance,
  at: EpochMs,
  accountId: number,
  newest: NewestBookings,
): boolean {
  const day = utcDayOf(at)
  const newestBookedAt = newest.of(accountId)
  if (newestBookedAt === undefined || utcDayOf(newestBookedAt) <= day) return true
  return bookedLaterCount > 0 && newest.countAfter(accountId, day) === bookedLaterCount
}

/** The closing balance of the latest day; of one day, the last one in the file. */
function newestClosing(
  closings: readonly ClosingBalance[],
  currency: string,
): ClosingBalance | undefined {
  let newest: ClosingBalance | undefined
  for (const closing of closings) {
    if (closing.currency !== currency || closing.at === undefined) continue
    if (newest?.at === undefined || utcDayOf(closing.at) >= utcDayOf(newest.at)) newest = closing
  }
  return newest
}
