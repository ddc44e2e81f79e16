// Over control data that wait, other units of work come between a look and the transaction that
// acts on what was found.
import { type Test, test } from 'tap'
import { activateClient, deactivateClient } from '../../src/admin/clients.js'
import {
  activateIntegration,
  changeIntegration,
  deactivateIntegration,
} from '../../src/admin/integrations.js'
import { hashOfSecret } from '../../src/auth/secret.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { rotateRefresh } from '../../src/store/token-rows.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import { newPair } from '../fixtures/control.js'
import { execute, rowsOf } from '../fixtures/control-sql.js'
import { type Rig, rigs } from '../fixtures/http-rig.js'
import {
  answerOf,
  OAuthFixture,
  type OAuthOptions,
  REDIRECT_URI,
  typedName,
} from '../fixtures/oauth-fixture.js'
import { PageVisitor, wordsOf } from '../fixtures/page-visitor.js'

interface Waiting {
  readonly fixture: OAuthFixture
  /** That of the service. */
  readonly control: AwaitingControl
}

/** Opens a service whose control data wait. */
async function waiting(t: Test, rig: Rig, options: OAuthOptions = {}): Promise<Waiting> {
  let control: AwaitingControl | undefined
  const controlOver = (file: ControlStore): ControlStore => {
    control = new AwaitingControl(file)
    return control
  }
  const fixture = await OAuthFixture.open(t, rig, { ...options, service: { controlOver } })
  if (control === undefined) throw new Error('the service has opened it')
  return { fixture, control }
}

function overRigs(
  run: (t: Test, waiting: Waiting) => Promise<void>,
  options: OAuthOptions = {},
): (t: Test) => Promise<void> {
  return async (t) => {
    for (const rig of rigs) {
      await t.test(rig.name, async (inner) => run(inner, await waiting(inner, rig, options)))
    }
  }
}

const MCP = { integration: { kind: 'mcp', letsRegister: true } } as const

function contextOf({ service }: OAuthFixture) {
  return { control: service.control, nowMs: service.nowMs, actor: CLI_ACTOR }
}

function grantsOf({ service }: OAuthFixture): unknown[] {
  return rowsOf(service.control, 'SELECT * FROM grants WHERE revoked_at IS NULL')
}

function register(fixture: OAuthFixture) {
  const metadata = JSON.stringify({ redirect_uris: [REDIRECT_URI] })
  return fixture.send('register', metadata, { 'Content-Type': 'application/json' })
}

test(
  'from registration or consent to the end of the tokens, all is as over a file',
  overRigs(async (t, { fixture }) => {
    const key = await fixture.service.newKey('w')
    const keyReply = await fixture.service.ask('/v1/w/accounts', { key: key.key })
    t.equal(keyReply.status, 200)
    const tokens = await fixture.newTokens()
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    t.equal(await fixture.readStatus(tokens['access_token']), 200, 'known by now')
    const batch = await fetch(`${fixture.url}/v1/w/transactions/match`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tokens['access_token']}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ queries: [] }),
    })
    t.not(batch.status, 500, 'its body has waited for the token')
    const { status, json } = await fixture.refresh(tokens['refresh_token'])
    t.equal(status, 200)
    t.equal(await fixture.readStatus(tokens['access_token']), 401, 'of the old pair')
    const { client } = fixture.publicClient
    const form = { client_id: client.id, token: String(json['access_token']) }
    t.equal((await fixture.post('revoke', form)).status, 200)
    t.equal(await fixture.readStatus(json['access_token']), 401)
    t.same(grantsOf(fixture), [])
    t.equal((await fixture.service.ask('/v1/w/accounts', { key: 'sk-unknown' })).status, 401)
  }),
)

test(
  'a decision is refused when its integration, client or session has ended before it is stored',
  overRigs(async (t, { fixture, control }) => {
    const context = contextOf(fixture)
    const { service, integration, publicClient } = fixture
    const visitor = await fixture.signedIn()
    const decided = async (action: string, before: () => Promise<unknown>) => {
      const page = await visitor.get(fixture.authorizeUrl())
      control.beforeNext = before
      return visitor.submit(page, { action })
    }
    const allowed = answerOf(await decided('allow', async () => undefined))
    t.ok(allowed['code'])
    execute(service.control, 'DELETE FROM grants')

    for (const action of ['allow', 'deny']) {
      const late = await decided(action, () => deactivateClient(context, publicClient.client.id))
      t.equal(late.status, 400)
      t.match(wordsOf(late), 'the client was deactivated or deleted')
      await activateClient(context, publicClient.client.id)
    }
    const inactive = await decided('allow', () => deactivateIntegration(context, integration.id))
    t.match(wordsOf(inactive), 'The integration is no longer active at this address.')
    await activateIntegration(context, integration.id)

    const signedOut = await decided('allow', async () =>
      execute(service.control, 'DELETE FROM sessions'),
    )
    t.equal(signedOut.status, 403)
    t.match(wordsOf(signedOut), 'Your session has ended. Sign in to decide.')
    t.same(rowsOf(service.control, 'SELECT * FROM grants'), [])
  }),
)

test(
  'a registration finds its integration as it is when the client is added',
  overRigs(async (t, { fixture, control }) => {
    const context = contextOf(fixture)
    const { service, integration } = fixture
    const clientCount = (): number => rowsOf(service.control, 'SELECT * FROM clients').length
    t.equal((await register(fixture)).status, 201)
    const before = clientCount()
    const terms = { id: integration.id, name: 'Books', accountIds: null, tools: null }
    control.beforeNext = () =>
      changeIntegration(context, { ...terms, scopes: SCOPES, letsRegister: false })
    t.equal((await register(fixture)).status, 404)
    await changeIntegration(context, { ...terms, scopes: ['accounts:read'], letsRegister: true })
    control.beforeNext = () => deactivateIntegration(context, integration.id)
    const late = await register(fixture)
    t.match(late.json, { error: 'invalid_client' })
    t.equal(clientCount(), before)
  }, MCP),
)

test(
  'a client deactivated before the transaction gets no tokens and ends none',
  overRigs(async (t, { fixture, control }) => {
    const context = contextOf(fixture)
    const { service, publicClient } = fixture
    const { id } = publicClient.client
    const code = await fixture.newCode()
    control.beforeNext = () => deactivateClient(context, id)
    t.match((await fixture.exchange(code)).json, { error: 'invalid_client' })
    await activateClient(context, id)
    const { status, json } = await fixture.exchange(code)
    t.equal(status, 200, 'the code was not used up')
    control.beforeNext = () => deactivateClient(context, id)
    const form = { client_id: id, token: String(json['refresh_token']) }
    t.match((await fixture.post('revoke', form)).json, { error: 'invalid_client' })
    t.equal(grantsOf(fixture).length, 1)
    await activateClient(context, id)
    const hash = hashOfSecret(String(json['refresh_token']))
    control.beforeNext = () =>
      service.control.atomically(() => rotateRefresh(hash, newPair().row, service.nowMs))
    t.match((await fixture.refresh(json['refresh_token'])).json, { error: 'invalid_grant' })
    t.same(grantsOf(fixture), [], 'the family of a token that was used twice has ended')
  }),
)

test(
  'what an operator does in the dashboard needs the session until it is stored',
  overRigs(async (t, { fixture, control }) => {
    const { service } = fixture
    const visitor = new PageVisitor()
    const url = `${fixture.url}/dashboard/workspaces/w/keys`
    const asked = await visitor.get(url)
    t.equal((await visitor.submit(asked, { ...typedName(), action: 'sign-in' })).status, 303)
    const page = await visitor.get(url)
    const typed = { name: 'late', scope: SCOPES, accounts: 'all' }
    control.beforeNext = async () => execute(service.control, 'DELETE FROM sessions')
    const late = await visitor.press(page, 'create-key', typed)
    t.equal(late.status, 303)
    t.equal(PageVisitor.target(late).href, url, 'where the operator signs in')
    t.same(rowsOf(service.control, 'SELECT * FROM api_keys'), [])
    const again = await visitor.get(url)
    await visitor.submit(again, { ...typedName(), action: 'sign-in' })
    t.equal((await visitor.press(await visitor.get(url), 'create-key', typed)).status, 303)
    t.equal(rowsOf(service.control, 'SELECT * FROM api_keys').length, 1)
  }),
)
