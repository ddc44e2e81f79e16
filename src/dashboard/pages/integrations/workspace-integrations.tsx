import { createIntegration, listIntegrations } from '../../../admin/integrations.js'
import { hasWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { INTEGRATION_KINDS, type IntegrationKind } from '../../../domain/integration.js'
import type { Form as SentForm } from '../../../wire/form.js'
import { type AccountChoice, accountChoices } from '../../account-choices.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { NotCreated, type TypedForm, UNTYPED } from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Panel } from '../../elements/panel.js'
import { Tabs } from '../../elements/tabs.js'
import { FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { integrationPath, KIND_NAMES, workspaceIntegrationsPath } from './integration-paths.js'
import { IntegrationTable } from './integration-table.js'
import { readIntegrationTerms, TermsFields } from './terms.js'

/** The integrations of a workspace, and a form that creates one. */
export const WORKSPACE_INTEGRATIONS_PAGE: DashboardPage = {
  path: '/dashboard/workspaces/:workspaceId/integrations',
  show: (context) => showIntegrations(context, UNTYPED),
  actions: { 'create-integration': createFromForm },
}

const KIND_LEADS: Readonly<Record<IntegrationKind, string>> = {
  mcp:
    'An address for agents, with tools to query this workspace. Agents authenticate ' +
    'with an MCP key, or by OAuth 2.1 with an operator’s consent.',
  oauth2:
    'An OAuth 2.1 issuer for programs of third parties, such as a tax adviser’s. Each is a ' +
    'separate client, and needs an operator’s consent to use the REST operations.',
}

function kindIn(form: SentForm): IntegrationKind {
  return INTEGRATION_KINDS.find((kind) => kind === form.value('kind')) ?? 'mcp'
}

async function showIntegrations(context: DashboardContext, typed: TypedForm): Promise<View> {
  const { parts, named, query } = context
  const workspaceId = named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const choices = await accountChoices(parts, workspaceId)
  const rows = (await listIntegrations(context, workspaceId)).reverse()
  return {
    title: `Integrations of ${workspaceId}`,
    lead: 'Access for agents and for programs of third parties.',
    above: { text: 'Integrations', path: '/dashboard/integrations' },
    status: hasFaults(typed.faults) ? 400 : 200,
    body: (
      <>
        {rows.length === 0 ? null : (
          <Panel title="Integrations">
            <IntegrationTable all={rows} />
          </Panel>
        )}
        <NewPanel kind={kindIn(typed.form ?? query)} {...{ workspaceId, typed, choices }} />
      </>
    ),
  }
}

interface NewPanelProps {
  readonly kind: IntegrationKind
  readonly workspaceId: string
  readonly typed: TypedForm
  readonly choices: readonly AccountChoice[] | undefined
}

function NewPanel({ kind, workspaceId, typed, choices }: NewPanelProps): VNode {
  const path = workspaceIntegrationsPath(workspaceId)
  return (
    <Panel title="Create an integration">
      <Tabs
        label="Type of the new integration"
        tabs={(['mcp', 'oauth2'] as const).map((one) => ({
          text: KIND_NAMES[one],
          to: `${path}?kind=${one}`,
          isCurrent: one === kind,
        }))}
      />
      <p class="soft">{KIND_LEADS[kind]}</p>
      <NotCreated what="integration" faults={typed.faults} />
      <Form>
        <input type="hidden" name="kind" value={kind} />
        <TermsFields {...{ kind, typed, choices }} />
        <SubmitButton action="create-integration" look="key">
          Create {KIND_NAMES[kind]}
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function createFromForm(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const reading = new FormReading(form)
  const kind = kindIn(form)
  const terms = readIntegrationTerms(reading, kind)
  if (!reading.isFaultless) return showIntegrations(context, { form, faults: reading.faults })
  const row = await createIntegration(context, { workspaceId, kind, ...terms })
  return { goTo: integrationPath(row) }
}
