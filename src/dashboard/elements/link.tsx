import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import { linkTo } from '../dashboard-context.js'
import { usePageContext } from '../layout/page-context.js'

interface LinkProps {
  /** A path as in routes.ts, and a query. */
  readonly to: string
  readonly class?: string
  /** Set when the link leads to the current page, or to its section. */
  readonly current?: 'page' | 'true' | undefined
  readonly children: ComponentChildren
}

/** A link to a page of the dashboard. */
export function Link({ to, class: names, current, children }: LinkProps): VNode {
  return (
    <a href={linkTo(usePageContext(), to)} class={names} aria-current={current}>
      {children}
    </a>
  )
}
