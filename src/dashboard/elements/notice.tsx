import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import type { Tone } from './badge.js'

interface NoticeProps {
  /** `good` = the action was done, `bad` = it was not; screen readers announce both at once. */
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}

/** A message above the rest of the page. */
export function Notice({ tone = 'plain', title, children }: NoticeProps): VNode {
  const role = tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined
  return (
    <div class={`notice ${tone}`} role={role}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
  )
}
