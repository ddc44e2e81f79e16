import { findIntegration, type Integration } from '../../../admin/integrations.js'
import type { ComponentChildren } from '../../../browser/jsx.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { ActiveBadge } from '../../elements/grant-texts.js'
import { Notice } from '../../elements/notice.js'
import { Tabs } from '../../elements/tabs.js'
import { type FormFaults, hasFaults } from '../../form-reading.js'
import type { DashboardReply, View } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import {
  type IntegrationView,
  integrationPath,
  KIND_NAMES,
  workspaceIntegrationsPath,
} from './integration-paths.js'

/** Makes the reply of a page of one integration. */
type IntegrationPart<Reply> = (row: Integration) => Reply

/**
 * Finds the integration that the path names and calls the page with it; replies 404 without one.
 */
export async function withIntegration<Reply extends DashboardReply>(
  context: DashboardContext,
  part: IntegrationPart<Reply | Promise<Reply>>,
): Promise<Reply | View> {
  const row = await findIntegration(context, context.named['integrationId'] ?? '')
  return row === undefined ? noSuchPageView() : part(row)
}

interface IntegrationViewParts {
  readonly row: Integration
  readonly view: IntegrationView
  readonly body: ComponentChildren
  /** Of the sent form. */
  readonly faults?: FormFaults
  readonly refreshSeconds?: number | undefined
}

/** A page of an integration, with tabs of its others. */
export function integrationView(parts: IntegrationViewParts): View {
  const { row, view, body, faults = {}, refreshSeconds } = parts
  const tabs = VIEWS.filter((tab) => tab.view !== 'keys' || row.kind === 'mcp')
  return {
    title: row.name,
    lead: (
      <>
        {KIND_NAMES[row.kind]} of the workspace {row.workspaceId}{' '}
        <ActiveBadge isActive={row.isActive} />
      </>
    ),
    above: {
      text: `Integrations of ${row.workspaceId}`,
      path: workspaceIntegrationsPath(row.workspaceId),
    },
    status: hasFaults(faults) ? 400 : 200,
    ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
    body: (
      <>
        <Tabs
          label="This integration"
          tabs={tabs.map((tab) => ({
            text: tab.text,
            to: integrationPath(row, tab.view),
            isCurrent: tab.view === view,
          }))}
        />
        {row.isActive ? null : (
          <Notice variant="warn" title="This integration is inactive.">
            <p>All its addresses answer 404 until it is activated under Settings.</p>
          </Notice>
        )}
        {body}
      </>
    ),
  }
}

const VIEWS: readonly { readonly view: IntegrationView; readonly text: string }[] = [
  { view: '', text: 'Connect' },
  { view: 'clients', text: 'Clients' },
  { view: 'keys', text: 'MCP keys' },
  { view: 'grants', text: 'Grants' },
  { view: 'test', text: 'Test' },
  { view: 'settings', text: 'Settings' },
]
