import { workspaceIds } from '../../../store/data-directory.js'
import { WORKSPACES_PER_PAGE } from '../../dashboard-limits.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import type { Sheet } from '../../reply.js'
import type { DashboardPage } from '../../routes.js'
import type { DashboardScene } from '../../scene.js'
import { summaryOf } from '../../workspace-summary.js'
import { WorkspaceTable } from './workspace-table.js'

const PATH = '/dashboard/workspaces'

/** All workspaces. */
export const WORKSPACES_PAGE: DashboardPage = { path: PATH, show: showWorkspaces }

function showWorkspaces({ parts, query }: DashboardScene): Sheet {
  const all = workspaceIds(parts.directory)
  const asked = query.value('offset') ?? ''
  const offset = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
  const limit = WORKSPACES_PER_PAGE
  const shown = all.slice(offset, offset + limit).map((id) => summaryOf(parts, id))
  return {
    title: 'Workspaces',
    lead: 'Each holds accounts and transactions of one company or person, in a file of its own.',
    body: (
      <Panel title="All workspaces">
        {shown.length === 0 ? (
          <p class="soft">There are none here.</p>
        ) : (
          <WorkspaceTable all={shown} />
        )}
        <Pagination
          {...{ offset, limit }}
          total={all.length}
          pageAt={(at) => `${PATH}?offset=${at}`}
        />
      </Panel>
    ),
  }
}
