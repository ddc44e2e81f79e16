import { type ClientGrant, listGrants, revokeGrant } from '../../../admin/grants.js'
import type { Integration } from '../../../admin/integrations.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { changing, revokeColumn } from './integration-parts.js'
import { integrationView, withIntegration } from './integration-view.js'

/** The grants of the clients of an integration. */
export const INTEGRATION_GRANTS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/grants',
  show: (context) => withIntegration(context, (row) => showGrants(context, row)),
  actions: {
    revoke: changing({ view: 'grants', field: 'grant', list: grantsOf }, revokeGrant),
  },
}

function grantsOf(context: DashboardContext, integrationId: string): Promise<ClientGrant[]> {
  return listGrants(context, { integrationId })
}

async function showGrants(context: DashboardContext, row: Integration): Promise<View> {
  return integrationView({
    row,
    view: 'grants',
    body: (
      <Panel title="Grants">
        <p class="soft">
          A grant is the access that an operator has given to a client, with the tokens issued for
          it.
        </p>
        <PagedList
          rows={await grantsOf(context, row.id)}
          none={<p>There are no active grants.</p>}
          show={(rows) => <Table caption="Grants" columns={COLUMNS} rows={rows} />}
        />
      </Panel>
    ),
  })
}

const COLUMNS: readonly Column<ClientGrant>[] = [
  {
    heading: 'Client',
    isRowHeading: true,
    cell: ({ clientName }) => <bdi>{clientName}</bdi>,
  },
  { heading: 'State', cell: ({ state }) => <KeyStateBadge state={state} /> },
  {
    heading: 'Granted by',
    cell: ({ operatorName }) =>
      operatorName === null ? (
        <span class="soft">deleted operator</span>
      ) : (
        <bdi>{operatorName}</bdi>
      ),
  },
  { heading: 'Granted', cell: ({ createdAt }) => <WhenText ms={createdAt} none="" /> },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  {
    heading: 'Refreshed',
    cell: ({ refreshedAt }) => <WhenText ms={refreshedAt} none="never" />,
  },
  { heading: 'Expires', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="" /> },
  revokeColumn('grant', 'Its tokens are rejected immediately.'),
]
