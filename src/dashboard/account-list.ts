import type { Account } from '../domain/account.js'
import { type Amount, addAmounts, parseAmount } from '../money.js'
import type { Snapshot } from '../snapshot/snapshot.js'

/** The accounts of a snapshot, ids ascending. */
export function accountsOf({ accounts }: Pick<Snapshot, 'accounts'>): Account[] {
  return accounts.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as Account)
}

/** The display name of an account: the first present of name, holder, IBAN, number and id. */
export function accountName({ id, name, holderName, iban, accountNumber }: Account): string {
  return name ?? holderName ?? iban ?? accountNumber ?? `Account ${id}`
}

/** An amount of the wire format. A double keeps the 15 digits that amounts have at most. */
export function amountOf(wire: number): Amount {
  const amount = parseAmount(String(wire))
  if (typeof amount === 'string') throw new Error(`an amount of the wire ${amount}`)
  return amount
}

/** The sum of the balances of all accounts of one currency. */
export interface BalanceSum {
  readonly currency: string
  /** undefined = it has more digits than an amount may have. */
  readonly sum: Amount | undefined
}

/** The balances of all accounts that have one, by currency, currencies ascending. */
export function balanceSums(
  accounts: readonly Pick<Account, 'currency' | 'balance'>[],
): BalanceSum[] {
  const sums = new Map<string, Amount | undefined>()
  for (const { currency, balance } of accounts) {
    if (balance === undefined) continue
    const amount = amountOf(balance)
    const before = sums.get(currency)
    if (!sums.has(currency)) sums.set(currency, amount)
    else sums.set(currency, before === undefined ? undefined : addAmounts(before, amount))
  }
  return [...sums]
    .map(([currency, sum]) => ({ currency, sum }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
