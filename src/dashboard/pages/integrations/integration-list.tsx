import { workspaceIds } from '../../../store/data-directory.js'
import { listIntegrations } from '../../../store/integration-rows.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { WorkspaceLinks } from '../../elements/workspace-links.js'
import { KEYS_PER_PAGE, offsetOf } from '../../offset.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { workspaceIntegrationsPath } from './integration-paths.js'
import { IntegrationTable } from './integration-table.js'

const PATH = '/dashboard/integrations'

/** The integrations of all workspaces. */
export const INTEGRATIONS_PAGE: DashboardPage = { path: PATH, show: showIntegrations }

function showIntegrations({ parts, query }: DashboardContext): View {
  const rows = listIntegrations(parts.control).reverse()
  const [offset, limit] = [offsetOf(query), KEYS_PER_PAGE]
  return {
    title: 'Integrations',
    lead: 'Integrations give agents and programs of third parties access.',
    body: (
      <>
        <Panel title="Create an integration">
          <WorkspaceLinks
            all={workspaceIds(parts.directory)}
            pathOf={workspaceIntegrationsPath}
            text="An integration belongs to one workspace. Select it:"
          />
        </Panel>
        <Panel title="All integrations">
          {rows.length === 0 ? (
            <p class="soft">There are none yet.</p>
          ) : (
            <IntegrationTable all={rows.slice(offset, offset + limit)} />
          )}
          <Pagination
            {...{ offset, limit }}
            total={rows.length}
            pageAt={(at) => `${PATH}?offset=${at}`}
          />
        </Panel>
      </>
    ),
  }
}
