import { test } from 'tap'
import { mcpPathOf } from '../../src/mcp/mcp-path.js'

const NAMED = { workspaceId: 'w-1', integrationId: 'i-1_A' }
const PATH = '/v1/w-1/mcp/i-1_A'
const METADATA = { ...NAMED, document: 'metadata' }

test('the endpoint and all its metadata paths are found', async (t) => {
  t.same(mcpPathOf(PATH, ''), { ...NAMED, document: 'endpoint' })
  t.same(mcpPathOf(PATH, '/bank'), { ...NAMED, document: 'endpoint' })
  const name = '/.well-known/oauth-protected-resource'
  t.same(mcpPathOf(`${PATH}${name}`, ''), METADATA)
  t.same(mcpPathOf(`${name}${PATH}`, ''), METADATA)
  t.same(mcpPathOf(`${name}${PATH}`, '/bank'), METADATA)
  t.same(mcpPathOf(`${name}/bank${PATH}`, '/bank'), METADATA)
  t.equal(mcpPathOf(`${name}/bank${PATH}`, ''), undefined)
  t.equal(mcpPathOf(`${name}/other${PATH}`, '/bank'), undefined)
})

test('every other path is unknown', async (t) => {
  const others = [
    '/mcp/',
    '/v1/w/mcp/',
    '/v1//mcp/i',
    '/v1/w/mcp/i/',
    '/v1/w/mcp/i/oauth2',
    '/v1/w/mcp/i/oauth2/token',
    '/v1/w/mcp/a.b',
    '/v1/w/mcp/%69',
    `/v1/w/mcp/${'i'.repeat(129)}`,
    '/v1/w/x/mcp/i',
    '/v2/w/mcp/i',
    '/x/v1/w/mcp/i',
    '/v1/w/oauth2/mcp/i',
    '/v1/w/transactions',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/v1/w/mcp/i/',
    '/.well-known/oauth-protected-resource/v1/w/oauth2/i',
    '/.well-known/oauth-authorization-server/v1/w/mcp/i',
  ]
  for (const path of others) t.equal(mcpPathOf(path, ''), undefined, path)
})
