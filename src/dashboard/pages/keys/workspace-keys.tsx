import { createApiKey, listApiKeys } from '../../../admin/api-keys.js'
import { hasWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import { type AccountChoice, accountChoices } from '../../account-choices.js'
import type { DashboardContext } from '../../dashboard-context.js'
import {
  AccountFields,
  KeyLimitFields,
  NameField,
  NotCreated,
  ScopeFields,
  type TypedForm,
  UNTYPED,
} from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { FormReading, hasFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { pathShowing, takeMade } from '../../shown-once.js'
import { noSuchPageView } from '../error-pages.js'
import { KeyTable, workspaceKeysPath } from './key-table.js'
import { MadeKey } from './made-key.js'

/** The API keys of a workspace, and a form that creates one. */
export const WORKSPACE_KEYS_PAGE: DashboardPage = {
  path: '/dashboard/workspaces/:workspaceId/keys',
  show: (context) => showKeys(context, UNTYPED),
  actions: { 'create-key': createKey },
}

async function showKeys(context: DashboardContext, typed: TypedForm): Promise<View> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const choices = await accountChoices(context.parts, workspaceId)
  const made = takeMade(context)
  const keys = (await listApiKeys(context, workspaceId)).reverse()
  return {
    title: `Keys of ${workspaceId}`,
    lead:
      'Each key gives access to this workspace only, within its scopes and accounts, until it ' +
      'expires.',
    above: { text: 'Keys', path: '/dashboard/keys' },
    status: hasFaults(typed.faults) ? 400 : 200,
    body: (
      <>
        {made === undefined ? null : <MadeKey made={made} keys={keys} />}
        {keys.length === 0 ? null : (
          <Panel title="Keys">
            <PagedList rows={keys} show={(some) => <KeyTable keys={some} />} />
            <p class="soft">Last uses are recorded about once a minute.</p>
          </Panel>
        )}
        <NewKeyPanel typed={typed} choices={choices} />
      </>
    ),
  }
}

interface NewKeyPanelProps {
  readonly typed: TypedForm
  readonly choices: readonly AccountChoice[] | undefined
}

function NewKeyPanel({ typed, choices }: NewKeyPanelProps): VNode {
  return (
    <Panel title="Create a key">
      <NotCreated what="key" faults={typed.faults} />
      <Form>
        <NameField {...typed} hint="What the key is for, such as the name of the program." />
        <ScopeFields {...typed} />
        <AccountFields {...typed} choices={choices} />
        <KeyLimitFields {...typed} />
        <SubmitButton action="create-key" look="key">
          Create key
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function createKey(context: DashboardContext, form: SentForm): Promise<DashboardReply> {
  const workspaceId = context.named['workspaceId'] ?? ''
  if (!(await hasWorkspace(context, workspaceId))) return noSuchPageView()
  const reading = new FormReading(form)
  const input = {
    workspaceId,
    name: reading.name(),
    scopes: reading.scopes(),
    accountIds: reading.accounts(),
    expiresAtMs: reading.expiry(context.nowMs),
    ipAllow: reading.ipAllow(),
  }
  if (!reading.isFaultless) return showKeys(context, { form, faults: reading.faults })
  const { id, key } = await createApiKey(context, input)
  const made = { id: String(id), secret: key }
  return { goTo: pathShowing(context, workspaceKeysPath(workspaceId), made) }
}
