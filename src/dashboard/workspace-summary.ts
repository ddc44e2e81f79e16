import { type AccountEntry, isIndexed, transactionCount } from '../snapshot/snapshot.js'
import type { BalanceSum } from './account-sums.js'
import type { DashboardParts } from './parts.js'

/**
 * The condition of a workspace: `searchable` answers everything, `loaded` answers lists while its
 * indexes are being built, `absent` is loaded at the first request.
 */
export type WorkspaceCondition = 'searchable' | 'loaded' | 'loading' | 'failed' | 'absent'

/** The properties of a workspace in a list. */
export interface WorkspaceSummary {
  readonly workspaceId: string
  readonly condition: WorkspaceCondition
  /** The reason why it cannot be loaded. */
  readonly reason?: string
  /** The content in memory; absent = none. */
  readonly content?: {
    readonly accounts: readonly AccountEntry[]
    readonly rowCount: number
    readonly bytes: number
  }
}

/** Returns the condition of a workspace without loading it. */
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
  return { workspaceId, condition, content: { accounts: snapshot.accounts, rowCount, bytes } }
}

/** The properties of a workspace, and the balances of its accounts by currency. */
export interface SummedWorkspace extends WorkspaceSummary {
  readonly balances: readonly BalanceSum[]
}

/** Adds up the balances of workspaces; those that are not in memory have none. */
export async function withBalances(
  { accountSums }: Pick<DashboardParts, 'accountSums'>,
  summaries: readonly WorkspaceSummary[],
): Promise<SummedWorkspace[]> {
  const summed: SummedWorkspace[] = []
  // One after the other: several at once would be one long turn.
  for (const each of summaries) {
    const { content } = each
    const balances = content === undefined ? [] : await accountSums.of(content.accounts)
    summed.push({ ...each, balances })
  }
  return summed
}

/** Whether the condition will soon change by itself. */
export function isUnderWay(condition: WorkspaceCondition): boolean {
  return condition === 'loading' || condition === 'loaded'
}

/** Whether the snapshot in memory lacks the rows of an import, as it does for a moment after it. */
export function isBehindImports(
  { snapshots, imports }: Pick<DashboardParts, 'snapshots' | 'imports'>,
  workspaceId: string,
): boolean {
  const state = snapshots.stateOf(workspaceId)
  if (state.kind !== 'loaded') return false
  return state.snapshot.version.sequence < imports.lastSequence(workspaceId)
}
