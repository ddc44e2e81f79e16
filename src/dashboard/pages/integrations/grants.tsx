import { type ClientGrant, listGrants, revokeGrant } from '../../../admin/grants.js'
import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { integrationPath } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'

/** The grants of the clients of an integration. */
export const INTEGRATION_GRANTS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/grants',
  show: (context) => withIntegration(context, (row) => showGrants(context, row)),
  actions: {
    revoke: (context, form) => withIntegration(context, (row) => revoke(context, row, form)),
  },
}

function showGrants(context: DashboardContext, row: Integration): View {
  const grants = listGrants(context, { integrationId: row.id })
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
          rows={grants}
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
  {
    heading: 'Change',
    kind: 'action',
    cell: ({ id, state }) => (state === 'active' ? <Revoke id={id} /> : null),
  },
]

function Revoke({ id }: { readonly id: number }): VNode {
  return (
    <details class="sure">
      <summary>Revoke</summary>
      <Form>
        <input type="hidden" name="grant" value={String(id)} />
        <p>Its tokens are rejected immediately.</p>
        <SubmitButton action="revoke" look="danger">
          Revoke grant {id}
        </SubmitButton>
      </Form>
    </details>
  )
}

function revoke(context: DashboardContext, row: Integration, form: SentForm): DashboardReply {
  const text = form.value('grant')
  const grant = listGrants(context, { integrationId: row.id }).find(({ id }) => String(id) === text)
  if (grant === undefined) return noSuchPageView()
  revokeGrant(context, grant.id)
  return { goTo: integrationPath(row, 'grants') }
}
