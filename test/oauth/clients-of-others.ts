// Whole flows with client libraries of other authors, which validate metadata, state, iss and token
// answers.
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { type Test, test } from 'tap'
import type { CreatedClient } from '../../src/admin/clients.js'
import { type OAuthFixture, overFixtures, REDIRECT_URI } from '../fixtures/oauth-fixture.js'
import { PageVisitor } from '../fixtures/page-visitor.js'

// openid-client takes the redirect URI from the callback, without any query.
const PLAIN_URI = 'https://app.example.org/callback'

// The service under test speaks http on loopback.
const INSECURE = { [oauth.allowInsecureRequests]: true }

/** The callback of a request, or the answer of a denied one. */
async function decided(fixture: OAuthFixture, url: URL, action: 'allow' | 'deny'): Promise<URL> {
  const visitor = await fixture.signedIn()
  return PageVisitor.target(await visitor.submit(await visitor.get(url.href), { action }))
}

function readStatusIn(fixture: OAuthFixture): number {
  return fixture.integration.kind === 'oauth2' ? 200 : 401
}

async function flowOfOauth4webapi(t: Test, fixture: OAuthFixture, created: CreatedClient) {
  const issuer = new URL(fixture.issuer)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client: oauth.Client = { client_id: created.client.id }
  const authentication =
    created.secret === undefined ? oauth.None() : oauth.ClientSecretPost(created.secret)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: client.client_id, redirect_uri: REDIRECT_URI, state },
    ...{ scope: 'accounts:read', resource: fixture.resource, code_challenge_method: 'S256' },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString()
  const callback = await decided(fixture, url, 'allow')
  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const exchanged = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, parameters, REDIRECT_URI, verifier] as const),
      { ...INSECURE, additionalParameters: { resource: fixture.resource } },
    ),
  )
  t.equal(exchanged.scope, 'accounts:read')
  t.equal(await fixture.readStatus(exchanged.access_token), readStatusIn(fixture))
  const request = async (token: string | undefined): Promise<oauth.TokenEndpointResponse> => {
    const answer = await oauth.refreshTokenGrantRequest(
      ...([server, client, authentication, token ?? ''] as const),
      INSECURE,
    )
    return oauth.processRefreshTokenResponse(server, client, answer)
  }
  const refreshed = await request(exchanged.refresh_token)
  t.equal(await fixture.readStatus(exchanged.access_token), 401)
  t.equal(await fixture.readStatus(refreshed.access_token), readStatusIn(fixture))
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(
      ...([server, client, authentication, refreshed.access_token] as const),
      INSECURE,
    ),
  )
  t.equal(await fixture.readStatus(refreshed.access_token), 401)
  const refused: unknown = await request(refreshed.refresh_token).catch((error: unknown) => error)
  t.match(refused, { error: 'invalid_grant', status: 400 })
  const denied = await decided(fixture, url, 'deny')
  t.throws(() => oauth.validateAuthResponse(server, client, denied, state), {
    name: 'AuthorizationResponseError',
  })
  t.equal(denied.searchParams.get('error'), 'access_denied')
  const other = new URL(callback)
  other.searchParams.set('iss', `${fixture.issuer}x`)
  t.throws(() => oauth.validateAuthResponse(server, client, other, state))
}

async function flowOfOpenidClient(t: Test, fixture: OAuthFixture, created: CreatedClient) {
  const { client, secret } = created
  const authentication = secret === undefined ? openid.None() : openid.ClientSecretPost(secret)
  const server = await openid.discovery(
    ...([new URL(fixture.issuer), client.id, undefined, authentication] as const),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const url = openid.buildAuthorizationUrl(server, {
    ...{ redirect_uri: PLAIN_URI, scope: 'transactions:read', state: expectedState },
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const callback = await decided(fixture, url, 'allow')
  const checks = { pkceCodeVerifier, expectedState }
  const tokens = await openid.authorizationCodeGrant(server, callback, checks)
  t.equal(tokens.scope, 'transactions:read')
  const path = '/v1/w/transactions'
  t.equal(await fixture.readStatus(tokens.access_token, path), readStatusIn(fixture))
  const refreshed = await openid.refreshTokenGrant(server, tokens.refresh_token ?? '')
  t.equal(await fixture.readStatus(refreshed.access_token, path), readStatusIn(fixture))
  await openid.tokenRevocation(server, refreshed.refresh_token ?? '')
  t.equal(await fixture.readStatus(refreshed.access_token, path), 401)
  const refused: unknown = await openid
    .refreshTokenGrant(server, refreshed.refresh_token ?? '')
    .catch((error: unknown) => error)
  t.match(refused, { error: 'invalid_grant', status: 400 })
}

for (const kind of ['oauth2', 'mcp'] as const) {
  test(
    `oauth4webapi completes the flow, public and confidential, with an ${kind} integration`,
    overFixtures(
      async (t, fixture) => {
        await flowOfOauth4webapi(t, fixture, fixture.publicClient)
        await flowOfOauth4webapi(t, fixture, fixture.confidentialClient)
      },
      { integration: { kind } },
    ),
  )

  test(
    `openid-client completes the flow, public and confidential, with an ${kind} integration`,
    overFixtures(
      async (t, fixture) => {
        const redirectUris = [PLAIN_URI]
        await flowOfOpenidClient(t, fixture, await fixture.newClient({ redirectUris }))
        const confidential = await fixture.newClient({ redirectUris, type: 'confidential' })
        await flowOfOpenidClient(t, fixture, confidential)
      },
      { integration: { kind } },
    ),
  )
}

test(
  'a client registered by oauth4webapi completes the flow',
  overFixtures(
    async (t, fixture) => {
      const issuer = new URL(fixture.issuer)
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
      )
      for (const method of ['none', 'client_secret_post']) {
        const registered = await oauth.processDynamicClientRegistrationResponse(
          await oauth.dynamicClientRegistrationRequest(
            server,
            { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: method },
            INSECURE,
          ),
        )
        t.equal(registered['token_endpoint_auth_method'], method)
        const { client_id: id, client_secret: secret } = registered
        const { client } = fixture.publicClient
        await flowOfOauth4webapi(t, fixture, {
          client: { ...client, id },
          secret: secret === undefined ? undefined : String(secret),
        })
      }
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)
