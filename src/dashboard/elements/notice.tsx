import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import type { Tone } from './badge.js'

interface NoticeProps {
  /** `good` says that something was done, `bad` that it was not; both are read out at once. */
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}

/** What somebody is to know before anything else on the page. */
export function Notice({ tone = 'plain', title, children }: NoticeProps): VNode {
  const role = tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined
  return (
    <div class={`notice ${tone}`} role={role}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
  )
}
