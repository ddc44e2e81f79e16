// Every kind of invalid token request: status, error, the code or token it uses up, and the entry
// in the audit log.
import { type Test, test } from 'tap'
import { deactivateClient, deleteClient } from '../../../src/admin/clients.js'
import { createSecret } from '../../../src/auth/secret.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { rowsOf } from '../../fixtures/control-sql.js'
import {
  CHALLENGE,
  formOf,
  type JsonReply,
  type OAuthFixture,
  overFixtures,
  type Parameters,
  REDIRECT_URI,
  VERIFIER,
} from '../../fixtures/oauth-fixture.js'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** The full error: only the members of RFC 6749, section 5.2, and not cacheable. */
function expectError(
  t: Test,
  fixture: OAuthFixture,
  reply: JsonReply,
  { name, expected, action }: { name: string; expected: string; action: string },
): void {
  const [status, error = ''] = expected.split(' ')
  t.equal(`${reply.status}`, status, name)
  t.same(Object.keys(reply.json), ['error', 'error_description'], name)
  t.equal(reply.json['error'], error, name)
  t.match(reply.json['error_description'], /^[ !#-[\]-~]+\.$/, name)
  t.equal(reply.headers.get('cache-control'), 'no-store', name)
  t.equal(reply.headers.get('access-control-allow-origin'), '*', name)
  t.equal(fixture.lastAuditEvent(), `${action} refused ${error}`, name)
}

/** A form of the public client for a new code, with an error. */
function codeForm(fixture: OAuthFixture, code: string, wrong: Parameters): Parameters {
  return {
    ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI },
    ...{ client_id: fixture.publicClient.client.id, code_verifier: VERIFIER },
    ...wrong,
  }
}

/** Errors that are found before the code is read, which stays valid. */
const EARLY: Readonly<Record<string, readonly [wrong: Parameters, expected: string]>> = {
  'no grant_type': [{ grant_type: undefined }, '400 invalid_request'],
  'an empty grant_type': [{ grant_type: '' }, '400 invalid_request'],
  client_credentials: [{ grant_type: 'client_credentials' }, '400 unsupported_grant_type'],
  password: [{ grant_type: 'password' }, '400 unsupported_grant_type'],
  'a device code': [
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
    '400 unsupported_grant_type',
  ],
  'another case': [{ grant_type: 'Authorization_Code' }, '400 unsupported_grant_type'],
  'a member of every object': [{ grant_type: 'constructor' }, '400 unsupported_grant_type'],
  'an unknown grant of an unknown client': [
    { grant_type: 'client_credentials', client_id: 'unknown' },
    '400 unsupported_grant_type',
  ],
  'no client_id': [{ client_id: undefined }, '400 invalid_request'],
  'an unknown client_id': [{ client_id: 'unknown' }, '401 invalid_client'],
  'a public client with a secret': [{ client_secret: createSecret('cs-') }, '401 invalid_client'],
  'no code': [{ code: undefined }, '400 invalid_request'],
  'no redirect_uri': [{ redirect_uri: undefined }, '400 invalid_request'],
  'no code_verifier': [{ code_verifier: undefined }, '400 invalid_request'],
  'a foreign resource': [{ resource: 'https://other.example.org' }, '400 invalid_target'],
  'NUL in a parameter': [{ x: '\0' }, '400 invalid_request'],
}

/** Errors that use up the code. */
const LATE: Readonly<Record<string, Parameters>> = {
  'another redirect_uri': { redirect_uri: 'https://app.example.org/callback' },
  'redirect_uri with a slash': { redirect_uri: `${REDIRECT_URI}/` },
  'another verifier': { code_verifier: `${VERIFIER}x` },
  'the challenge as verifier': { code_verifier: CHALLENGE },
  'a verifier of 42 characters': { code_verifier: 'a'.repeat(42) },
  'a verifier of 129 characters': { code_verifier: 'a'.repeat(129) },
}

test(
  'an error found before the code is read leaves the code valid',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const code = (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
    const before = fixture.state()
    for (const [name, [wrong, expected]] of Object.entries(EARLY)) {
      const reply = await fixture.post('token', codeForm(fixture, code, wrong))
      expectError(t, fixture, reply, { name, expected, action: 'token.issue' })
      t.same(fixture.state(), before, `${name}: nothing has changed`)
    }
    const pairs = Object.entries(codeForm(fixture, code, {}))
    for (const [name, value] of pairs) {
      const body = `${formOf(Object.fromEntries(pairs))}&${formOf({ [name]: value })}`
      const expected = '400 invalid_request'
      const reply = await fixture.send('token', body, FORM)
      expectError(t, fixture, reply, { name: `${name} twice`, expected, action: 'token.issue' })
      t.same(fixture.state(), before, `${name} twice: nothing has changed`)
    }
    t.equal((await fixture.exchange(code)).status, 200)
  }),
)

test(
  'an error next to a valid code uses it up',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    for (const [name, wrong] of Object.entries(LATE)) {
      const code = (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
      const reply = await fixture.post('token', codeForm(fixture, code, wrong))
      expectError(t, fixture, reply, { name, expected: '400 invalid_grant', action: 'token.issue' })
      const again = await fixture.exchange(code)
      t.equal(again.json['error'], 'invalid_grant', `${name}: one attempt`)
      t.same(rowsOf(fixture.service.control, 'SELECT * FROM tokens'), [], name)
    }
  }),
)

test(
  'a code of another client, or an expired one, opens nothing',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const newCode = async (): Promise<string> =>
      (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
    const other = (await fixture.newClient()).client.id
    const codes: Readonly<Record<string, readonly [code: string, wrong: Parameters]>> = {
      unknown: [createSecret('ac-'), {}],
      'of another client': [await newCode(), { client_id: other }],
      'with something behind': [`${await newCode()}x`, {}],
      'an access token': [String((await fixture.newTokens())['access_token']), {}],
      'a refresh token': [String((await fixture.newTokens())['refresh_token']), {}],
    }
    for (const [name, [code, wrong]] of Object.entries(codes)) {
      const tokens = rowsOf(fixture.service.control, 'SELECT * FROM tokens')
      const reply = await fixture.post('token', codeForm(fixture, code, wrong))
      expectError(t, fixture, reply, { name, expected: '400 invalid_grant', action: 'token.issue' })
      t.same(rowsOf(fixture.service.control, 'SELECT * FROM tokens'), tokens, name)
    }
    const code = await newCode()
    fixture.service.nowMs += fixture.integration.codeMs
    const late = await fixture.exchange(code)
    expectError(t, fixture, late, {
      ...{ name: 'too old', expected: '400 invalid_grant', action: 'token.issue' },
    })
  }),
)

test(
  'a code used twice revokes the result of the first use',
  overFixtures(async (t, fixture) => {
    const code = await fixture.newCode()
    const { json } = await fixture.exchange(code)
    t.equal(await fixture.readStatus(json['access_token']), 200)
    const again = await fixture.exchange(code)
    expectError(t, fixture, again, {
      ...{ name: 'again', expected: '400 invalid_grant', action: 'token.issue' },
    })
    const [, reuse] = fixture.audit(2)
    t.match(reuse, { action: 'code.reuse', outcome: 'refused' })
    t.equal(await fixture.readStatus(json['access_token']), 401)
    t.equal((await fixture.refresh(json['refresh_token'])).json['error'], 'invalid_grant')
  }),
)

test(
  'an inactive, deleted or foreign client, or one without its secret, is refused',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const visitor = await fixture.signedIn()
    const { client, secret = '' } = fixture.confidentialClient
    const inactive = (await fixture.newClient()).client.id
    const deleted = (await fixture.newClient()).client.id
    const foreign = (
      await fixture.newClient({ integrationId: (await fixture.newIntegration()).id })
    ).client.id
    const otherSecret = (await fixture.newClient({ type: 'confidential' })).secret
    const codeOf = async (id: string): Promise<string> =>
      (await fixture.allowed(visitor, { client_id: id })).searchParams.get('code') ?? ''
    const ofInactive = await codeOf(inactive)
    await deactivateClient({ control, nowMs: 0, actor: CLI_ACTOR }, inactive)
    await deleteClient({ control, nowMs: 0, actor: CLI_ACTOR }, deleted)
    const code = await codeOf(client.id)
    const hash = client.secretHash?.toString('hex')
    const own = { client_id: client.id }
    const cases: Readonly<Record<string, Parameters>> = {
      inactive: { code: ofInactive, client_id: inactive },
      deleted: { client_id: deleted },
      'of another integration': { client_id: foreign },
      'without secret': own,
      'with an empty secret': { ...own, client_secret: '' },
      'with a wrong secret': { ...own, client_secret: createSecret('cs-') },
      'with half a secret': { ...own, client_secret: secret.slice(0, 20) },
      'with the secret of another': { ...own, client_secret: otherSecret },
      'with the hash for a secret': { ...own, client_secret: hash },
    }
    const before = fixture.state()
    for (const [name, wrong] of Object.entries(cases)) {
      const reply = await fixture.post('token', codeForm(fixture, code, wrong))
      expectError(t, fixture, reply, {
        name,
        expected: '401 invalid_client',
        action: 'token.issue',
      })
      t.equal(reply.headers.get('www-authenticate'), null, name)
      t.same(fixture.state(), before, `${name}: nothing has changed`)
    }
    const basic = Buffer.from(`${client.id}:${secret}`).toString('base64')
    for (const [scheme, value] of [
      ['Basic', `Basic ${basic}`],
      ['Basic', `basic ${basic}`],
      ['Bearer', `Bearer ${secret}`],
    ]) {
      for (const wrong of [{}, { ...own, client_secret: secret }]) {
        const body = formOf(codeForm(fixture, code, wrong))
        const reply = await fixture.send('token', body, { ...FORM, Authorization: `${value}` })
        const expected = { name: `${value}`, expected: '401 invalid_client', action: 'token.issue' }
        expectError(t, fixture, reply, expected)
        t.equal(reply.headers.get('www-authenticate'), `${scheme} realm="kontor"`)
        t.same(fixture.state(), before)
      }
    }
    const right = await fixture.exchange(code, { ...own, client_secret: secret })
    t.equal(right.status, 200, 'the code is still valid')
  }),
)

test(
  'a body other than one form within its limit is refused',
  overFixtures(async (t, fixture) => {
    const code = await fixture.newCode()
    const right = formOf(codeForm(fixture, code, {}))
    const before = fixture.state()
    const json = JSON.stringify(codeForm(fixture, code, {}))
    const bodies: Readonly<
      Record<string, readonly [body: string, type: string, expected: string]>
    > = {
      JSON: [json, 'application/json', '415 invalid_request'],
      'a form said to be text': [right, 'text/plain', '415 invalid_request'],
      'a form in parts': [right, 'multipart/form-data; boundary=x', '415 invalid_request'],
      'no type': [right, '', '415 invalid_request'],
      'two types': [right, `${FORM['Content-Type']}, text/plain`, '415 invalid_request'],
      'nothing at all': ['', FORM['Content-Type'], '400 invalid_request'],
      'too long': [`${right}&x=${'x'.repeat(16_384)}`, FORM['Content-Type'], '413 invalid_request'],
      'not UTF-8': [`${right}&x=%ff`, FORM['Content-Type'], '400 invalid_request'],
      'bytes that are not escaped': [`${right}&x=ä`, FORM['Content-Type'], '400 invalid_request'],
      'half an escape': [`${right}&x=%2`, FORM['Content-Type'], '400 invalid_request'],
      'separated by line ends': [
        right.replaceAll('&', '\r\n'),
        FORM['Content-Type'],
        '400 invalid_request',
      ],
    }
    for (const [name, [body, type, expected]] of Object.entries(bodies)) {
      const reply = await fixture.send('token', body, { 'Content-Type': type })
      expectError(t, fixture, reply, { name, expected, action: 'token.issue' })
      t.same(fixture.state(), before, name)
    }
    for (const query of [`?${right}`, '?x=1']) {
      const reply = await fixture.send(`token${query}`, right, FORM)
      const expected = { name: query, expected: '400 invalid_request', action: 'token.issue' }
      expectError(t, fixture, reply, expected)
      t.same(fixture.state(), before, query)
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const reply = await fetch(`${fixture.issuer}/token`, { method })
      t.equal(reply.status, 405, method)
      t.equal(reply.headers.get('allow'), 'POST, OPTIONS')
    }
    t.same(fixture.state(), before)
    const charset = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }
    t.equal((await fixture.send('token', right, charset)).status, 200)
  }),
)

test(
  'a foreign or expired refresh token, or too wide a scope, is refused',
  overFixtures(async (t, fixture) => {
    const tokens = await fixture.newTokens({ scope: 'accounts:read' })
    const refreshToken = tokens['refresh_token']
    const other = (await fixture.newClient()).client.id
    const before = fixture.state()
    const invalid = '400 invalid_grant'
    const cases: Readonly<
      Record<string, readonly [token: unknown, wrong: Parameters, expected: string]>
    > = {
      'no token': ['', {}, '400 invalid_request'],
      'an unknown token': [createSecret('rt-'), {}, invalid],
      'the access token': [tokens['access_token'], {}, invalid],
      'of another client': [refreshToken, { client_id: other }, invalid],
      'a scope that was not consented to': [
        refreshToken,
        { scope: 'accounts:read transactions:read' },
        '400 invalid_scope',
      ],
      'an unknown scope': [refreshToken, { scope: 'offline_access' }, '400 invalid_scope'],
      'a foreign resource': [refreshToken, { resource: 'https://x.org' }, '400 invalid_target'],
      'a public client with a secret': [
        refreshToken,
        { client_secret: 'cs-1' },
        '401 invalid_client',
      ],
    }
    for (const [name, [token, wrong, expected]] of Object.entries(cases)) {
      const reply = await fixture.refresh(token, wrong)
      expectError(t, fixture, reply, { name, expected, action: 'token.refresh' })
      t.same(fixture.state(), before, `${name}: nothing has changed`)
    }
    t.equal(await fixture.readStatus(refreshToken), 401, 'a refresh token opens nothing')
    fixture.service.nowMs += fixture.integration.refreshMs
    const late = await fixture.refresh(refreshToken)
    expectError(t, fixture, late, { name: 'too old', expected: invalid, action: 'token.refresh' })
    t.same(fixture.state(), before)
  }),
)

test(
  'a token of one integration is unknown to another issuer, for any client',
  overFixtures(async (t, fixture) => {
    const code = await fixture.newCode()
    const tokens = await fixture.newTokens()
    const other = await fixture.newIntegration()
    const client_id = (await fixture.newClient({ integrationId: other.id })).client.id
    const url = `${fixture.url}/v1/w/oauth2/${other.id}`
    const send = async (endpoint: string, form: Parameters): Promise<unknown> => {
      const body = formOf(form)
      const reply = await fetch(`${url}/${endpoint}`, { method: 'POST', headers: FORM, body })
      const text = await reply.text()
      return (JSON.parse(text) as { error?: string }).error ?? reply.status
    }
    const refresh = {
      ...{ grant_type: 'refresh_token', refresh_token: `${tokens['refresh_token']}` },
    }
    t.equal(await send('token', { ...refresh, client_id }), 'invalid_grant')
    t.equal(
      await send('token', { ...refresh, client_id: fixture.publicClient.client.id }),
      'invalid_client',
    )
    t.equal(await send('token', codeForm(fixture, code, { client_id })), 'invalid_grant')
    t.equal(await send('revoke', { token: `${tokens['access_token']}`, client_id }), 200)
    t.equal(
      await fixture.readStatus(tokens['access_token']),
      200,
      'another client cannot revoke it',
    )
    t.equal((await fixture.refresh(tokens['refresh_token'])).status, 200)
  }),
)
