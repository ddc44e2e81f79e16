import type { VNode } from '../../browser/jsx.js'
import { Link } from './link.js'

interface WorkspaceLinksProps {
  readonly all: readonly string[]
  readonly pathOf: (workspaceId: string) => string
  /** The choice to make, and its reason. */
  readonly text: string
}

/** Links to a page of each workspace. */
export function WorkspaceLinks({ all, pathOf, text }: WorkspaceLinksProps): VNode {
  if (all.length === 0) {
    return (
      <p>
        There are no workspaces yet. <Link to="/dashboard/workspaces">Create one first.</Link>
      </p>
    )
  }
  return (
    <>
      <p class="soft">{text}</p>
      <ul class="picks">
        {all.map((workspaceId) => (
          <li key={workspaceId}>
            <Link to={pathOf(workspaceId)} class="button">
              {workspaceId}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
