import type { VNode } from '../../../browser/jsx.js'
import { Tabs } from '../../elements/tabs.js'
import type { DashboardParts } from '../../parts.js'

/** Tabs: live figures, audit log, and the nodes if the store is a database. */
export function activityTabs(
  { nodes }: Pick<DashboardParts, 'nodes'>,
  current: 'live' | 'audit' | 'nodes',
): VNode {
  const path = '/dashboard/activity'
  const ofNodes = { text: 'Nodes', to: `${path}/nodes`, isCurrent: current === 'nodes' }
  return (
    <Tabs
      label="Activity"
      tabs={[
        { text: 'Live', to: path, isCurrent: current === 'live' },
        { text: 'Audit log', to: `${path}/audit`, isCurrent: current === 'audit' },
        ...(nodes === undefined ? [] : [ofNodes]),
      ]}
    />
  )
}
