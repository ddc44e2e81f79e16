import { listApiKeys } from '../../../admin/api-keys.js'
import type { VNode } from '../../../browser/jsx.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { allWorkspacesView } from '../all-workspaces.js'
import { KeyTable, workspaceKeysPath } from './key-table.js'

/** The API keys of all workspaces. */
export const KEYS_PAGE: DashboardPage = { path: '/dashboard/keys', show: showKeys }

async function showKeys(context: DashboardContext): Promise<View> {
  const keys = (await listApiKeys(context)).reverse()
  return allWorkspacesView(context, {
    title: 'Keys',
    lead: 'An API key gives your own programs access to the REST operations of one workspace.',
    ...{ what: 'A key', pathOf: workspaceKeysPath },
    list:
      keys.length === 0 ? (
        <NoKeys />
      ) : (
        <Panel title="All keys">
          <PagedList rows={keys} show={(some) => <KeyTable keys={some} namesWorkspace />} />
        </Panel>
      ),
  })
}

function NoKeys(): VNode {
  return (
    <EmptyState title="There are no keys yet">
      <p>
        Create one key for each program, with only the access that it needs.{' '}
        <Link to="/dashboard/integrations">An integration</Link> is for agents, and for programs of
        third parties, which need consent.
      </p>
    </EmptyState>
  )
}
