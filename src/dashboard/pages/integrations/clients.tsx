import {
  activateClient,
  type Client,
  createClient,
  deactivateClient,
  deleteClient,
  listClients,
} from '../../../admin/clients.js'
import type { Integration } from '../../../admin/integrations.js'
import { redirectUrisFault } from '../../../auth/redirect-uri.js'
import type { VNode } from '../../../browser/jsx.js'
import { CLIENT_TYPES } from '../../../domain/integration.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { type TypedForm, UNTYPED } from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { ActiveBadge, ScopesText } from '../../elements/grant-texts.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { FormReading } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { pathShowing, takeMade } from '../../shown-once.js'
import { changing } from './integration-parts.js'
import { integrationPath } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'
import { MadeClient } from './made-client.js'
import { NewClientPanel } from './new-client.js'

const CLIENTS = { view: 'clients', field: 'client', list: listClients } as const

/** The clients of an integration's issuer. */
export const INTEGRATION_CLIENTS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/clients',
  show: (context) => withIntegration(context, (row) => showClients(context, row, UNTYPED)),
  actions: {
    'create-client': (context, form) =>
      withIntegration(context, (row) => createFromForm(context, row, form)),
    activate: changing(CLIENTS, activateClient),
    deactivate: changing(CLIENTS, deactivateClient),
    delete: changing(CLIENTS, deleteClient),
  },
}

async function showClients(
  context: DashboardContext,
  row: Integration,
  typed: TypedForm,
): Promise<View> {
  const clients = (await listClients(context, row.id)).reverse()
  const made = takeMade(context)
  return integrationView({
    row,
    view: 'clients',
    faults: typed.faults,
    body: (
      <>
        {made === undefined ? null : <MadeClient {...{ made, row }} />}
        <Panel title="Clients">
          <PagedList
            rows={clients}
            none={<p class="soft">There are no clients yet.</p>}
            show={(rows) => <Table caption="Clients" columns={COLUMNS} rows={rows} />}
          />
        </Panel>
        <NewClientPanel {...{ row, typed }} />
      </>
    ),
  })
}

const COLUMNS: readonly Column<Client>[] = [
  {
    heading: 'Client',
    isRowHeading: true,
    cell: ({ id, name }) => (
      <>
        <bdi>{name}</bdi> <code class="soft">{id}</code>
      </>
    ),
  },
  { heading: 'State', cell: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
  {
    heading: 'Type',
    cell: ({ type, registered }) => (registered === 'dynamic' ? `${type}, self-registered` : type),
  },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  {
    heading: 'Redirect URIs',
    cell: ({ redirectUris }) => (
      <span class="words uris">
        {redirectUris.map((uri) => (
          <code key={uri}>{uri}</code>
        ))}
      </span>
    ),
  },
  { heading: 'Change', kind: 'action', cell: (client) => <ClientButtons client={client} /> },
]

function ClientButtons({ client }: { readonly client: Client }): VNode {
  return (
    <>
      <Form class="inline">
        <input type="hidden" name="client" value={client.id} />
        <SubmitButton action={client.isActive ? 'deactivate' : 'activate'}>
          {client.isActive ? 'Deactivate' : 'Activate'}
        </SubmitButton>
      </Form>
      <details class="sure">
        <summary>Delete</summary>
        <Form>
          <input type="hidden" name="client" value={client.id} />
          <p>Its grants and tokens are deleted too.</p>
          <SubmitButton action="delete" look="danger">
            Delete client
          </SubmitButton>
        </Form>
      </details>
    </>
  )
}

async function createFromForm(
  context: DashboardContext,
  row: Integration,
  form: SentForm,
): Promise<DashboardReply> {
  const reading = new FormReading(form)
  const type = reading.choice('type', CLIENT_TYPES)
  const redirectUris = (form.value('redirect_uris') ?? '').split(/\s+/).filter(Boolean)
  const rules = { type, allowsAnyHost: reading.isTicked('any_host'), isSelfRegistered: false }
  const fault = redirectUrisFault(redirectUris, rules)
  if (fault !== undefined) reading.refuse('redirect_uris', `${fault}.`)
  const input = { name: reading.name(), scopes: reading.scopes(row.scopes) }
  if (!reading.isFaultless) return showClients(context, row, { form, faults: reading.faults })
  const { client, secret } = await createClient(context, {
    ...input,
    integrationId: row.id,
    type,
    redirectUris,
    registered: 'operator',
  })
  const path = integrationPath(row, 'clients')
  return { goTo: pathShowing(context, path, { id: client.id, secret }) }
}
