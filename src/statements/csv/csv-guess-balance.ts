import type { Amount } from '../../money.js'
import { addAmounts, compareAmounts, negateAmount } from '../../money.js'
import type { GuessedColumn } from './csv-guess-table.js'

const ZERO: Amount = { unscaled: 0, scale: 0 }

/**
 * Whether the amounts of the rows lead from one balance to the next, up or down the file; two rows
 * at least, and an amount other than zero, prove it.
 */
export function leadsOn(
  amounts: readonly (Amount | undefined)[],
  balance: GuessedColumn | undefined,
): boolean {
  const balances = balance?.amounts
  if (balances === undefined || balances.length < 2) return false
  return leadsDown(amounts, balances) || leadsDown(amounts.toReversed(), balances.toReversed())
}

/**
 * Whether the balances prove that an amount has another sign than it is written with: two rows at
 * least have a balance, and the amounts lead from none to the next, while all of them do so turned
 * round, or none has a minus.
 */
export function contradicts(amount: GuessedColumn, balance: GuessedColumn | undefined): boolean {
  const { amounts = [] } = amount
  if (balance?.amounts === undefined || balance.filled.length < 2) return false
  if (leadsOn(amounts, balance)) return false
  if (amounts.every((each) => (each?.unscaled ?? 0) >= 0)) return true
  return leadsOn(
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
 * The amounts as they would be signed: negative where the direction column has the debit's word,
 * each less what the row has in the column `less`.
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
