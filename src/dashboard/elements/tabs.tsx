import type { VNode } from '../../browser/jsx.js'
import { Link } from './link.js'

/** One of several views of the same thing, each a page of its own. */
export interface Tab {
  readonly text: string
  /** As the routes write it, and a query. */
  readonly to: string
  readonly isCurrent: boolean
}

/** Leads from one view to the others. @param label what the views are of */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
}): VNode {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ text, to, isCurrent }) => (
          <li key={to}>
            <Link to={to} current={isCurrent ? 'page' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
