import type { Account } from '../domain/account.js'
import { type Amount, parseAmount } from '../money.js'
import type { AccountEntry } from '../snapshot/snapshot.js'

/** Parses accounts of a snapshot, which takes a microsecond each. */
export function accountsOf(accounts: readonly Pick<AccountEntry, 'bytes'>[]): Account[] {
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
