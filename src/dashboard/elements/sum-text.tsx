import type { VNode } from '../../browser/jsx.js'
import { groupedDigits } from '../../count-text.js'
import { formatSum, type Sum } from '../../money.js'

interface SumTextProps {
  readonly sum: Sum
  readonly currency?: string
}

/** A sum to the last decimal, of any size: `−1,234.50`. */
export function SumText({ sum, currency }: SumTextProps): VNode {
  const exact = formatSum(sum)
  const [whole = '', decimals = ''] = exact.replace('-', '').split('.')
  return (
    <data class="money" value={exact}>
      {sum < 0n ? '−' : ''}
      {groupedDigits(whole)}.{decimals.padEnd(2, '0')}
      {currency === undefined ? null : <span class="currency"> {currency}</span>}
    </data>
  )
}
