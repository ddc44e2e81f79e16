import type { VNode } from '../../browser/jsx.js'
import { countText } from '../../count-text.js'

/** Currencies that a list shows: more than a company has accounts in. */
export const CURRENCIES_SHOWN_MAX = 20

/** The rest of a list of which the first {@link CURRENCIES_SHOWN_MAX} currencies are shown. */
export function MoreCurrencies({ count }: { readonly count: number }): VNode | null {
  const more = count - CURRENCIES_SHOWN_MAX
  if (more <= 0) return null
  return (
    <p class="soft">
      and {countText(more)} more {more === 1 ? 'currency' : 'currencies'}
    </p>
  )
}
