import { type Test, test } from 'tap'
import { addClient } from '../../src/admin/clients.js'
import { REDIRECT_URIS_MAX } from '../../src/auth/redirect-uri.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { OAUTH_BODY_BYTES_MAX } from '../../src/oauth/form-body.js'
import { DYNAMIC_CLIENT_UNUSED_MS, DYNAMIC_CLIENTS_MAX } from '../../src/oauth/register.js'
import { REGISTRATIONS_PER_MINUTE_MAX } from '../../src/oauth/routes.js'
import { rowsOf } from '../fixtures/control-sql.js'
import {
  type JsonReply,
  type OAuthFixture,
  overFixtures,
  REDIRECT_URI,
} from '../fixtures/oauth-fixture.js'
import { wordsOf } from '../fixtures/page-visitor.js'

const OPTIONS = { integration: { kind: 'mcp', letsRegister: true } } as const
const JSON_TYPE = { 'Content-Type': 'application/json' }

function register(fixture: OAuthFixture, metadata: object): Promise<JsonReply> {
  // One registration a minute, so that none of these exceeds the limit.
  fixture.service.nowMs += 60_000
  return fixture.send('register', JSON.stringify(metadata), JSON_TYPE)
}

test(
  'a public client registers itself; unknown metadata is ignored',
  overFixtures(async (t, fixture) => {
    const uri = 'http://127.0.0.1:3000/callback'
    const { status, headers, json } = await register(fixture, {
      redirect_uris: [uri],
      client_name: 'Agent <i>7</i>',
      application_type: 'native',
      client_uri: 'https://agent.example.org',
      logo_uri: 'javascript:alert(1)',
      software_statement: 'x',
      contacts: [1, null, {}],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: null,
    })
    t.equal(status, 201)
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('access-control-allow-origin'), '*')
    const { client_id, ...rest } = json
    t.match(client_id, /^[-\w]{8,}$/)
    t.same(rest, {
      client_id_issued_at: Math.floor(fixture.service.nowMs / 1000),
      registration_client_uri: `${fixture.issuer}/register/${client_id}`,
      client_name: 'Agent <i>7</i>',
      redirect_uris: [uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'transactions:read accounts:read',
    })
    t.equal(fixture.lastAuditEvent(), 'client.register ok')
    const own = { client_id: `${client_id}`, redirect_uri: uri, resource: fixture.resource }
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.authorizeUrl(own))
    t.match(wordsOf(page), 'This program registered itself')
    const code = (await fixture.allowed(visitor, own)).searchParams.get('code') ?? ''
    t.equal((await fixture.exchange(code, own)).status, 200)
  }, OPTIONS),
)

test(
  'a confidential client gets its secret, once',
  overFixtures(async (t, fixture) => {
    const { status, json } = await register(fixture, {
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'accounts:read admin',
    })
    t.equal(status, 201)
    t.match(json, {
      client_secret: /^cs-[-\w]{43}$/,
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'accounts:read',
      client_name: 'Program at app.example.org',
    })
    const own = { client_id: `${json['client_id']}`, client_secret: `${json['client_secret']}` }
    const code = await fixture.newCode({ client_id: own.client_id, scope: undefined })
    t.equal((await fixture.exchange(code, own)).status, 200)
    const log = JSON.stringify(fixture.audit())
    t.notMatch(log, own.client_secret)
  }, OPTIONS),
)

test(
  'a registration can be read at its URL, without the secret',
  overFixtures(async (t, fixture) => {
    for (const method of ['none', 'client_secret_post']) {
      const metadata = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: method }
      const { json } = await register(fixture, metadata)
      const { client_secret: _, client_secret_expires_at: __, ...expected } = json
      const read = await fetch(`${json['registration_client_uri']}`)
      t.equal(read.status, 200)
      t.equal(read.headers.get('cache-control'), 'no-store')
      t.same(await read.json(), expected)
    }
    const other = await fixture.newIntegration({ ...OPTIONS.integration })
    const foreign = (await fixture.newClient({ integrationId: other.id, registered: 'dynamic' }))
      .client.id
    for (const id of [fixture.publicClient.client.id, foreign, 'unknown']) {
      const read = await fetch(`${fixture.issuer}/register/${id}`)
      t.equal(read.status, 404)
      t.match(await read.json(), { error: 'no_such_operation' })
    }
    const { id } = (await fixture.newClient({ registered: 'dynamic' })).client
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${fixture.issuer}/register/${id}`, { method })
      t.equal(answer.status, 405)
      await answer.body?.cancel()
    }
  }, OPTIONS),
)

const REFUSED: Readonly<Record<string, readonly [metadata: unknown, error: string]>> = {
  'no redirect URIs': [{}, 'invalid_redirect_uri'],
  'redirect URIs as text': [{ redirect_uris: REDIRECT_URI }, 'invalid_redirect_uri'],
  'an empty list': [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  'a number for a URI': [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
  'plain http': [{ redirect_uris: ['http://app.example.org/cb'] }, 'invalid_redirect_uri'],
  'a fragment': [{ redirect_uris: ['https://app.example.org/cb#x'] }, 'invalid_redirect_uri'],
  'a script': [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  'a data URL': [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
  'an address': [{ redirect_uris: ['https://192.0.2.1/cb'] }, 'invalid_redirect_uri'],
  'a host without a dot': [{ redirect_uris: ['https://intranet/cb'] }, 'invalid_redirect_uri'],
  'a user name': [{ redirect_uris: ['https://a@app.example.org/cb'] }, 'invalid_redirect_uri'],
  'a relative one': [{ redirect_uris: ['/cb'] }, 'invalid_redirect_uri'],
  'quotes and line ends': [{ redirect_uris: ['https://a.org/"\\\r\n'] }, 'invalid_redirect_uri'],
  'a wrong one behind a right one': [
    { redirect_uris: [REDIRECT_URI, 'http://app.example.org/cb'] },
    'invalid_redirect_uri',
  ],
  'too many': [
    { redirect_uris: Array.from({ length: REDIRECT_URIS_MAX + 1 }, () => REDIRECT_URI) },
    'invalid_redirect_uri',
  ],
  'too long': [
    { redirect_uris: [`https://app.example.org/${'x'.repeat(2_048)}`] },
    'invalid_redirect_uri',
  ],
  'a scheme of its own, confidential': [
    {
      redirect_uris: ['com.example.app:/cb'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    'invalid_redirect_uri',
  ],
  'Basic authentication': [
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_basic' },
    'invalid_client_metadata',
  ],
  'a key': [
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'private_key_jwt' },
    'invalid_client_metadata',
  ],
  'another grant': [
    { redirect_uris: [REDIRECT_URI], grant_types: ['client_credentials'] },
    'invalid_client_metadata',
  ],
  'another response': [
    { redirect_uris: [REDIRECT_URI], response_types: ['token'] },
    'invalid_client_metadata',
  ],
  'no scope that there is': [
    { redirect_uris: [REDIRECT_URI], scope: 'admin' },
    'invalid_client_metadata',
  ],
  'scopes as a list': [
    { redirect_uris: [REDIRECT_URI], scope: ['accounts:read'] },
    'invalid_client_metadata',
  ],
  'a name of two lines': [
    { redirect_uris: [REDIRECT_URI], client_name: 'a\nb' },
    'invalid_client_metadata',
  ],
  'a name that turns text around': [
    { redirect_uris: [REDIRECT_URI], client_name: 'a\u202eb' },
    'invalid_client_metadata',
  ],
  'a name that is too long': [
    { redirect_uris: [REDIRECT_URI], client_name: 'x'.repeat(201) },
    'invalid_client_metadata',
  ],
  'a name of spaces': [
    { redirect_uris: [REDIRECT_URI], client_name: '  ' },
    'invalid_client_metadata',
  ],
  'a list': [[], 'invalid_client_metadata'],
  null: [null, 'invalid_client_metadata'],
  'a text': ['x', 'invalid_client_metadata'],
}

async function expectRefused(
  t: Test,
  fixture: OAuthFixture,
  { body, type = JSON_TYPE }: { body: string; type?: Readonly<Record<string, string>> },
  expected: string,
): Promise<void> {
  fixture.service.nowMs += 60_000
  const before = fixture.state()
  const reply = await fixture.send('register', body, type)
  t.equal(`${reply.status} ${reply.json['error']}`, expected, body.slice(0, 80))
  t.match(reply.json['error_description'], /^[ !#-[\]-~]+\.$/, body.slice(0, 80))
  t.equal(fixture.lastAuditEvent(), `client.register refused ${reply.json['error']}`)
  t.same(fixture.state(), before, body.slice(0, 80))
}

test(
  'invalid metadata is refused with the reason',
  overFixtures(async (t, fixture) => {
    for (const [metadata, error] of Object.values(REFUSED)) {
      await expectRefused(t, fixture, { body: JSON.stringify(metadata) }, `400 ${error}`)
    }
    for (const body of ['', '{', '{"redirect_uris":', '\u0000']) {
      await expectRefused(t, fixture, { body }, '400 invalid_client_metadata')
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await expectRefused(t, fixture, { body: 'a=1', type: form }, '415 invalid_request')
    const long = JSON.stringify({ redirect_uris: [REDIRECT_URI], x: 'x'.repeat(16_384) })
    t.ok(long.length > OAUTH_BODY_BYTES_MAX)
    await expectRefused(t, fixture, { body: long }, '413 invalid_request')
    t.equal((await fetch(`${fixture.issuer}/register`)).status, 405)
  }, OPTIONS),
)

test(
  'registrations are limited per address and minute, and per integration',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const body = JSON.stringify({ redirect_uris: [REDIRECT_URI] })
    for (let i = 0; i < REGISTRATIONS_PER_MINUTE_MAX; i++) {
      t.equal((await fixture.send('register', body, JSON_TYPE)).status, 201)
    }
    const refused = await fixture.send('register', body, JSON_TYPE)
    t.match(refused, { status: 429, json: { error: 'temporarily_unavailable' } })
    t.equal(refused.headers.get('retry-after'), '60')
    const integrationId = fixture.integration.id
    const context = { nowMs: fixture.service.nowMs, actor: CLI_ACTOR }
    const client = { integrationId, name: 'Client', type: 'public', scopes: SCOPES } as const
    await control.atomically(function* () {
      for (let i = REGISTRATIONS_PER_MINUTE_MAX; i < DYNAMIC_CLIENTS_MAX; i++) {
        yield* addClient(context, {
          ...client,
          redirectUris: [REDIRECT_URI],
          registered: 'dynamic',
        })
      }
    })
    const full = await register(fixture, { redirect_uris: [REDIRECT_URI] })
    t.match(full, { status: 503, json: { error: 'temporarily_unavailable' } })
    t.equal(fixture.lastAuditEvent(), 'client.register refused temporarily_unavailable')
    fixture.service.nowMs += DYNAMIC_CLIENT_UNUSED_MS
    const again = await register(fixture, { redirect_uris: [REDIRECT_URI] })
    t.equal(again.status, 201, 'clients without a consent are evicted')
    const left = rowsOf(control, "SELECT id FROM clients WHERE registered = 'dynamic'")
    t.equal(left.length, 1)
  }, OPTIONS),
)
