import type { ComponentChildren, VNode } from '../../browser/jsx.js'

/**
 * The state a badge shows: `good` = works, `warn` = needs attention, `bad` = does not work, `plain`
 * = a fact.
 */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** A word about a state. The tone only underlines the word. */
export function Badge({ tone = 'plain', children }: BadgeProps): VNode {
  return <span class={`badge ${tone}`}>{children}</span>
}

interface BadgeProps {
  readonly tone?: Tone
  readonly children: ComponentChildren
}
