import { listWorkspaces } from '../../admin/workspaces.js'
import type { VNode } from '../../browser/jsx.js'
import type { DashboardContext } from '../dashboard-context.js'
import { Panel } from '../elements/panel.js'
import { WorkspaceLinks } from '../elements/workspace-links.js'
import type { View } from '../reply.js'

interface AllWorkspacesParts {
  readonly title: string
  readonly lead: string
  /** An item with its article, such as `A key`. */
  readonly what: string
  /** To the page of a workspace where one is created. */
  readonly pathOf: (workspaceId: string) => string
  readonly list: VNode
}

/** A page of the items of all workspaces, with links to where one is created. */
export async function allWorkspacesView(
  context: DashboardContext,
  parts: AllWorkspacesParts,
): Promise<View> {
  const { title, lead, what, pathOf, list } = parts
  const all = await listWorkspaces(context)
  return {
    title,
    lead,
    body: (
      <>
        <Panel title={`Create ${what.toLowerCase()}`}>
          <WorkspaceLinks
            {...{ all, pathOf }}
            text={`${what} belongs to one workspace. Select it:`}
          />
        </Panel>
        {list}
      </>
    ),
  }
}
