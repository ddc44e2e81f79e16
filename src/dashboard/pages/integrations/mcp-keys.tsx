import { keyStateOf } from '../../../auth/key-state.js'
import { createMcpKey, revokeMcpKey } from '../../../auth/mcp-keys.js'
import { scopesOf } from '../../../auth/selection.js'
import type { VNode } from '../../../browser/jsx.js'
import type { EpochMs } from '../../../instant.js'
import type { IntegrationRow } from '../../../store/integration-rows.js'
import { findMcpKey, listMcpKeys, type McpKeyRow } from '../../../store/mcp-key-rows.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import {
  KeyLimitFields,
  NameField,
  ScopeFields,
  type TypedForm,
  UNTYPED,
} from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { Notice } from '../../elements/notice.js'
import { Pagination } from '../../elements/pagination.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { FormReading } from '../../form-reading.js'
import { KEYS_PER_PAGE, offsetOf } from '../../offset.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { type MadeSecret, pathShowing, takeMade } from '../../shown-once.js'
import { noSuchPageView } from '../error-pages.js'
import { KEY_HEADER_FLAG } from './agent-guides.js'
import { integrationPath, urlsOf } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'

/** The keys of an MCP endpoint. */
export const INTEGRATION_KEYS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/keys',
  show: (context) => withIntegration(context, (row) => showKeys(context, row, UNTYPED)),
  actions: {
    'create-key': (context, form) =>
      withIntegration(context, (row) => createKey(context, row, form)),
    revoke: (context, form) => withIntegration(context, (row) => revoke(context, row, form)),
  },
}

function showKeys(context: DashboardContext, row: IntegrationRow, typed: TypedForm): View {
  if (row.kind !== 'mcp') return noSuchPageView()
  const { parts, nowMs, query } = context
  const keys = listMcpKeys(parts.control, row.id).reverse()
  const [offset, limit] = [offsetOf(query), KEYS_PER_PAGE]
  const made = takeMade(context)
  const path = integrationPath(row, 'keys')
  return integrationView({
    row,
    view: 'keys',
    isFaulty: Object.keys(typed.faults).length > 0,
    body: (
      <>
        {made === undefined ? null : (
          <MadeKey made={made} endpoint={urlsOf(parts.baseUrl(), row).resource} />
        )}
        <Panel title="MCP keys">
          {keys.length === 0 ? (
            <p class="soft">
              There are no keys yet. A key works without OAuth and without consent.
            </p>
          ) : (
            <Table
              caption="MCP keys"
              columns={columnsAt(nowMs)}
              rows={keys.slice(offset, offset + limit)}
            />
          )}
          <Pagination
            {...{ offset, limit }}
            total={keys.length}
            pageAt={(at) => `${path}?offset=${at}`}
          />
        </Panel>
        <NewKeyPanel {...{ row, typed }} />
      </>
    ),
  })
}

interface MadeKeyProps {
  readonly made: MadeSecret
  readonly endpoint: string
}

function MadeKey({ made, endpoint }: MadeKeyProps): VNode {
  const secret = made.secret ?? ''
  // It prompts for the key: the text of a command stays in the shell's history.
  const ask = 'read -rs MCP_KEY && export MCP_KEY'
  const add = `claude mcp add --scope project --transport http kontor ${endpoint}`
  return (
    <Panel title="Your new MCP key">
      <Notice tone="good" title="The key was created. It is shown only once.">
        <p>Copy it now: only its hash is stored, so it cannot be shown again.</p>
      </Notice>
      <CodeBlock label="MCP key" code={secret} />
      <CodeBlock label="MCP endpoint" code={endpoint} />
      <CodeBlock
        label="Claude Code: paste the key when prompted, and start Claude Code in the same shell"
        code={`${ask} && ${add} ${KEY_HEADER_FLAG}`}
      />
    </Panel>
  )
}

function columnsAt(nowMs: EpochMs): Column<McpKeyRow>[] {
  return [
    {
      heading: 'Key',
      isRowHeading: true,
      cell: ({ id, name }) => (
        <>
          <bdi>{name}</bdi> <span class="soft">{id}</span>
        </>
      ),
    },
    { heading: 'State', cell: (key) => <KeyStateBadge state={keyStateOf(key, nowMs)} /> },
    { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
    {
      heading: 'Allowed from',
      cell: ({ ipAllow }) => ipAllow?.replaceAll(' ', ', ') ?? 'anywhere',
    },
    { heading: 'Expires', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="never" /> },
    { heading: 'Last used', cell: ({ lastUsedAt }) => <WhenText ms={lastUsedAt} none="never" /> },
    {
      heading: 'Change',
      kind: 'action',
      cell: (key) => (keyStateOf(key, nowMs) === 'active' ? <RevokeButton id={key.id} /> : null),
    },
  ]
}

function RevokeButton({ id }: { readonly id: number }): VNode {
  return (
    <details class="sure">
      <summary>Revoke</summary>
      <Form>
        <input type="hidden" name="key" value={String(id)} />
        <p>Programs that use it stop working.</p>
        <SubmitButton action="revoke" look="danger">
          Revoke key {id}
        </SubmitButton>
      </Form>
    </details>
  )
}

interface NewKeyPanelProps {
  readonly row: IntegrationRow
  readonly typed: TypedForm
}

function NewKeyPanel({ row, typed }: NewKeyPanelProps): VNode {
  return (
    <Panel title="Create an MCP key">
      {Object.keys(typed.faults).length === 0 ? null : (
        <Notice tone="bad">No key was created: correct the fields marked below.</Notice>
      )}
      <p class="soft">It has the accounts and tools of the integration.</p>
      <Form>
        <NameField {...typed} hint="Name of the agent that uses it." />
        <ScopeFields {...typed} permitted={scopesOf(row.scopes)} />
        <KeyLimitFields {...typed} />
        <SubmitButton action="create-key" look="key">
          Create key
        </SubmitButton>
      </Form>
    </Panel>
  )
}

function createKey(context: DashboardContext, row: IntegrationRow, form: SentForm): DashboardReply {
  if (row.kind !== 'mcp') return noSuchPageView()
  const { parts, nowMs, actor } = context
  const reading = new FormReading(form)
  const wish = {
    integrationId: row.id,
    name: reading.name(),
    scopes: reading.scopes(scopesOf(row.scopes)),
    expiresAtMs: reading.expiry(nowMs),
    ipAllow: reading.ipAllow(),
  }
  if (!reading.isFaultless) return showKeys(context, row, { form, faults: reading.faults })
  const { id, key } = createMcpKey(parts.control, wish, nowMs, actor)
  const path = integrationPath(row, 'keys')
  return { goTo: pathShowing(context, path, { id: String(id), secret: key }) }
}

function revoke(context: DashboardContext, row: IntegrationRow, form: SentForm): DashboardReply {
  const { parts, nowMs, actor } = context
  const text = form.value('key') ?? ''
  const key = /^\d{1,15}$/.test(text) ? findMcpKey(parts.control, Number(text)) : undefined
  if (key?.integrationId !== row.id) return noSuchPageView()
  revokeMcpKey(parts.control, key.id, nowMs, actor)
  return { goTo: integrationPath(row, 'keys') }
}
