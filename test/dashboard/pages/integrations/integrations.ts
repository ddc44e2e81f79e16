// An integration from its creation to its end, and the access it grants meanwhile.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Test, test } from 'tap'
import { findIntegration } from '../../../../src/store/integration-rows.js'
import { rowsOf } from '../../../fixtures/control-sql.js'
import {
  type DashboardFixture,
  overDashboards,
  overOneDashboard,
} from '../../../fixtures/dashboard-fixture.js'
import { ECHO_TOOL } from '../../../fixtures/mcp-fixture.js'
import { type PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'

const SCOPES = ['transactions:read', 'accounts:read']
const MCP = {
  ...{ name: 'Agent', scope: SCOPES, accounts: 'all', tools: 'all' },
  ...{ code_life: '60000', access_life: '900000', refresh_life: '2592000000' },
}
const OAUTH2 = { ...MCP, name: 'Tax adviser' }
const TOOLS = { service: { tools: [ECHO_TOOL] } }

/** The texts with a copy button on a page, by label. */
function copiesOn({ text }: Visit): Record<string, string> {
  const blocks = text.matchAll(/<figcaption><span>([^<]*)<\/span>.*?<code>([^<]*)<\/code>/gs)
  return Object.fromEntries([...blocks].map(([, label = '', code = '']) => [label, code]))
}

/** Creates one through the form. @returns the page after the redirect */
async function made(
  fixture: DashboardFixture,
  visitor: PageVisitor,
  kind: 'mcp' | 'oauth2',
  options: object = {},
): Promise<Visit> {
  const url = `${fixture.url}/dashboard/workspaces/w/integrations?kind=${kind}`
  const form = { ...(kind === 'mcp' ? MCP : OAUTH2), ...options }
  const answer = await visitor.press(await visitor.get(url), 'create-integration', form)
  return visitor.follow(answer)
}

/** Calls a tool with the official client. */
async function called(t: Test, endpoint: string, key: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }))
  t.teardown(() => client.close())
  return client.callTool({ name: 'get_transactions', arguments: { limit: 1 } })
}

test(
  'an MCP server is created, and the official client uses its key until it is revoked',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await made(fixture, visitor, 'mcp')
    t.match(fixture.lastAuditEvent(), /integration.create ok .*"kind":"mcp","name":"Agent"/)
    t.match(wordsOf(page), 'Accounts all current and future')
    t.match(wordsOf(page), 'Dynamic registration is disabled.')
    const endpoint = copiesOn(page)['MCP endpoint'] ?? ''
    t.match(endpoint, /\/v1\/w\/mcp\/[-\w]+$/)

    const keysUrl = `${page.url}/keys`
    const options = { name: 'laptop', scope: SCOPES }
    const made1 = await visitor.press(await visitor.get(keysUrl), 'create-key', options)
    const shown = await visitor.follow(made1)
    const key = copiesOn(shown)['MCP key'] ?? ''
    t.match(key, /^mcp-/)
    t.match(await called(t, endpoint, key), { structuredContent: { workspaceId: 'w' } })

    const settings = `${page.url}/settings`
    await visitor.press(await visitor.get(settings), 'deactivate')
    await t.rejects(called(t, endpoint, key), /./)
    t.match(wordsOf(await visitor.get(page.url)), 'This integration is inactive.')
    await visitor.press(await visitor.get(settings), 'activate')
    t.match(await called(t, endpoint, key), { structuredContent: { workspaceId: 'w' } })

    await visitor.press(await visitor.get(keysUrl), 'revoke', {})
    t.match(fixture.lastAuditEvent(), 'mcp_key.revoke ok 1')
    await t.rejects(called(t, endpoint, key), /./)
    t.match(wordsOf(await visitor.get(keysUrl)), 'laptop 1 Revoked')
  }, TOOLS),
)

test(
  'an integration is changed, and deleted after its name is typed',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await made(fixture, visitor, 'mcp')
    const id = new URL(page.url).pathname.split('/').at(-1) ?? ''
    const settings = `${page.url}/settings`
    const change = {
      ...{ ...MCP, name: 'Renamed', scope: 'accounts:read', accounts: 'chosen', account: '2' },
      ...{ tools: 'chosen', tool: 'get_accounts', dcr: 'yes', mask_ibans: 'yes' },
      access_life: '3600000',
    }
    const saved = await visitor.follow(
      await visitor.press(await visitor.get(settings), 'save', change),
    )
    t.match(wordsOf(saved), 'Saved. The changes apply from now on.')
    t.match(
      fixture.service.control.look(() => findIntegration(id)),
      {
        ...{ name: 'Renamed', scopes: 'accounts:read', accounts: '2', tools: 'get_accounts' },
        ...{ letsRegister: true, masksIbans: true, masksNames: false, accessMs: 3_600_000 },
        ...{ codeMs: 60_000, isActive: true, workspaceId: 'w', kind: 'mcp' },
      },
    )
    t.match(fixture.lastAuditEvent(), /integration.change ok .*"accounts":\[2\].*"masksIbans":true/)
    t.match(wordsOf(await visitor.get(page.url)), 'Hidden IBANs Dynamic registration on')
    const bad = await visitor.press(saved, 'save', { ...change, name: '', access_life: '1' })
    t.equal(bad.status, 400)
    t.match(
      fixture.service.control.look(() => findIntegration(id)),
      { name: 'Renamed', accessMs: 3_600_000 },
    )

    const kept = await visitor.press(saved, 'delete', { typed_name: 'Agent' })
    t.equal(kept.status, 400)
    t.match(wordsOf(kept), 'The name does not match. Nothing was deleted.')
    await visitor.press(saved, 'delete', { typed_name: 'Renamed' })
    t.match(fixture.lastAuditEvent(), 'integration.delete ok')
    t.equal(
      fixture.service.control.look(() => findIntegration(id)),
      undefined,
    )
    for (const view of ['', '/clients', '/keys', '/grants', '/test', '/settings']) {
      t.equal((await visitor.get(page.url + view)).status, 404, view)
    }
  }),
)

test(
  'an OAuth2 server shows its URLs, and no keys or tools',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await made(fixture, visitor, 'oauth2')
    const { Issuer: issuer = '', Metadata: metadata = '', ...others } = copiesOn(page)
    const known = (await (await fetch(metadata)).json()) as Record<string, unknown>
    t.match(known, {
      issuer,
      authorization_endpoint: others['Authorization endpoint'],
      token_endpoint: others['Token endpoint'],
      revocation_endpoint: others['Revocation endpoint'],
    })
    t.equal(others['REST operations'], `${fixture.url}/v1/w`)
    t.notMatch(page.text, 'MCP keys')
    t.equal((await visitor.get(`${page.url}/keys`)).status, 404)
    const list = await visitor.get(`${fixture.url}/dashboard/integrations`)
    t.match(wordsOf(list), 'Tax adviser w OAuth2 Server Active')
    t.notMatch((await visitor.get(`${page.url}/settings`)).text, 'name="tools"')
  }),
)

test(
  'an invalid or forged form creates nothing',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/workspaces/w/integrations`
    const page = await visitor.get(url)
    const wrong = { ...MCP, name: '', tools: 'chosen', code_life: '999999999' }
    const answer = await visitor.press(page, 'create-integration', wrong)
    t.equal(answer.status, 400)
    t.match(wordsOf(answer), 'Select at least one tool, or all current and future tools.')
    const foreign = await visitor.post(url, { ...MCP, action: 'create-integration' })
    t.equal(foreign.status, 403)
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM integrations'), [])
    const none = `${fixture.url}/dashboard/workspaces/none/integrations`
    t.equal((await visitor.get(none)).status, 404)
  }),
)

test(
  'clients follow the rules for redirect URIs, and their secret is shown once',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const { url } = await made(fixture, visitor, 'oauth2')
    const clients = `${url}/clients`
    const page = await visitor.get(clients)
    t.match(wordsOf(page), 'It is not a wildcard at runtime.')
    const options = {
      ...{ name: 'App', type: 'confidential', scope: SCOPES },
      redirect_uris: 'https://app.example.org/cb\r\nhttp://localhost:1/cb',
    }
    const faulty = { ...options, redirect_uris: 'https://192.0.2.7/cb' }
    const refused = await visitor.press(page, 'create-client', faulty)
    t.equal(refused.status, 400)
    t.match(wordsOf(refused), 'has an IP address as host, which must be allowed explicitly')
    const shown = await visitor.follow(await visitor.press(page, 'create-client', options))
    const { 'Client id': id = '', 'Client secret': secret = '' } = copiesOn(shown)
    t.match(secret, /^cs-/)
    t.match(fixture.lastAuditEvent(), /client.create ok .*"name":"App"/)
    t.notMatch((await visitor.get(clients)).text, secret)
    const anyHost = { ...faulty, type: 'public', any_host: 'yes' }
    const open = await visitor.follow(await visitor.press(page, 'create-client', anyHost))
    t.equal(copiesOn(open)['Client secret'], undefined)

    await visitor.press(page, 'create-client', options)
    const list = await visitor.get(clients)
    await visitor.press(list, 'deactivate', { client: id })
    t.match(fixture.lastAuditEvent(), `client.deactivate ok ${id}`)
    await visitor.press(await visitor.get(clients), 'activate', { client: id })
    await visitor.press(await visitor.get(clients), 'delete', { client: id })
    t.match(fixture.lastAuditEvent(), `client.delete ok ${id}`)
    t.notMatch((await visitor.get(clients)).text, id)

    const other = await made(fixture, visitor, 'mcp')
    const theirs = await visitor.get(`${other.url}/clients`)
    const mine = copiesOn(open)['Client id'] ?? ''
    await visitor.press(theirs, 'create-client', options)
    const form = await visitor.get(`${other.url}/clients`)
    const across = await visitor.press(form, 'delete', { client: mine })
    t.equal(across.status, 404, 'a client of another integration')
    t.match((await visitor.get(clients)).text, mine)
  }),
)
