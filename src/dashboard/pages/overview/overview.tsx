import { listWorkspaces } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { balanceSums } from '../../account-list.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { OVERVIEW_LOADS_MAX, REFRESH_SECONDS, WORKSPACES_PER_PAGE } from '../../dashboard-limits.js'
import { CodeBlock } from '../../elements/code-block.js'
import { bytesText, countedText, countText } from '../../elements/count-text.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { Stat, Stats } from '../../elements/stat.js'
import { loadSoon } from '../../load-soon.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardParts } from '../../parts.js'
import type { View } from '../../reply.js'
import { isUnderWay, summaryOf, type WorkspaceSummary } from '../../workspace-summary.js'
import { Sums, WorkspaceTable } from '../workspaces/workspace-table.js'

/** The overview of all workspaces. */
export const OVERVIEW_PAGE: DashboardPage = { path: '/dashboard', show: showOverview }

async function showOverview({ parts }: DashboardContext): Promise<View> {
  const all = listWorkspaces(parts)
  if (all.length === 0) return { title: 'Overview', lead: NOTHING_YET, body: <FirstSteps /> }
  await loadSome(parts, all)
  const shown = all.slice(0, WORKSPACES_PER_PAGE).map((id) => summaryOf(parts, id))
  const isChanging = shown.some(({ condition }) => isUnderWay(condition))
  return {
    title: 'Overview',
    lead: 'What this service answers from, as it is now.',
    body: (
      <>
        <Figures shown={shown} count={all.length} bytes={parts.snapshots.residentBytes} />
        <Panel title="Workspaces" aside={<Link to="/dashboard/workspaces">All workspaces</Link>}>
          <WorkspaceTable all={shown} />
        </Panel>
      </>
    ),
    ...(isChanging ? { refreshSeconds: REFRESH_SECONDS } : {}),
  }
}

/** Loads workspaces unless others might have to leave memory. */
async function loadSome(parts: DashboardParts, workspaceIds: readonly string[]): Promise<void> {
  const isRoom = parts.snapshots.residentBytes < parts.memoryBudgetBytes / 2
  if (isRoom && workspaceIds.length <= OVERVIEW_LOADS_MAX) await loadSoon(parts, workspaceIds)
}

interface FiguresProps {
  readonly shown: readonly WorkspaceSummary[]
  readonly count: number
  readonly bytes: number
}

function Figures({ shown, count, bytes }: FiguresProps): VNode {
  const loaded = shown.flatMap(({ content }) => content ?? [])
  const accounts = loaded.flatMap((content) => content.accounts)
  const rowCount = loaded.reduce((sum, content) => sum + content.rowCount, 0)
  const isAll = loaded.length === count
  const of = isAll
    ? `in ${countedText(count, 'workspace')}`
    : `in ${countText(loaded.length)} of ${countedText(count, 'workspace')}, those in memory`
  const isLoading = shown.some(({ condition }) => condition === 'loading')
  // A zero would be read as the content of the workspaces.
  const unknown = loaded.length > 0 ? undefined : isLoading ? 'Loading …' : '–'
  return (
    <Stats>
      <Stat label="Transactions" value={unknown ?? countText(rowCount)} note={of} />
      <Stat label="Accounts" value={unknown ?? countText(accounts.length)} note={of} />
      <Stat label="Balances" value={<Sums sums={balanceSums(accounts)} />} note="as banks told" />
      <Stat label="Memory" value={bytesText(bytes)} note="of transactions and their indexes" />
    </Stats>
  )
}

const NOTHING_YET = 'Nothing is served yet. It takes a bank file and a minute.'

function FirstSteps(): VNode {
  return (
    <EmptyState title="Bring in your first transactions">
      <p>
        A workspace holds the accounts and transactions of one company or person. Make one, and drop
        the files in that your bank offers for download: CAMT.053, MT940, CSV or OFX.
      </p>
      <p>
        <Link to="/dashboard/workspaces" class="button key">
          Make a workspace
        </Link>
      </p>
      <p>Or from a terminal, which makes the workspace as well:</p>
      <CodeBlock label="shell" code="kontor import --workspace books umsaetze.csv" />
      <p>
        To look around first, start with <code>kontor serve --demo</code>: it makes up a company
        with 20,000 transactions.
      </p>
    </EmptyState>
  )
}
