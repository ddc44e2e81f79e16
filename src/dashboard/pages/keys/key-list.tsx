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
    lead: 'An API key opens the REST operations of one workspace, for programs of your own.',
    body: (
      <>
        <Panel title="Make a key">
          <WorkspaceLinks
            all={listWorkspaces(context)}
            pathOf={workspaceKeysPath}
            text="A key belongs to one workspace. Which one?"
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
        A key is made for one program, with what it needs and no more.{' '}
        <Link to="/dashboard/integrations">An integration</Link> is for programs of others, which
        ask a person first, and for agents.
      </p>
    </EmptyState>
  )
}
