import { revokeGrant } from '../../../auth/grants.js'
import { keyStateOf } from '../../../auth/key-state.js'
import type { VNode } from '../../../browser/jsx.js'
import type { EpochMs } from '../../../instant.js'
import { findGrant, type ListedGrant, listGrants } from '../../../store/grant-rows.js'
import type { IntegrationRow } from '../../../store/integration-rows.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { KEYS_PER_PAGE, offsetOf } from '../../offset.js'
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

function showGrants({ parts, nowMs, query }: DashboardContext, row: IntegrationRow): View {
  const grants = listGrants(parts.control, { integrationId: row.id })
  const [offset, limit] = [offsetOf(query), KEYS_PER_PAGE]
  const path = integrationPath(row, 'grants')
  return integrationView({
    row,
    view: 'grants',
    body: (
      <Panel title="Grants">
        <p class="soft">
          A grant is the access that an operator has given to a client, with the tokens issued for
          it.
        </p>
        {grants.length === 0 ? (
          <p>There are no active grants.</p>
        ) : (
          <Table
            caption="Grants"
            columns={columnsAt(nowMs)}
            rows={grants.slice(offset, offset + limit)}
          />
        )}
        <Pagination
          {...{ offset, limit }}
          total={grants.length}
          pageAt={(at) => `${path}?offset=${at}`}
        />
      </Panel>
    ),
  })
}

function columnsAt(nowMs: EpochMs): Column<ListedGrant>[] {
  return [
    {
      heading: 'Client',
      isRowHeading: true,
      cell: ({ clientName }) => <bdi>{clientName}</bdi>,
    },
    { heading: 'State', cell: (grant) => <KeyStateBadge state={keyStateOf(grant, nowMs)} /> },
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
    { heading: 'Scopes', cell: ({ scope }) => <ScopesText scopes={scope} /> },
    {
      heading: 'Refreshed',
      cell: ({ refreshedAt }) => <WhenText ms={refreshedAt} none="never" />,
    },
    { heading: 'Expires', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="" /> },
    {
      heading: 'Change',
      kind: 'action',
      cell: (grant) => (keyStateOf(grant, nowMs) === 'active' ? <Revoke id={grant.id} /> : null),
    },
  ]
}

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

function revoke(context: DashboardContext, row: IntegrationRow, form: SentForm): DashboardReply {
  const { parts, nowMs, actor } = context
  const text = form.value('grant') ?? ''
  const grant = /^\d{1,15}$/.test(text) ? findGrant(parts.control, Number(text)) : undefined
  if (grant?.integrationId !== row.id) return noSuchPageView()
  revokeGrant(parts.control, grant.id, nowMs, actor)
  return { goTo: integrationPath(row, 'grants') }
}
