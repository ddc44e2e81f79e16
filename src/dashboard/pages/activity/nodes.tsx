import { bytesText, countText } from '../../../count-text.js'
import type { NodeState } from '../../../domain/nodes.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import { REFRESH_SECONDS, type View } from '../../reply.js'
import { goneView } from '../error-pages.js'
import { activityTabs } from './activity-tabs.js'

/** The servers of the database. */
export const NODES_PAGE: DashboardPage = { path: '/dashboard/activity/nodes', show: showNodes }

async function showNodes({ parts }: DashboardContext): Promise<View> {
  const { nodes } = parts
  if (nodes === undefined) {
    return goneView('page', { text: 'Activity', path: '/dashboard/activity' })
  }
  return {
    title: 'Nodes',
    lead: 'The servers of this database. This page refreshes itself.',
    refreshSeconds: REFRESH_SECONDS,
    body: (
      <>
        {activityTabs(parts, 'nodes')}
        <Panel title="Nodes">
          <Table caption="Nodes" columns={COLUMNS} rows={await nodes.list()} />
          <p class="soft">
            A killed node stays listed for a day. A node without contact with the database answers
            from memory until the time of its option --offline has passed.
          </p>
        </Panel>
      </>
    ),
  }
}

const COLUMNS: readonly Column<NodeState>[] = [
  { heading: 'Node', isRowHeading: true, cell: ({ id }) => <bdi>{id}</bdi> },
  { heading: 'Program', cell: ({ program }) => program },
  { heading: 'Last seen', cell: ({ ageMs }) => `${Math.max(0, Math.round(ageMs / 1000))} s ago` },
  {
    heading: 'Credentials',
    cell: ({ controlVersion, newestVersion }) =>
      controlVersion >= newestVersion ? 'Newest' : 'Older',
  },
  { heading: 'Workspaces', cell: ({ residents }) => countText(residents) },
  { heading: 'Memory', cell: ({ bytes }) => bytesText(bytes) },
]
