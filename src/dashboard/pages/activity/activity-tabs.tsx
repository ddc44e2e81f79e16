import type { VNode } from '../../../browser/jsx.js'
import { Tabs } from '../../elements/tabs.js'

/** Tabs of the live figures and the audit log. */
export function activityTabs(current: 'live' | 'audit'): VNode {
  return (
    <Tabs
      label="Activity"
      tabs={[
        { text: 'Live', to: '/dashboard/activity', isCurrent: current === 'live' },
        { text: 'Audit log', to: '/dashboard/activity/audit', isCurrent: current === 'audit' },
      ]}
    />
  )
}
