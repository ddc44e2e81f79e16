import type { VNode } from '../../../browser/jsx.js'
import { Badge, type Tone } from '../../elements/badge.js'
import type { WorkspaceCondition } from '../../workspace-summary.js'

const WORDS: Readonly<Record<WorkspaceCondition, { readonly tone: Tone; readonly text: string }>> =
  {
    searchable: { tone: 'good', text: 'Ready' },
    loaded: { tone: 'warn', text: 'Indexing' },
    loading: { tone: 'warn', text: 'Loading' },
    failed: { tone: 'bad', text: 'Unreadable' },
    absent: { tone: 'plain', text: 'Not in memory' },
  }

/** The condition of a workspace as a word. */
export function ConditionBadge({ condition }: { readonly condition: WorkspaceCondition }): VNode {
  const { tone, text } = WORDS[condition]
  return <Badge tone={tone}>{text}</Badge>
}
