import type { VNode } from '../../browser/jsx.js'
import { Link } from './link.js'

/** One of several views of the same object, each a page of its own. */
export interface Tab {
  readonly text: string
  /** A path as in routes.ts, and a query. */
  readonly to: string
  readonly isCurrent: boolean
}

/** Links between the views of one object. @param label the object of the views */
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
