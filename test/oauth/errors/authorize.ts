// Every kind of invalid authorization request: the error, its recipient, and the absence of side
// effects.
import { type Test, test } from 'tap'
import { deactivateClient, deleteClient } from '../../../src/admin/clients.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { STATE_CHARS_MAX } from '../../../src/oauth/authorization-request.js'
import {
  answerOf,
  CHALLENGE,
  type OAuthFixture,
  overFixtures,
  type Parameters,
  REDIRECT_URI,
} from '../../fixtures/oauth-fixture.js'
import { PageVisitor, wordsOf } from '../../fixtures/page-visitor.js'

/** The error in a request; a text is appended to its query unchanged. */
type Wrong = Parameters | string

function urlOf(fixture: OAuthFixture, wrong: Wrong): string {
  return typeof wrong === 'string'
    ? `${fixture.authorizeUrl()}&${wrong}`
    : fixture.authorizeUrl(wrong)
}

/** Nothing is created, and the audit log has the refusal, for the page and for its form. */
async function expectRefused(
  t: Test,
  fixture: OAuthFixture,
  visitor: PageVisitor,
  { name, wrong, error }: { name: string; wrong: Wrong; error: string },
) {
  const before = fixture.state()
  const url = urlOf(fixture, wrong)
  const visits = [await visitor.get(url), await visitor.post(url, { action: 'allow' })]
  t.equal(fixture.lastAuditEvent(), `authorization.request refused ${error}`, name)
  t.same(fixture.state(), before, `${name}: nothing is created`)
  return visits
}

/** Refused with a page, because the redirect could lead to an attacker. */
const UNANSWERABLE: Readonly<Record<string, readonly [wrong: Wrong, error: string]>> = {
  'no client_id': [{ client_id: undefined }, 'invalid_request'],
  'an empty client_id': [{ client_id: '' }, 'invalid_request'],
  'an unknown client_id': [{ client_id: 'unknown' }, 'invalid_client'],
  'a client_id sent twice': ['client_id=other', 'invalid_request'],
  'a client_id that is not UTF-8': ['client_id=%ff', 'invalid_request'],
  'a client_id with NUL': [{ client_id: 'a\0b' }, 'invalid_request'],
  'no redirect_uri': [{ redirect_uri: undefined }, 'invalid_request'],
  'a redirect_uri sent twice': [
    `redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
    'invalid_request',
  ],
  'a redirect_uri that is not UTF-8': ['redirect_uri=%c3', 'invalid_request'],
}

/** Redirect URIs other than the registered one. */
const OTHER_URIS = [
  'https://evil.example.org/callback?from=kontor',
  'https://app.example.org.evil.org/callback?from=kontor',
  'https://app.example.org@evil.org/callback?from=kontor',
  'https://app.example.org/callback/?from=kontor',
  'https://app.example.org/callback',
  'https://app.example.org/callback?from=kontor&x=1',
  'https://app.example.org/callback?from=kontor#x',
  'https://app.example.org/callback?from=konto',
  'https://app.example.org/callback/../callback?from=kontor',
  'https://app.example.org:443/callback?from=kontor',
  'https://APP.example.org/callback?from=kontor',
  'http://app.example.org/callback?from=kontor',
  'https://sub.app.example.org/callback?from=kontor',
  'https://app.example.org/%63allback?from=kontor',
  ' https://app.example.org/callback?from=kontor',
  'https://app.example.org/callback?from=kontor\r\nX: y',
  'javascript:alert(1)',
  '//app.example.org/callback?from=kontor',
  '/callback',
]

/** Refused with a redirect to the client. */
const REFUSED: Readonly<Record<string, readonly [wrong: Wrong, error: string]>> = {
  'no response_type': [{ response_type: undefined }, 'invalid_request'],
  'response_type token': [{ response_type: 'token' }, 'unsupported_response_type'],
  'response_type code token': [{ response_type: 'code token' }, 'unsupported_response_type'],
  'response_type twice': ['response_type=code', 'invalid_request'],
  'no code_challenge': [{ code_challenge: undefined }, 'invalid_request'],
  'a short code_challenge': [{ code_challenge: CHALLENGE.slice(1) }, 'invalid_request'],
  'a padded code_challenge': [{ code_challenge: `${CHALLENGE}=` }, 'invalid_request'],
  'a code_challenge twice': [`code_challenge=${CHALLENGE}`, 'invalid_request'],
  'no code_challenge_method': [{ code_challenge_method: undefined }, 'invalid_request'],
  'method plain': [{ code_challenge_method: 'plain' }, 'invalid_request'],
  'method s256': [{ code_challenge_method: 's256' }, 'invalid_request'],
  'no PKCE at all': [
    { code_challenge: undefined, code_challenge_method: undefined },
    'invalid_request',
  ],
  'an unknown scope': [{ scope: 'accounts:write' }, 'invalid_scope'],
  'a further scope': [{ scope: 'accounts:read offline_access' }, 'invalid_scope'],
  'scopes with two spaces': [{ scope: 'accounts:read  transactions:read' }, 'invalid_scope'],
  'a scope of spaces': [{ scope: ' ' }, 'invalid_scope'],
  'scope twice': ['scope=accounts:read', 'invalid_request'],
  'a foreign resource': [{ resource: 'https://other.example.org/v1/w' }, 'invalid_target'],
  'the resource of another workspace': ['resource=http://127.0.0.1/v1/w2', 'invalid_target'],
  'a resource that is no URL': [{ resource: 'w' }, 'invalid_target'],
  'a request object': [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  'a request_uri': [
    { request_uri: 'https://app.example.org/request' },
    'request_uri_not_supported',
  ],
  'response_mode fragment': [{ response_mode: 'fragment' }, 'invalid_request'],
  'response_mode form_post': [{ response_mode: 'form_post' }, 'invalid_request'],
  'an unknown parameter twice': ['x=1&x=1', 'invalid_request'],
  'a parameter that is not UTF-8': ['x=%ff', 'invalid_request'],
  'half an escape': ['x=%4', 'invalid_request'],
  'a name that is not UTF-8': ['%ff=1', 'invalid_request'],
  'NUL in a parameter': [{ x: 'a\0' }, 'invalid_request'],
}

test(
  'a request with a doubtful client or redirect_uri gets a page, never a redirect',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const visitor = await fixture.signedIn()
    const inactive = (await fixture.newClient()).client.id
    await deactivateClient({ control, nowMs: 0, actor: CLI_ACTOR }, inactive)
    const deleted = (await fixture.newClient()).client.id
    await deleteClient({ control, nowMs: 0, actor: CLI_ACTOR }, deleted)
    const foreign = (
      await fixture.newClient({ integrationId: (await fixture.newIntegration()).id })
    ).client.id
    const cases: Readonly<Record<string, readonly [Wrong, string]>> = {
      ...UNANSWERABLE,
      'an inactive client': [{ client_id: inactive }, 'invalid_client'],
      'a deleted client': [{ client_id: deleted }, 'invalid_client'],
      'a client of another integration': [{ client_id: foreign }, 'invalid_client'],
      ...Object.fromEntries(
        OTHER_URIS.map((uri) => [uri, [{ redirect_uri: uri }, 'invalid_request']] as const),
      ),
    }
    for (const [name, [wrong, error]] of Object.entries(cases)) {
      for (const visit of await expectRefused(t, fixture, visitor, { name, wrong, error })) {
        t.equal(visit.status, 400, name)
        t.equal(visit.headers.get('location'), null, name)
        t.match(visit.headers.get('content-type'), 'text/html', name)
        t.match(wordsOf(visit), new RegExp(`${error}$`), name)
      }
    }
  }),
)

test(
  'every other error is sent to the client, with state and iss',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    for (const [name, [wrong, error]] of Object.entries(REFUSED)) {
      for (const visit of await expectRefused(t, fixture, visitor, { name, wrong, error })) {
        const { error_description = '', ...answer } = answerOf(visit)
        t.same(answer, { from: 'kontor', error, state: 'st at/e', iss: fixture.issuer }, name)
        t.match(error_description, /^[ !#-[\]-~]+\.$/, `${name}: a sentence by RFC 6749`)
        t.ok(visit.headers.get('location')?.startsWith(`${REDIRECT_URI}&`), name)
        t.equal(visit.headers.get('referrer-policy'), 'no-referrer', name)
      }
    }
  }),
)

test(
  'a repeated or overlong state is not sent back',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const tooLong = { state: 'x'.repeat(STATE_CHARS_MAX + 1) }
    for (const wrong of ['state=other', tooLong, 'state=%00', 'state=%ff']) {
      const asked = { name: `${Object.values(wrong)[0]}`, wrong, error: 'invalid_request' }
      for (const visit of await expectRefused(t, fixture, visitor, asked)) {
        const { error_description, ...answer } = answerOf(visit)
        t.same(answer, { from: 'kontor', error: 'invalid_request', iss: fixture.issuer })
      }
    }
    const answer = await fixture.allowed(visitor, { state: 'x'.repeat(STATE_CHARS_MAX) })
    t.equal(answer.searchParams.get('state')?.length, STATE_CHARS_MAX)
  }),
)

test(
  'prompt=none returns the required interaction',
  overFixtures(async (t, fixture) => {
    const cases = [
      [new PageVisitor(), 'login_required'],
      [await fixture.signedIn(), 'consent_required'],
    ] as const
    for (const [visitor, error] of cases) {
      const before = fixture.state()
      const visit = await visitor.get(fixture.authorizeUrl({ prompt: 'none' }))
      t.equal(answerOf(visit)['error'], error)
      t.equal(answerOf(visit)['iss'], fixture.issuer)
      t.equal(fixture.lastAuditEvent(), `authorization.request refused ${error}`)
      t.same(fixture.state(), before)
    }
  }),
)

test(
  'a scope that only client or integration permits is refused',
  overFixtures(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const narrow = (await fixture.newClient({ scopes: ['accounts:read'] })).client.id
      const cases: readonly Parameters[] = [
        { client_id: narrow, scope: 'accounts:read transactions:read' },
        { client_id: narrow, scope: 'transactions:read' },
        { scope: 'transactions:read' },
      ]
      for (const wrong of cases) {
        const asked = { name: JSON.stringify(wrong), wrong, error: 'invalid_scope' }
        for (const visit of await expectRefused(t, fixture, visitor, asked)) {
          t.equal(answerOf(visit)['error'], 'invalid_scope')
        }
      }
      const without = await fixture.newTokens({ scope: undefined })
      t.equal(without['scope'], 'accounts:read', 'without scope: all that both permit')
      const nothing = (await fixture.newClient({ scopes: ['transactions:read'] })).client.id
      const wrong = { client_id: nothing, scope: undefined }
      const asked = { name: 'nothing in common', wrong, error: 'invalid_scope' }
      await expectRefused(t, fixture, visitor, asked)
    },
    { integration: { scopes: ['accounts:read'] } },
  ),
)

test(
  'the methods are GET, HEAD and POST of a form',
  overFixtures(async (t, fixture) => {
    const url = fixture.authorizeUrl()
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const reply = await fetch(url, { method })
      t.equal(reply.status, 405, method)
      t.equal(reply.headers.get('allow'), 'GET, HEAD, POST')
      t.equal(reply.headers.get('access-control-allow-origin'), null)
    }
    const head = await fetch(url, { method: 'HEAD' })
    t.equal(head.status, 200)
    const before = fixture.state()
    const bodies = [
      ['application/json', '{}', 415],
      ['application/x-www-form-urlencoded', `action=${'x'.repeat(20_000)}`, 413],
    ] as const
    for (const [type, body, status] of bodies) {
      const reply = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } })
      t.equal(reply.status, status)
      t.match(await reply.text(), 'invalid_request')
      t.equal(fixture.lastAuditEvent(), 'authorization.request refused invalid_request')
    }
    t.same(fixture.state(), before)
  }),
)
