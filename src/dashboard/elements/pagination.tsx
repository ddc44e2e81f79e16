import type { VNode } from '../../browser/jsx.js'
import { countText } from '../../count-text.js'
import { Link } from './link.js'

interface PaginationProps {
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** The path of the page at an offset, as in routes.ts, with a query. */
  readonly pageAt: (offset: number) => string
}

/** The position of a page in a list, and links to its neighbours; null when all rows are shown. */
export function Pagination({ offset, limit, total, pageAt }: PaginationProps): VNode | null {
  if (offset === 0 && total <= limit) return null
  const last = Math.min(offset + limit, total)
  const isBeyond = offset >= total
  const shown = isBeyond ? 'None' : `${countText(offset + 1)}–${countText(last)}`
  const before = isBeyond ? Math.floor(Math.max(0, total - 1) / limit) * limit : offset - limit
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 ? <Link to={pageAt(Math.max(0, before))}>← Previous</Link> : <span />}
      <span class="soft">
        {shown} of {countText(total)}
      </span>
      {last < total ? <Link to={pageAt(offset + limit)}>Next →</Link> : <span />}
    </nav>
  )
}
