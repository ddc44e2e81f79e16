import type { Integration } from '../../../admin/integrations.js'
import { createMcpKey, listMcpKeys, type McpKey, revokeMcpKey } from '../../../admin/mcp-keys.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form as SentForm } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import {
  KeyLimitFields,
  NameField,
  NotCreated,
  ScopeFields,
  type TypedForm,
  UNTYPED,
} from '../../elements/credential-fields.js'
import { Form, SubmitButton } from '../../elements/form.js'
import { KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { Notice } from '../../elements/notice.js'
import { PagedList } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { FormReading } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardReply, View } from '../../reply.js'
import { type MadeSecret, pathShowing, takeMade } from '../../shown-once.js'
import { noSuchPageView } from '../error-pages.js'
import { KEY_HEADER_FLAG } from './agent-guides.js'
import { changing, revokeColumn } from './integration-parts.js'
import { integrationPath, urlsOf } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'

/** The keys of an MCP endpoint. */
export const INTEGRATION_KEYS_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId/keys',
  show: (context) => withIntegration(context, (row) => showKeys(context, row, UNTYPED)),
  actions: {
    'create-key': (context, form) =>
      withIntegration(context, (row) => createKey(context, row, form)),
    revoke: changing({ view: 'keys', field: 'key', list: listMcpKeys }, revokeMcpKey),
  },
}

async function showKeys(
  context: DashboardContext,
  row: Integration,
  typed: TypedForm,
): Promise<View> {
  if (row.kind !== 'mcp') return noSuchPageView()
  const keys = (await listMcpKeys(context, row.id)).reverse()
  const made = takeMade(context)
  return integrationView({
    row,
    view: 'keys',
    faults: typed.faults,
    body: (
      <>
        {made === undefined ? null : (
          <MadeKey made={made} endpoint={urlsOf(context.parts.baseUrl(), row).resource} />
        )}
        <Panel title="MCP keys">
          <PagedList
            rows={keys}
            none={
              <p class="soft">
                There are no keys yet. A key works without OAuth and without consent.
              </p>
            }
            show={(rows) => <Table caption="MCP keys" columns={COLUMNS} rows={rows} />}
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
      <Notice variant="good" title="The key was created. It is shown only once.">
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

const COLUMNS: readonly Column<McpKey>[] = [
  {
    heading: 'Key',
    isRowHeading: true,
    cell: ({ id, name }) => (
      <>
        <bdi>{name}</bdi> <span class="soft">{id}</span>
      </>
    ),
  },
  { heading: 'State', cell: ({ state }) => <KeyStateBadge state={state} /> },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  { heading: 'Allowed from', cell: ({ ipAllow }) => ipAllow?.join(', ') ?? 'anywhere' },
  { heading: 'Expires', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="never" /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <WhenText ms={lastUsedAt} none="never" /> },
  revokeColumn('key', 'Programs that use it stop working.'),
]

interface NewKeyPanelProps {
  readonly row: Integration
  readonly typed: TypedForm
}

function NewKeyPanel({ row, typed }: NewKeyPanelProps): VNode {
  return (
    <Panel title="Create an MCP key">
      <NotCreated what="key" faults={typed.faults} />
      <p class="soft">It has the accounts and tools of the integration.</p>
      <Form>
        <NameField {...typed} hint="Name of the agent that uses it." />
        <ScopeFields {...typed} permitted={row.scopes} />
        <KeyLimitFields {...typed} />
        <SubmitButton action="create-key" look="key">
          Create key
        </SubmitButton>
      </Form>
    </Panel>
  )
}

async function createKey(
  context: DashboardContext,
  row: Integration,
  form: SentForm,
): Promise<DashboardReply> {
  if (row.kind !== 'mcp') return noSuchPageView()
  const reading = new FormReading(form)
  const input = {
    integrationId: row.id,
    name: reading.name(),
    scopes: reading.scopes(row.scopes),
    expiresAtMs: reading.expiry(context.nowMs),
    ipAllow: reading.ipAllow(),
  }
  if (!reading.isFaultless) return showKeys(context, row, { form, faults: reading.faults })
  const { id, key } = await createMcpKey(context, input)
  const path = integrationPath(row, 'keys')
  return { goTo: pathShowing(context, path, { id: String(id), secret: key }) }
}
