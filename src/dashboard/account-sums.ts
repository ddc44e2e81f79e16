import { setImmediate } from 'node:timers/promises'
import { type Sum, sumOf } from '../money.js'
import type { AccountEntry } from '../snapshot/snapshot.js'

/** The sum of the balances of all accounts of one currency. */
export interface BalanceSum {
  readonly currency: string
  readonly sum: Sum
}

/** Balances that are added up before other requests run: less than a millisecond. */
export const BALANCES_AT_ONCE_MAX = 2_000

/**
 * Adds up sums by currency, currencies ascending, in slices, so that other requests run between
 * them.
 */
export async function sumsByCurrency(balances: Iterable<BalanceSum>): Promise<BalanceSum[]> {
  const sums = new Map<string, Sum>()
  let count = 0
  for (const { currency, sum } of balances) {
    sums.set(currency, (sums.get(currency) ?? 0n) + sum)
    count += 1
    if (count % BALANCES_AT_ONCE_MAX === 0) await setImmediate()
  }
  return Array.from(sums, ([currency, sum]) => ({ currency, sum })).sort((a, b) =>
    a.currency < b.currency ? -1 : 1,
  )
}

/** The balances of the accounts that have one. */
export function* balancesOf(
  accounts: readonly Pick<AccountEntry, 'currency' | 'balance'>[],
): Generator<BalanceSum> {
  for (const { currency, balance: amount } of accounts) {
    if (amount !== undefined) {
      yield { currency, sum: sumOf(BigInt(amount.unscaled), amount.scale) }
    }
  }
}

/**
 * The balances of all accounts that have one, by currency. Kept as long as the list of accounts:
 * the pages of a workspace show them again and again.
 */
export class AccountSums {
  readonly #sums = new WeakMap<readonly AccountEntry[], Promise<readonly BalanceSum[]>>()

  /** @param accounts of a snapshot, which never change */
  of(accounts: readonly AccountEntry[]): Promise<readonly BalanceSum[]> {
    const known = this.#sums.get(accounts)
    if (known !== undefined) return known
    const adding = sumsByCurrency(balancesOf(accounts))
    this.#sums.set(accounts, adding)
    return adding
  }
}
