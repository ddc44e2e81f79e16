import { listWorkspaces } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countedText, countText } from '../../../count-text.js'
import { ApiError } from '../../../errors.js'
import { type BalanceSum, sumsByCurrency } from '../../account-sums.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { WORKSPACES_PER_PAGE } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { Stat, Stats } from '../../elements/stat.js'
import { loadSoon } from '../../load-soon.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardParts } from '../../parts.js'
import type { View } from '../../reply.js'
import { REFRESH_SECONDS } from '../../reply.js'
import {
  isUnderWay,
  summaryOf,
  type WorkspaceSummary,
  withBalances,
} from '../../workspace-summary.js'
import { Sums, WorkspaceTable } from '../workspaces/workspace-table.js'
import { overviewOf } from './workspace-overview.js'

/** Workspaces that the overview loads: the few of a small service, not the many of a host. */
export const OVERVIEW_LOADS_MAX = 6

/** The overview of all workspaces. */
export const OVERVIEW_PAGE: DashboardPage = { path: '/dashboard', show: showOverview }

async function showOverview(context: DashboardContext): Promise<View> {
  const { parts } = context
  const all = await listWorkspaces(parts)
  if (all.length === 0) return { title: 'Overview', lead: NOTHING_YET, body: <FirstSteps /> }
  await loadSome(parts, all)
  const shown = await withBalances(
    parts,
    all.slice(0, WORKSPACES_PER_PAGE).map((id) => summaryOf(parts, id)),
  )
  const sums = await sumsByCurrency(shown.flatMap(({ balances }) => balances))
  const isChanging = shown.some(({ condition }) => isUnderWay(condition))
  const single = all.length === 1 ? await singleOverview(context, all[0] ?? '') : undefined
  return {
    title: 'Overview',
    lead: 'The data that this service provides.',
    body: (
      <>
        <Figures {...{ shown, sums }} count={all.length} bytes={parts.snapshots.residentBytes} />
        {single?.body}
        <Panel title="Workspaces" aside={<Link to="/dashboard/workspaces">All workspaces</Link>}>
          <WorkspaceTable all={shown} />
        </Panel>
      </>
    ),
    ...(isChanging ? { refreshSeconds: REFRESH_SECONDS } : {}),
    ...(single?.refreshSeconds === undefined ? {} : { refreshSeconds: single.refreshSeconds }),
  }
}

/** The overview of the only workspace; undefined = it is not in memory, or cannot be summed now. */
async function singleOverview(context: DashboardContext, workspaceId: string) {
  const state = context.parts.snapshots.stateOf(workspaceId)
  if (state.kind !== 'loaded') return undefined
  try {
    return await overviewOf(context, state.snapshot)
  } catch (error) {
    // The rest of the page does not depend on it; the page of the workspace says why.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Loads workspaces unless others might have to leave memory. */
async function loadSome(parts: DashboardParts, workspaceIds: readonly string[]): Promise<void> {
  const isRoom = parts.snapshots.residentBytes < parts.memoryBudgetBytes / 2
  if (isRoom && workspaceIds.length <= OVERVIEW_LOADS_MAX) await loadSoon(parts, workspaceIds)
}

interface FiguresProps {
  readonly shown: readonly WorkspaceSummary[]
  /** Balances of all of them. */
  readonly sums: readonly BalanceSum[]
  readonly count: number
  readonly bytes: number
}

function Figures({ shown, sums, count, bytes }: FiguresProps): VNode {
  const loaded = shown.flatMap(({ content }) => content ?? [])
  const accountCount = loaded.reduce((sum, content) => sum + content.accounts.length, 0)
  const rowCount = loaded.reduce((sum, content) => sum + content.rowCount, 0)
  const isAll = loaded.length === count
  const of = isAll
    ? `in ${countedText(count, 'workspace')}`
    : `in ${countText(loaded.length)} of ${countedText(count, 'workspace')} (those in memory)`
  const isLoading = shown.some(({ condition }) => condition === 'loading')
  // A zero would be read as the content of the workspaces.
  const unknown = loaded.length > 0 ? undefined : isLoading ? 'Loading …' : '–'
  return (
    <Stats>
      <Stat label="Transactions" value={unknown ?? countText(rowCount)} note={of} />
      <Stat label="Accounts" value={unknown ?? countText(accountCount)} note={of} />
      <Stat label="Balances" value={<Sums sums={sums} />} note="as reported by the banks" />
      <Stat label="Memory" value={bytesText(bytes)} note="transactions and indexes" />
    </Stats>
  )
}

const NOTHING_YET = 'There is no data yet. Import a bank file to begin.'

function FirstSteps(): VNode {
  return (
    <EmptyState title="Import your first transactions">
      <p>
        A workspace holds the accounts and transactions of one company or person. Create one, and
        upload the files that your bank offers for download: CAMT, MT940, CSV or OFX.
      </p>
      <p>
        <Link to="/dashboard/workspaces" class="button key">
          Create a workspace
        </Link>
      </p>
      <p>Or in a terminal; this also creates the workspace:</p>
      <CodeBlock label="shell" code="kontor import --workspace books umsaetze.csv" />
      <p>
        To try it out first, run <code>kontor serve --demo</code>: it generates a company with
        20,000 transactions.
      </p>
    </EmptyState>
  )
}
