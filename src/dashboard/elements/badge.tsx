import type { ComponentChildren, VNode } from '../../browser/jsx.js'

/** How something is: `good` works, `warn` wants a look, `bad` does not work, `plain` is a fact. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** A word about the state of something. Its tone only underlines what the word says. */
export function Badge({ tone = 'plain', children }: BadgeProps): VNode {
  return <span class={`badge ${tone}`}>{children}</span>
}

interface BadgeProps {
  readonly tone?: Tone
  readonly children: ComponentChildren
}
