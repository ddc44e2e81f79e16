// Whole flows by client libraries that others wrote, which check what they are told: metadata,
// state, iss, token answers.
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { type Test, test } from 'tap'
import type { CreatedClient } from '../../src/auth/clients.js'
import { type OAuthDesk, overDesks, REDIRECT_URI } from '../fixtures/oauth-desk.js'
import { PageVisitor } from '../fixtures/page-visitor.js'

// openid-client takes the redirect URI from the callback, without any query.
const PLAIN_URI = 'https://app.example.org/callback'

// The service under test speaks http on loopback.
const INSECURE = { [oauth.allowInsecureRequests]: true }

/** The callback that a request leads to, or the answer of one that is denied. */
async function decided(desk: OAuthDesk, url: URL, action: 'allow' | 'deny'): Promise<URL> {
  const visitor = await desk.signedIn()
  return PageVisitor.target(await visitor.submit(await visitor.get(url.href), { action }))
}

function readStatusIn(desk: OAuthDesk): number {
  return desk.integration.kind === 'oauth2' ? 200 : 401
}

async function flowOfOauth4webapi(t: Test, desk: OAuthDesk, created: CreatedClient) {
  const issuer = new URL(desk.issuer)
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
    ...{ scope: 'accounts:read', resource: desk.resource, code_challenge_method: 'S256' },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString()
  const callback = await decided(desk, url, 'allow')
  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const exchanged = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, parameters, REDIRECT_URI, verifier] as const),
      { ...INSECURE, additionalParameters: { resource: desk.resource } },
    ),
  )
  t.equal(exchanged.scope, 'accounts:read')
  t.equal(await desk.readStatus(exchanged.access_token), readStatusIn(desk))
  const request = async (token: string | undefined): Promise<oauth.TokenEndpointResponse> => {
    const answer = await oauth.refreshTokenGrantRequest(
      ...([server, client, authentication, token ?? ''] as const),
      INSECURE,
    )
    return oauth.processRefreshTokenResponse(server, client, answer)
  }
  const refreshed = await request(exchanged.refresh_token)
  t.equal(await desk.readStatus(exchanged.access_token), 401)
  t.equal(await desk.readStatus(refreshed.access_token), readStatusIn(desk))
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(
      ...([server, client, authentication, refreshed.access_token] as const),
      INSECURE,
    ),
  )
  t.equal(await desk.readStatus(refreshed.access_token), 401)
  const refused: unknown = await request(refreshed.refresh_token).catch((error: unknown) => error)
  t.match(refused, { error: 'invalid_grant', status: 400 })
  const denied = await decided(desk, url, 'deny')
  t.throws(() => oauth.validateAuthResponse(server, client, denied, state), {
    name: 'AuthorizationResponseError',
  })
  t.equal(denied.searchParams.get('error'), 'access_denied')
  const other = new URL(callback)
  other.searchParams.set('iss', `${desk.issuer}x`)
  t.throws(() => oauth.validateAuthResponse(server, client, other, state))
}

async function flowOfOpenidClient(t: Test, desk: OAuthDesk, created: CreatedClient) {
  const { client, secret } = created
  const authentication = secret === undefined ? openid.None() : openid.ClientSecretPost(secret)
  const server = await openid.discovery(
    ...([new URL(desk.issuer), client.id, undefined, authentication] as const),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const url = openid.buildAuthorizationUrl(server, {
    ...{ redirect_uri: PLAIN_URI, scope: 'transactions:read', state: expectedState },
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const callback = await decided(desk, url, 'allow')
  const checks = { pkceCodeVerifier, expectedState }
  const tokens = await openid.authorizationCodeGrant(server, callback, checks)
  t.equal(tokens.scope, 'transactions:read')
  const path = '/v1/w/transactions'
  t.equal(await desk.readStatus(tokens.access_token, path), readStatusIn(desk))
  const refreshed = await openid.refreshTokenGrant(server, tokens.refresh_token ?? '')
  t.equal(await desk.readStatus(refreshed.access_token, path), readStatusIn(desk))
  await openid.tokenRevocation(server, refreshed.refresh_token ?? '')
  t.equal(await desk.readStatus(refreshed.access_token, path), 401)
  const refused: unknown = await openid
    .refreshTokenGrant(server, refreshed.refresh_token ?? '')
    .catch((error: unknown) => error)
  t.match(refused, { error: 'invalid_grant', status: 400 })
}

for (const kind of ['oauth2', 'mcp'] as const) {
  test(
    `oauth4webapi gets through, public and confidential, with an ${kind} integration`,
    overDesks(
      async (t, desk) => {
        await flowOfOauth4webapi(t, desk, desk.publicClient)
        await flowOfOauth4webapi(t, desk, desk.confidentialClient)
      },
      { integration: { kind } },
    ),
  )

  test(
    `openid-client gets through, public and confidential, with an ${kind} integration`,
    overDesks(
      async (t, desk) => {
        const redirectUris = [PLAIN_URI]
        await flowOfOpenidClient(t, desk, desk.newClient({ redirectUris }))
        const confidential = desk.newClient({ redirectUris, type: 'confidential' })
        await flowOfOpenidClient(t, desk, confidential)
      },
      { integration: { kind } },
    ),
  )
}

test(
  'a client that oauth4webapi registers gets through',
  overDesks(
    async (t, desk) => {
      const issuer = new URL(desk.issuer)
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
        const { client } = desk.publicClient
        await flowOfOauth4webapi(t, desk, {
          client: { ...client, id },
          secret: secret === undefined ? undefined : String(secret),
        })
      }
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)
