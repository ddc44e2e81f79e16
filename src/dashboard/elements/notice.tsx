import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import type { BadgeVariant } from './badge.js'

interface NoticeProps {
  /** `good` = the action was done, `bad` = it was not; screen readers announce both at once. */
  readonly variant?: BadgeVariant
  readonly title?: string
  readonly children: ComponentChildren
}

/** A message above the rest of the page. */
export function Notice({ variant = 'plain', title, children }: NoticeProps): VNode {
  const role = variant === 'bad' ? 'alert' : variant === 'good' ? 'status' : undefined
  return (
    <div class={`notice ${variant}`} role={role}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
  )
}
