import { listApiKeys } from '../../../admin/api-keys.js'
import { listWorkspaces } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { WorkspaceLinks } from '../../elements/workspace-links.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { KeyTable, workspaceKeysPath } from './key-table.js'

/** The API keys of all workspaces. */
export const KEYS_PAGE: DashboardPage = { path: '/dashboard/keys', show: showKeys }

function showKeys(context: DashboardContext): View {
  const keys = listApiKeys(context).reverse()
  return {
    title: 'Keys',
    lead: 'An API key gives your own programs access to the REST operations of one workspace.',
    body: (
      <>
        <Panel title="Create a key">
          <WorkspaceLinks
            all={listWorkspaces(context)}
            pathOf={workspaceKeysPath}
            text="A key belongs to one workspace. Select it:"
          />
        </Panel>
        {keys.length === 0 ? (
          <NoKeys />
        ) : (
          <Panel title="All keys">
            <PagedList rows={keys} show={(some) => <KeyTable keys={some} namesWorkspace />} />
          </Panel>
        )}
      </>
    ),
  }
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
