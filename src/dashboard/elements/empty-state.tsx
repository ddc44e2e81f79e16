import type { ComponentChildren, VNode } from '../../browser/jsx.js'

interface EmptyStateProps {
  readonly title: string
  /** The next step, and how to do it. */
  readonly children: ComponentChildren
}

/** Replaces an empty list. */
export function EmptyState({ title, children }: EmptyStateProps): VNode {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
