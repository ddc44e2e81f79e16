import {
  activateIntegration,
  changeIntegration,
  deactivateIntegration,
  deleteIntegration,
  type Integration,
} from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import { type AccountChoice, accountChoices } from '../../account-choices.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { type TypedForm, UNTYPED } from '../../elements/credential-fields.js'
import { DeletePanel, typedNameFault } from '../../elements/delete-panel.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { integrationPath, workspaceIntegrationsPath } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'
import { readIntegrationTerms, TermsFields } from './terms.js'

/** The terms of an integration, its switch, and its deletion. */
export const INTEGRATION_SETTINGS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/settings',
  show: (context) => withIntegration(context, (row) => showSettings(context, row, UNTYPED)),
  actions: {
    save: (context, form) => withIntegration(context, (row) => save(context, row, form)),
    activate: switched(activateIntegration),
    deactivate: switched(deactivateIntegration),
    delete: (context, form) => withIntegration(context, (row) => end(context, row, form)),
  },
}

async function showSettings(
  context: DashboardContext,
  row: Integration,
  typed: TypedForm,
): Promise<View> {
  const choices = await accountChoices(context.parts, row.workspaceId)
  const isSaved = context.query.value('saved') === 'yes'
  return integrationView({
    row,
    view: 'settings',
    faults: typed.faults,
    body: (
      <>
        {isSaved && !hasFaults(typed.faults) ? (
          <Notice variant="good">Saved. The changes apply from now on.</Notice>
        ) : null}
        <TermsPanel {...{ row, typed, choices }} />
        <StatePanel row={row} />
        <DeletePanel
          what="integration"
          name={row.name}
          request="Type its name to confirm"
          faults={typed.faults}
        >
          Its clients, keys, grants and tokens are deleted immediately. This cannot be undone.
        </DeletePanel>
      </>
    ),
  })
}

interface TermsPanelProps {
  readonly row: Integration
  readonly typed: TypedForm
  readonly choices: readonly AccountChoice[] | undefined
}

function TermsPanel({ row, typed, choices }: TermsPanelProps): VNode {
  return (
    <Panel title="Access">
      <Form>
        <TermsFields kind={row.kind} {...{ row, typed, choices }} />
        <SubmitButton action="save" look="key">
          Save
        </SubmitButton>
      </Form>
    </Panel>
  )
}

function StatePanel({ row }: { readonly row: Integration }): VNode {
  return (
    <Panel title={row.isActive ? 'Deactivate' : 'Activate'}>
      <p class="soft">
        {row.isActive
          ? 'Its keys and tokens are rejected until it is activated again.'
          : 'Its keys and tokens work again unless they have expired or been revoked.'}
      </p>
      <Form>
        <SubmitButton action={row.isActive ? 'deactivate' : 'activate'}>
          {row.isActive ? 'Deactivate' : 'Activate'}
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function save(
  context: DashboardContext,
  row: Integration,
  form: SentForm,
): Promise<DashboardReply> {
  const reading = new FormReading(form)
  const terms = readIntegrationTerms(reading, row.kind, row)
  if (!reading.isFaultless) return showSettings(context, row, { form, faults: reading.faults })
  await changeIntegration(context, { ...terms, id: row.id })
  return { goTo: `${integrationPath(row, 'settings')}?saved=yes` }
}

function switched(change: typeof activateIntegration) {
  return (context: DashboardContext): Promise<DashboardReply> =>
    withIntegration(context, async (row) => {
      await change(context, row.id)
      return { goTo: integrationPath(row, 'settings') }
    })
}

async function end(
  context: DashboardContext,
  row: Integration,
  form: SentForm,
): Promise<DashboardReply> {
  const faults = typedNameFault(form, row.name)
  // The form did not hold the terms, so they are shown as stored.
  if (faults !== undefined) return showSettings(context, row, { faults })
  await deleteIntegration(context, row.id)
  return { goTo: workspaceIntegrationsPath(row.workspaceId) }
}
