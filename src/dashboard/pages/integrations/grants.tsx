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
        <p class="soft">Each is a person’s yes to a program, with all tokens that came of it.</p>
        <PagedList
          rows={grants}
          none={<p>Nobody has allowed anything yet, or it has ended.</p>}
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
    heading: 'Allowed by',
    cell: ({ operatorName }) =>
      operatorName === null ? (
        <span class="soft">somebody deleted</span>
      ) : (
        <bdi>{operatorName}</bdi>
      ),
  },
  { heading: 'Allowed', cell: ({ createdAt }) => <WhenText ms={createdAt} none="" /> },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  {
    heading: 'Refreshed',
    cell: ({ refreshedAt }) => <WhenText ms={refreshedAt} none="not yet" />,
  },
  { heading: 'Ends', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="" /> },
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
        <p>Its tokens fail from their next request on.</p>
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
