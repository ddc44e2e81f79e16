import { test } from 'tap'
import { issuerUrl } from '../../src/auth/issuer-url.js'
import { issuerPathOf } from '../../src/oauth/issuer-path.js'

const REST = { workspaceId: 'w', kind: 'oauth2', integrationId: 'i-1_A' } as const
const MCP = { ...REST, kind: 'mcp' } as const

test('endpoints and all metadata paths are found', async (t) => {
  for (const named of [REST, MCP]) {
    const issuer = issuerUrl('', named)
    for (const endpoint of ['authorize', 'token', 'revoke', 'register']) {
      t.same(issuerPathOf(`${issuer}/${endpoint}`, ''), { ...named, endpoint, clientId: '' })
    }
    const registration = { ...named, endpoint: 'registration', clientId: 'c-1' }
    t.same(issuerPathOf(`${issuer}/register/c-1`, ''), registration)
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const expected = { ...named, endpoint: 'metadata', clientId: '' }
      t.same(issuerPathOf(`${issuer}/.well-known/${name}`, ''), expected)
      t.same(issuerPathOf(`/.well-known/${name}${issuer}`, ''), expected)
      t.same(issuerPathOf(`/.well-known/${name}${issuer}`, '/bank'), expected)
      t.same(issuerPathOf(`/.well-known/${name}/bank${issuer}`, '/bank'), expected)
      t.equal(issuerPathOf(`/.well-known/${name}/other${issuer}`, '/bank'), undefined)
      t.equal(issuerPathOf(`/.well-known/${name}/bank${issuer}`, ''), undefined)
    }
  }
})

test('the issuer metadata of an MCP endpoint is also found at the endpoint', async (t) => {
  const expected = { ...MCP, endpoint: 'metadata', clientId: '' }
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    t.same(issuerPathOf(`/v1/w/mcp/i-1_A/.well-known/${name}`, ''), expected)
    t.same(issuerPathOf(`/.well-known/${name}/v1/w/mcp/i-1_A`, ''), expected)
    t.same(issuerPathOf(`/.well-known/${name}/bank/v1/w/mcp/i-1_A`, '/bank'), expected)
  }
  t.equal(issuerPathOf('/v1/w/mcp/i-1_A/.well-known/oauth-protected-resource', ''), undefined)
})

test('every other path is unknown', async (t) => {
  const others = [
    '/',
    '/oauth2',
    '/v1/w/transactions',
    '/v1/w/accounts/oauth2',
    '/v1/w/oauth2/i',
    '/v1/w/oauth2/i/',
    '/v1/w/oauth2//token',
    '/v1//oauth2/i/token',
    '/v1/w/oauth2/i/token/',
    '/v1/w/oauth2/i/Token',
    '/v1/w/oauth2/i/tokens',
    '/v1/w/oauth2/i/%74oken',
    '/v1/w/oauth2/i/token/../revoke',
    '/v1/w/oauth2/a.b/token',
    `/v1/w/oauth2/${'i'.repeat(129)}/token`,
    '/v1/w/mcp/i/token',
    '/v1/w/mcp/i/register/c',
    '/v1/w/oauth2/i/register/',
    '/v1/w/oauth2/i/register/c/d',
    '/v1/w/oauth2/i/token/c',
    '/v1/w/oauth2/i/.well-known/token',
    '/v1/w/mcp/i/oauth2',
    '/v1/w/oauth2/i/oauth2/token',
    '/v2/w/oauth2/i/token',
    '/x/v1/w/oauth2/i/token',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/v1/w/oauth2/i/',
    '/.well-known/oauth-authorization-server/v1/w/oauth2/i/token',
    '/.well-known/oauth-protected-resource/v1/w/oauth2/i',
    '/.well-known/jwks.json/v1/w/oauth2/i',
  ]
  for (const path of others) t.equal(issuerPathOf(path, ''), undefined, path)
})
