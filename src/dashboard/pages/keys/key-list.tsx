import type { VNode } from '../../../browser/jsx.js'
import { listApiKeys } from '../../../store/api-key-rows.js'
import { workspaceIds } from '../../../store/data-directory.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { WorkspaceLinks } from '../../elements/workspace-links.js'
import { KEYS_PER_PAGE, offsetOf } from '../../offset.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { KeyTable, workspaceKeysPath } from './key-table.js'

const PATH = '/dashboard/keys'

/** The API keys of all workspaces. */
export const KEYS_PAGE: DashboardPage = { path: PATH, show: showKeys }

function showKeys({ parts, query, nowMs }: DashboardContext): View {
  const keys = listApiKeys(parts.control).reverse()
  const workspaces = workspaceIds(parts.directory)
  const [offset, limit] = [offsetOf(query), KEYS_PER_PAGE]
  return {
    title: 'Keys',
    lead: 'An API key gives your own programs access to the REST operations of one workspace.',
    body: (
      <>
        <Panel title="Create a key">
          <WorkspaceLinks
            all={workspaces}
            pathOf={workspaceKeysPath}
            text="A key belongs to one workspace. Select it:"
          />
        </Panel>
        {keys.length === 0 ? (
          <NoKeys />
        ) : (
          <Panel title="All keys">
            <KeyTable keys={keys.slice(offset, offset + limit)} nowMs={nowMs} namesWorkspace />
            <Pagination
              {...{ offset, limit }}
              total={keys.length}
              pageAt={(at) => `${PATH}?offset=${at}`}
            />
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
