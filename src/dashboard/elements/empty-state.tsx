import type { ComponentChildren, VNode } from '../../browser/jsx.js'

interface EmptyStateProps {
  readonly title: string
  /** What to do next, and how. */
  readonly children: ComponentChildren
}

/** In place of a list that has nothing in it yet. */
export function EmptyState({ title, children }: EmptyStateProps): VNode {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
