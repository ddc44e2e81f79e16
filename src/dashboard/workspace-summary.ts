import type { Account } from '../domain/account.js'
import { isIndexed, transactionCount } from '../snapshot/snapshot.js'
import { accountsOf } from './account-list.js'
import type { DashboardParts } from './parts.js'

/**
 * How a workspace is: `searchable` answers everything, `loaded` answers lists while its indexes are
 * being made, `absent` is loaded when somebody asks for it.
 */
export type WorkspaceCondition = 'searchable' | 'loaded' | 'loading' | 'failed' | 'absent'

/** What a list tells of a workspace. */
export interface WorkspaceSummary {
  readonly workspaceId: string
  readonly condition: WorkspaceCondition
  /** Why it cannot be loaded. */
  readonly reason?: string
  /** What is in memory of it; absent = nothing. */
  readonly content?: {
    readonly accounts: readonly Account[]
    readonly rowCount: number
    readonly bytes: number
  }
}

/** Tells how a workspace is, without asking for it. */
export function summaryOf(
  { snapshots }: Pick<DashboardParts, 'snapshots'>,
  workspaceId: string,
): WorkspaceSummary {
  const state = snapshots.stateOf(workspaceId)
  if (state.kind !== 'loaded') {
    const reason = state.kind === 'failed' ? { reason: state.reason } : {}
    return { workspaceId, condition: state.kind, ...reason }
  }
  const { snapshot, bytes } = state
  const condition = isIndexed(snapshot) ? 'searchable' : 'loaded'
  const rowCount = transactionCount(snapshot)
  return { workspaceId, condition, content: { accounts: accountsOf(snapshot), rowCount, bytes } }
}

/** Whether it will soon be otherwise by itself. */
export function isUnderWay(condition: WorkspaceCondition): boolean {
  return condition === 'loading' || condition === 'loaded'
}

/** Whether the snapshot in memory lacks what an import added, as it does for a moment after it. */
export function isBehindImports(
  { snapshots, imports }: Pick<DashboardParts, 'snapshots' | 'imports'>,
  workspaceId: string,
): boolean {
  const state = snapshots.stateOf(workspaceId)
  if (state.kind !== 'loaded') return false
  return state.snapshot.version.sequence < imports.lastSequence(workspaceId)
}
