import type { VNode } from '../../../browser/jsx.js'
import { Tabs } from '../../elements/tabs.js'
import { explorerPath } from '../explorer/explorer-paths.js'
import { workspaceIntegrationsPath } from '../integrations/integration-paths.js'
import { workspaceKeysPath } from '../keys/key-table.js'
import { workspaceOverviewPath } from '../overview/overview-paths.js'
import { workspacePagePath } from './workspace-table.js'

interface WorkspaceTabsProps {
  readonly workspaceId: string
  readonly current: 'overview' | 'accounts'
}

/** Links to the contents of a workspace. */
export function WorkspaceTabs({ workspaceId, current }: WorkspaceTabsProps): VNode {
  const tabs = [
    { text: 'Accounts', to: workspacePagePath(workspaceId), isCurrent: current === 'accounts' },
    {
      text: 'Overview',
      to: workspaceOverviewPath(workspaceId),
      isCurrent: current === 'overview',
    },
    { text: 'Transactions', to: explorerPath(workspaceId), isCurrent: false },
    { text: 'Keys', to: workspaceKeysPath(workspaceId), isCurrent: false },
    { text: 'Integrations', to: workspaceIntegrationsPath(workspaceId), isCurrent: false },
  ]
  return <Tabs label="Contents of the workspace" tabs={tabs} />
}
