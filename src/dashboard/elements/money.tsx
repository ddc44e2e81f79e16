import type { VNode } from '../../browser/jsx.js'
import { groupedDigits } from '../../count-text.js'
import { type Amount, formatAmount } from '../../money.js'

/** Decimals that are always shown, so that the decimal points of a column align. */
const DECIMALS_MIN = 2

/** An amount as a statement prints it, to the last decimal: `−1,234.50`. */
export function moneyText({ unscaled, scale }: Amount): string {
  const exact = formatAmount(Math.abs(unscaled), scale)
  const [whole = '', decimals = ''] = exact.split('.')
  const sign = unscaled < 0 ? '−' : ''
  return `${sign}${groupedDigits(whole)}.${decimals.padEnd(DECIMALS_MIN, '0')}`
}

interface MoneyProps {
  readonly amount: Amount
  readonly currency?: string | undefined
  /** Incoming amounts are green and have a plus sign: for movements, not for balances. */
  readonly isMovement?: boolean
}

/** An amount with its currency. */
export function Money({ amount, currency, isMovement = false }: MoneyProps): VNode {
  const isIn = isMovement && amount.unscaled > 0
  return (
    <data class={isIn ? 'money in' : 'money'} value={formatAmount(amount.unscaled, amount.scale)}>
      {isIn ? '+' : ''}
      {moneyText(amount)}
      {currency === undefined ? null : <span class="currency"> {currency}</span>}
    </data>
  )
}
