import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import { AccountsText, ScopesText } from '../../elements/grant-texts.js'
import { Link } from '../../elements/link.js'
import { Notice } from '../../elements/notice.js'
import { Panel } from '../../elements/panel.js'
import { Facts } from '../../elements/stat.js'
import type { DashboardPage } from '../../page.js'
import { type AgentGuide, agentGuides } from './agent-guides.js'
import { type IntegrationUrls, integrationPath, urlsOf } from './integration-paths.js'
import { integrationView, withIntegration } from './integration-view.js'

/** How to connect programs to an integration. */
export const INTEGRATION_PAGE: DashboardPage = {
  path: '/dashboard/integrations/:integrationId',
  show: (context) =>
    withIntegration(context, (row) =>
      integrationView({ row, view: '', body: <Connect row={row} context={context} /> }),
    ),
}

interface ConnectProps {
  readonly row: Integration
  readonly context: DashboardContext
}

function Connect({ row, context }: ConnectProps): VNode {
  const urls = urlsOf(context.parts.baseUrl(), row)
  return (
    <>
      <Panel title="Access" aside={<Link to={integrationPath(row, 'settings')}>Change</Link>}>
        <OpensFacts row={row} />
      </Panel>
      {row.kind === 'mcp' ? <AgentPanels {...{ row, urls }} /> : <IssuerPanel {...{ row, urls }} />}
    </>
  )
}

function OpensFacts({ row }: { readonly row: Integration }): VNode {
  const facts = [
    { name: 'Accounts', value: <AccountsText ids={row.accountIds} /> },
    { name: 'Scopes', value: <ScopesText scopes={row.scopes} /> },
  ]
  if (row.kind === 'mcp') {
    const tools = row.tools?.join(', ') ?? 'all current and future'
    const masks = [row.masksIbans ? 'IBANs' : '', row.masksNames ? 'names of counterparts' : '']
    facts.push({ name: 'Tools', value: <>{tools}</> })
    facts.push({ name: 'Hidden', value: <>{masks.filter(Boolean).join(', ') || 'nothing'}</> })
    const registration = row.letsRegister ? 'on' : 'off'
    facts.push({ name: 'Dynamic registration', value: <>{registration}</> })
  }
  return <Facts facts={facts} />
}

interface UrlPanelProps {
  readonly row: Integration
  readonly urls: IntegrationUrls
}

function AgentPanels({ row, urls }: UrlPanelProps): VNode {
  return (
    <>
      <Panel title="Address" aside={<Link to={integrationPath(row, 'test')}>Test it</Link>}>
        <CodeBlock label="MCP endpoint" code={urls.resource} />
        <Ways row={row} />
      </Panel>
      <Panel title="How to connect">
        <div class="guides">
          {agentGuides(urls.resource).map((guide) => (
            <Guide key={guide.name} guide={guide} />
          ))}
        </div>
      </Panel>
    </>
  )
}

/** The ways in which an agent can authenticate with the current settings. */
function Ways({ row }: { readonly row: Integration }): VNode {
  const clients = <Link to={integrationPath(row, 'clients')}>a client</Link>
  const keys = <Link to={integrationPath(row, 'keys')}>an MCP key</Link>
  if (row.letsRegister) {
    return (
      <p>
        Dynamic registration is enabled: clients need only the address, and an operator approves
        each one. Other programs can use {keys}.
      </p>
    )
  }
  return (
    <Notice variant="warn" title="Dynamic registration is disabled.">
      <p>
        A client that knows only the address fails to connect, often without an error message.
        Create {clients} and enter its client id there, use {keys}, or enable dynamic registration
        under <Link to={integrationPath(row, 'settings')}>Settings</Link>.
      </p>
    </Notice>
  )
}

function Guide({ guide }: { readonly guide: AgentGuide }): VNode {
  const { name, steps, snippet, redirectUris } = guide
  return (
    <details class="guide">
      <summary>{name}</summary>
      <ul>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      {snippet === undefined ? null : (
        <CodeBlock label={`${name}: ${snippet.label}`} code={snippet.code} />
      )}
      {redirectUris.length === 0 ? null : (
        <p class="soft">
          Redirect URI to register for its client: <code>{redirectUris.join(' and ')}</code>
        </p>
      )}
    </details>
  )
}

function IssuerPanel({ row, urls }: UrlPanelProps): VNode {
  const { origin, pathname } = new URL(urls.issuer)
  const metadata = `${origin}/.well-known/oauth-authorization-server${pathname}`
  return (
    <Panel title="For developers" aside={<Link to={integrationPath(row, 'test')}>Test it</Link>}>
      <p>
        OAuth 2.1: authorization code with PKCE (S256). The program needs{' '}
        <Link to={integrationPath(row, 'clients')}>a client</Link> of its own; the metadata lists
        all other addresses.
      </p>
      <CodeBlock label="Issuer" code={urls.issuer} />
      <CodeBlock label="Metadata" code={metadata} />
      <CodeBlock label="Authorization endpoint" code={`${urls.issuer}/authorize`} />
      <CodeBlock label="Token endpoint" code={`${urls.issuer}/token`} />
      <CodeBlock label="Revocation endpoint" code={`${urls.issuer}/revoke`} />
      <CodeBlock label="REST operations" code={urls.resource} />
    </Panel>
  )
}
