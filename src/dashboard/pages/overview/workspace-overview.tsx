import { lastVisitMs } from '../../../admin/last-visit.js'
import type { VNode } from '../../../browser/jsx.js'
import type { EpochMs } from '../../../instant.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { InstantText } from '../../elements/day-text.js'
import { Notice } from '../../elements/notice.js'
import type { DashboardPage } from '../../page.js'
import { SUMS_REFRESH_SECONDS } from '../../pending-sums.js'
import type { View } from '../../reply.js'
import { openWorkspace } from '../explorer/open-workspace.js'
import { WORKSPACES_PATH } from '../workspaces/workspace-table.js'
import { WorkspaceTabs } from '../workspaces/workspace-tabs.js'
import { RECENT_DAYS, recentFilters } from './overview-filters.js'
import { OverviewPanels } from './overview-panels.js'
import { workspaceOverviewPath } from './overview-paths.js'
import { summedOverview } from './summed-overview.js'

/** The overview of one workspace. */
export const WORKSPACE_OVERVIEW_PAGE: DashboardPage = {
  path: workspaceOverviewPath(':workspaceId'),
  show: showWorkspaceOverview,
}

async function showWorkspaceOverview(context: DashboardContext): Promise<View> {
  const snapshot = await openWorkspace(context, 'listed')
  if ('body' in snapshot) return snapshot
  const { workspaceId } = snapshot
  const { body, ...refresh } = await overviewOf(context, snapshot)
  return {
    title: workspaceId,
    lead: 'Balances, months and open work; each figure leads to its transactions.',
    above: { text: 'Workspaces', path: WORKSPACES_PATH },
    body: (
      <>
        <WorkspaceTabs workspaceId={workspaceId} current="overview" />
        {body}
      </>
    ),
    ...refresh,
  }
}

/** The overview of a workspace as a part of the page of the context. */
export async function overviewOf(
  context: DashboardContext,
  snapshot: Snapshot,
): Promise<Pick<View, 'refreshSeconds'> & { readonly body: VNode }> {
  const { nowMs, parts, path, query, session } = context
  const { workspaceId } = snapshot
  const visitMs = await lastVisitMs(context, session)
  const recent = recentFilters(visitMs, nowMs)
  const currency = query.value('currency')
  const key = JSON.stringify([currency, recent])
  const sums = await parts.overviewSums.soon(snapshot, key, () =>
    summedOverview(context, { snapshot, currency, recent }),
  )
  if (sums === undefined) {
    const body = <Notice>The figures are being computed.</Notice>
    return { body, refreshSeconds: SUMS_REFRESH_SECONDS }
  }
  const filtersAndNote = { filters: recent, note: <RecentNote visitMs={visitMs} /> }
  return { body: <OverviewPanels {...{ workspaceId, sums, path }} recent={filtersAndNote} /> }
}

function RecentNote({ visitMs }: { readonly visitMs: EpochMs | undefined }): VNode {
  return (
    <p class="soft">
      {visitMs === undefined ? (
        `Imported in the last ${RECENT_DAYS} days.`
      ) : (
        <>
          Imported since your last visit, <InstantText ms={visitMs} />.
        </>
      )}
    </p>
  )
}
