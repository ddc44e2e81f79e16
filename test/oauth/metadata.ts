import { type Test, test } from 'tap'
import { deactivateIntegration } from '../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { deleteWorkspaceFile } from '../../src/store/data-directory.js'
import { type OAuthFixture, overFixtures } from '../fixtures/oauth-fixture.js'

function metadataUrls({ url, issuer, resource, integration }: OAuthFixture): string[] {
  const places = integration.kind === 'mcp' ? [issuer, resource] : [issuer]
  return ['oauth-authorization-server', 'openid-configuration'].flatMap((name) =>
    places.flatMap((place) => [
      `${url}/.well-known/${name}${place.slice(url.length)}`,
      `${place}/.well-known/${name}`,
    ]),
  )
}

function expected({ issuer }: OAuthFixture): object {
  const methods = ['none', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    scopes_supported: ['accounts:read'],
    authorization_response_iss_parameter_supported: true,
  }
}

async function checkMetadata(t: Test, fixture: OAuthFixture, document: object): Promise<void> {
  for (const url of metadataUrls(fixture)) {
    const reply = await fetch(url)
    t.equal(reply.status, 200, url)
    t.equal(reply.headers.get('content-type'), 'application/json')
    t.equal(reply.headers.get('access-control-allow-origin'), '*')
    t.same(await reply.json(), document, url)
    const head = await fetch(url, { method: 'HEAD' })
    t.equal(head.status, 200)
    t.equal(await head.text(), '')
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fetch(url, { method })
      t.equal(refused.status, 405)
      t.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  }
}

test(
  'the metadata of an OAuth2 integration lists exactly what exists',
  overFixtures(
    async (t, fixture) => {
      await checkMetadata(t, fixture, expected(fixture))
      t.match(fixture.issuer, `${fixture.url}/v1/w/oauth2/`)
    },
    { integration: { scopes: ['accounts:read'] } },
  ),
)

test(
  'an MCP integration names its registration endpoint when clients may register',
  overFixtures(
    async (t, fixture) => {
      const document = { ...expected(fixture), registration_endpoint: `${fixture.issuer}/register` }
      await checkMetadata(t, fixture, document)
      t.equal(fixture.issuer, `${fixture.resource}/oauth2`)
    },
    { integration: { kind: 'mcp', letsRegister: true, scopes: ['accounts:read'] } },
  ),
)

test(
  'an MCP integration without registration omits it, and answers 404 there',
  overFixtures(
    async (t, fixture) => {
      await checkMetadata(t, fixture, expected(fixture))
      const reply = await fixture.send('register', '{}', { 'Content-Type': 'application/json' })
      t.equal(reply.status, 404)
    },
    { integration: { kind: 'mcp', scopes: ['accounts:read'] } },
  ),
)

test(
  'an unknown, inactive or mistaken integration is 404 on all its paths, all alike',
  overFixtures(async (t, fixture) => {
    const { control, directory } = fixture.service
    const bodies = new Set<string>()
    const expectNothing = async (issuer: string): Promise<void> => {
      const path = issuer.slice(fixture.url.length)
      const asked: (readonly [method: string, url: string])[] = [
        ['GET', `${fixture.url}/.well-known/oauth-authorization-server${path}`],
        ['GET', `${issuer}/.well-known/openid-configuration`],
        ['GET', `${issuer}/authorize`],
        ['POST', `${issuer}/authorize`],
        ['POST', `${issuer}/token`],
        ['POST', `${issuer}/revoke`],
        ['POST', `${issuer}/register`],
        ['DELETE', `${issuer}/token`],
        ['OPTIONS', `${issuer}/token`],
      ]
      for (const [method, url] of asked) {
        const reply = await fetch(url, { method })
        t.equal(reply.status, 404, `${method} ${url}`)
        bodies.add(await reply.text())
      }
    }
    await expectNothing(`${fixture.url}/v1/w/oauth2/unknown`)
    await expectNothing(`${fixture.url}/v1/other/oauth2/${fixture.integration.id}`)
    await expectNothing(`${fixture.url}/v1/w/mcp/${fixture.integration.id}/oauth2`)
    const inactive = await fixture.newIntegration()
    await deactivateIntegration({ control, nowMs: 0, actor: CLI_ACTOR }, inactive.id)
    await expectNothing(`${fixture.url}/v1/w/oauth2/${inactive.id}`)
    deleteWorkspaceFile(directory, 'w')
    await expectNothing(fixture.issuer)
    t.equal(bodies.size, 2, 'a page and an Error body')
  }),
)
