import type { VNode } from '../../../browser/jsx.js'
import { listApiKeys } from '../../../store/api-key-rows.js'
import { workspaceIds } from '../../../store/data-directory.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { KEYS_PER_PAGE } from '../../dashboard-limits.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { WorkspaceLinks } from '../../elements/workspace-links.js'
import { offsetOf } from '../../offset.js'
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
    lead: 'An API key opens the REST operations of one workspace, for programs of your own.',
    body: (
      <>
        <Panel title="Make a key">
          <WorkspaceLinks
            all={workspaces}
            pathOf={workspaceKeysPath}
            text="A key belongs to one workspace. Which one?"
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
        A key is made for one program, with what it needs and no more.{' '}
        <Link to="/dashboard/integrations">An integration</Link> is for programs of others, which
        ask a person first, and for agents.
      </p>
    </EmptyState>
  )
}
