import { listIntegrations } from '../../../admin/integrations.js'
import { listWorkspaces } from '../../../admin/workspaces.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { WorkspaceLinks } from '../../elements/workspace-links.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { workspaceIntegrationsPath } from './integration-paths.js'
import { IntegrationTable } from './integration-table.js'

/** The integrations of all workspaces. */
export const INTEGRATIONS_PAGE: DashboardPage = {
  path: '/dashboard/integrations',
  show: showIntegrations,
}

function showIntegrations(context: DashboardContext): View {
  const rows = listIntegrations(context).reverse()
  return {
    title: 'Integrations',
    lead: 'Integrations give agents and programs of third parties access.',
    body: (
      <>
        <Panel title="Create an integration">
          <WorkspaceLinks
            all={listWorkspaces(context)}
            pathOf={workspaceIntegrationsPath}
            text="An integration belongs to one workspace. Select it:"
          />
        </Panel>
        <Panel title="All integrations">
          <PagedList
            rows={rows}
            none={<p class="soft">There are no integrations yet.</p>}
            show={(some) => <IntegrationTable all={some} />}
          />
        </Panel>
      </>
    ),
  }
}
