import { listIntegrations } from '../../../admin/integrations.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { allWorkspacesView } from '../all-workspaces.js'
import { workspaceIntegrationsPath } from './integration-paths.js'
import { IntegrationTable } from './integration-table.js'

/** The integrations of all workspaces. */
export const INTEGRATIONS_PAGE: DashboardPage = {
  path: '/dashboard/integrations',
  show: showIntegrations,
}

async function showIntegrations(context: DashboardContext): Promise<View> {
  return allWorkspacesView(context, {
    title: 'Integrations',
    lead: 'Integrations give agents and programs of third parties access.',
    ...{ what: 'An integration', pathOf: workspaceIntegrationsPath },
    list: (
      <Panel title="All integrations">
        <PagedList
          rows={(await listIntegrations(context)).reverse()}
          none={<p class="soft">There are no integrations yet.</p>}
          show={(some) => <IntegrationTable all={some} />}
        />
      </Panel>
    ),
  })
}
