import type { Amount } from '../../money.js'
import { addAmounts, compareAmounts, negateAmount } from '../../money.js'
import type { GuessedColumn } from './csv-guess-table.js'

const ZERO: Amount = { unscaled: 0, scale: 0 }

/**
 * Whether the balances chain: the amount of each row leads from one balance to the next, up or down
 * the file. At least two rows, and an amount other than zero, prove it.
 */
export function balancesChain(
  amounts: readonly (Amount | undefined)[],
  balance: Pick<GuessedColumn, 'amounts'> | undefined,
): boolean {
  const balances = balance?.amounts
  if (balances === undefined || balances.length < 2) return false
  return leadsDown(amounts, balances) || leadsDown(amounts.toReversed(), balances.toReversed())
}

/**
 * Whether the balances contradict the signs of the amounts: at least two rows have a balance and no
 * pair of balances chains, while all chain with the signs reversed, or no amount has a minus.
 */
export function contradicts(amount: GuessedColumn, balance: GuessedColumn | undefined): boolean {
  const { amounts = [] } = amount
  if (balance?.amounts === undefined || balance.filled.length < 2) return false
  if (balancesChain(amounts, balance)) return false
  if (amounts.every((each) => (each?.unscaled ?? 0) >= 0)) return true
  return balancesChain(
    amounts.map((each) => each && negateAmount(each)),
    balance,
  )
}

function leadsDown(
  amounts: readonly (Amount | undefined)[],
  balances: readonly (Amount | undefined)[],
): boolean {
  const isMoved = amounts.slice(1).some((amount) => (amount?.unscaled ?? 0) !== 0)
  return (
    isMoved &&
    balances.every((after, i) => {
      const before = balances[i - 1]
      if (i === 0) return after !== undefined
      const sum = before === undefined ? undefined : addAmounts(before, amounts[i] ?? ZERO)
      return sum !== undefined && after !== undefined && compareAmounts(sum, after) === 0
    })
  )
}

/**
 * The signed amounts: negative where the direction column has the word for debits, each minus the
 * row's value in the column `less`.
 */
export function signedAmounts(
  { amounts = [] }: Pick<GuessedColumn, 'amounts'>,
  direction?: GuessedColumn,
  debit?: string,
  less?: GuessedColumn,
): (Amount | undefined)[] {
  return amounts.map((amount, i) => {
    const isDebit = direction !== undefined && direction.cells[i] === debit
    const signed = isDebit ? negateAmount(amount ?? ZERO) : (amount ?? ZERO)
    return addAmounts(signed, negateAmount(less?.amounts?.[i] ?? ZERO))
  })
}

/**
 * Whether the balances chain over all rows, and over the booked ones.
 * @param isBooked one a row
 * @returns undefined when the booked rows, or those left out, are too few to compare
 */
export function chainsWithFilter(
  amounts: readonly (Amount | undefined)[],
  balance: GuessedColumn,
  isBooked: readonly boolean[],
): { readonly all: boolean; readonly booked: boolean } | undefined {
  const kept = <T>(values: readonly T[]): readonly T[] => values.filter((_, i) => isBooked[i])
  const balances = kept(balance.amounts ?? [])
  if (balances.length < 2 || balances.length === isBooked.length) return undefined
  return {
    all: balancesChain(amounts, balance),
    booked: balancesChain(kept(amounts), { amounts: balances }),
  }
}
