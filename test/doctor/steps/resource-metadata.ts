import { test } from 'tap'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

const MCP = { integration: { kind: 'mcp' } } as const

/** A proxy that changes the text of the metadata. */
function rewriting(from: RegExp, to: string): { readonly spoiling: Spoiling } {
  const answer: Spoiling['answer'] = (passing, { path }) => {
    if (path.includes('oauth-protected-resource')) passing.body = passing.body.replace(from, to)
  }
  return { spoiling: { answer } }
}

test('a fix names the path for a proxy that answers the root of the host itself', async (t) => {
  const doctor = await DoctorFixture.open(t, MCP)
  const request: Spoiling['request'] = ({ path }) =>
    path.startsWith('/.well-known/') ? { status: 404, headers: {}, body: 'no file' } : undefined
  const findings = await doctor.findings({ spoiling: { request } })
  t.match(findings['resource-metadata'], {
    outcome: 'failed',
    observed: /^404 no file/,
    fix: /forward \/\.well-known\/oauth-protected-resource\/v1\/w\/mcp\/.* at the root/,
  })
  t.match(findings['resource-metadata-appended'], { outcome: 'ok' })
  t.match(findings['issuer-metadata'], { outcome: 'failed', fix: /at the root of the host/ })
  t.match(findings['issuer-metadata-appended'], { outcome: 'ok' })
})

test('resource has to be the exact endpoint, and its issuer right', async (t) => {
  const doctor = await DoctorFixture.open(t, MCP)
  const slash = await doctor.findings(rewriting(/("resource":"[^"]*)"/, '$1/"'))
  t.match(slash['resource-metadata'], {
    outcome: 'failed',
    observed: /^resource is .*: it has a trailing slash$/,
    fix: /--base-url http:\/\/127/,
  })
  const issuer = await doctor.findings(rewriting(/"authorization_servers":\["/, '$&x'))
  t.match(issuer['resource-metadata'], {
    outcome: 'failed',
    observed: /^authorization_servers is \["xhttp/,
    fix: /^It must name http/,
  })
  const none = await doctor.findings(rewriting(/"authorization_servers"/, '"other"'))
  t.match(none['resource-metadata-appended'], { observed: 'authorization_servers is missing' })
  const page = await doctor.findings(rewriting(/^.*$/s, '<html>'))
  t.match(page['resource-metadata'], {
    outcome: 'failed',
    observed: /; 200 with JSON was expected$/,
  })
})
