import type { ComponentChildren, VNode } from '../../browser/jsx.js'

/**
 * The state a badge shows: `good` = works, `warn` = needs attention, `bad` = does not work, `plain`
 * = a fact.
 */
export type BadgeVariant = 'good' | 'warn' | 'bad' | 'plain'

/** A word about a state. The variant repeats the word as a colour. */
export function Badge({ variant = 'plain', children }: BadgeProps): VNode {
  return <span class={`badge ${variant}`}>{children}</span>
}

interface BadgeProps {
  readonly variant?: BadgeVariant
  readonly children: ComponentChildren
}
