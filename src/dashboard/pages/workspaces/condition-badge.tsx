import type { VNode } from '../../../browser/jsx.js'
import { Badge, type BadgeVariant } from '../../elements/badge.js'
import type { WorkspaceCondition } from '../../workspace-summary.js'

const WORDS: Readonly<
  Record<WorkspaceCondition, { readonly variant: BadgeVariant; readonly text: string }>
> = {
  searchable: { variant: 'good', text: 'Ready' },
  loaded: { variant: 'warn', text: 'Indexing' },
  loading: { variant: 'warn', text: 'Loading' },
  failed: { variant: 'bad', text: 'Unreadable' },
  absent: { variant: 'plain', text: 'Not in memory' },
}

/** The condition of a workspace as a word. */
export function ConditionBadge({ condition }: { readonly condition: WorkspaceCondition }): VNode {
  const { variant, text } = WORDS[condition]
  return <Badge variant={variant}>{text}</Badge>
}
