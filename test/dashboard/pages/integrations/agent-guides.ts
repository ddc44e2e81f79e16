import { test } from 'tap'
import { redirectUrisFault } from '../../../../src/auth/redirect-uri.js'
import { agentGuides } from '../../../../src/dashboard/pages/integrations/agent-guides.js'

const ENDPOINT = 'https://bank.example.org/v1/w/mcp/abc'

test('texts to paste name the exact endpoint and are valid in their language', async (t) => {
  for (const { name, snippet } of agentGuides(ENDPOINT)) {
    if (snippet === undefined) continue
    t.match(snippet.code, ENDPOINT, name)
    t.notMatch(snippet.code, `${ENDPOINT}/`)
    if (snippet.label !== 'shell') t.ok(JSON.parse(snippet.code), name)
  }
})

test('mcp-remote gets the endpoint and a key in one command', async (t) => {
  const guide = agentGuides(ENDPOINT).find(({ name }) => name.includes('mcp-remote'))
  const command = `npx mcp-remote ${ENDPOINT} --header 'Authorization: Bearer \${MCP_KEY}'`
  t.strictSame(guide?.snippet, { label: 'shell', code: command })
  const sentences = agentGuides(ENDPOINT).flatMap(({ steps }) => steps)
  t.ok(sentences.some((sentence) => sentence.includes('revision 2025-06-18 or newer')))
})

test('proposed redirect URIs are accepted', async (t) => {
  for (const { name, redirectUris } of agentGuides(ENDPOINT)) {
    if (redirectUris.length === 0) continue
    const fault = redirectUrisFault(redirectUris, {
      type: 'public',
      allowsAnyHost: false,
      isSelfRegistered: true,
    })
    t.equal(fault, undefined, name)
  }
})
