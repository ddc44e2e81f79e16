import { test } from 'tap'
import { issuerUrl, resourceMetadataUrl, resourceUrl } from '../../src/auth/issuer-url.js'

const REST = { workspaceId: 'w', kind: 'oauth2', integrationId: 'i-1_A' } as const
const MCP = { ...REST, kind: 'mcp' } as const

test('the URLs of issuers and resources follow the contract', async (t) => {
  t.equal(issuerUrl('https://b.example.org', REST), 'https://b.example.org/v1/w/oauth2/i-1_A')
  t.equal(issuerUrl('https://b.example.org', MCP), 'https://b.example.org/v1/w/mcp/i-1_A/oauth2')
  t.equal(resourceUrl('https://b.example.org', REST), 'https://b.example.org/v1/w')
  t.equal(resourceUrl('https://b.example.org', MCP), 'https://b.example.org/v1/w/mcp/i-1_A')
})

test('the metadata URL of a resource inserts the well-known path at the origin', async (t) => {
  const url = resourceMetadataUrl('https://b.example.org:8443/kontor/v1/w/mcp/i')
  const path = '/.well-known/oauth-protected-resource/kontor/v1/w/mcp/i'
  t.equal(url, `https://b.example.org:8443${path}`)
})
