import { test } from 'tap'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

const MCP = { integration: { kind: 'mcp', letsRegister: true } } as const

const REWRITES: readonly (readonly [from: RegExp, to: string, observed: RegExp])[] = [
  [/("issuer":"[^"]*)"/, '$1/"', /^issuer is .*: it has a trailing slash$/],
  [
    /("token_endpoint":")http/,
    '$1https',
    /^token_endpoint is .*: its scheme is https instead of http$/,
  ],
  [/"registration_endpoint"/, '"other"', /^registration_endpoint is undefined: it is missing$/],
  [/"S256"/, '"plain"', /^code_challenge_methods_supported does not include S256$/],
]

test('every member that clients rely on has to be right', async (t) => {
  const doctor = await DoctorFixture.open(t, MCP)
  for (const [from, to, observed] of REWRITES) {
    const answer: Spoiling['answer'] = (passing, { path }) => {
      if (path.includes('/.well-known/o')) passing.body = passing.body.replace(from, to)
    }
    const findings = await doctor.findings({ spoiling: { answer } })
    t.match(findings['issuer-metadata'], { outcome: 'failed', observed, fix: /--base-url http:/ })
  }
})

const PLACES: Readonly<Record<string, RegExp>> = {
  'issuer-metadata': /^\/\.well-known\/oauth-authorization-server\//,
  'issuer-metadata-appended': /.\/\.well-known\/oauth-authorization-server$/,
  'openid-configuration': /^\/\.well-known\/openid-configuration\//,
  'openid-configuration-appended': /.\/\.well-known\/openid-configuration$/,
}

test('every path that clients use is requested', async (t) => {
  const doctor = await DoctorFixture.open(t, MCP)
  for (const [id, place] of Object.entries(PLACES)) {
    const request: Spoiling['request'] = ({ path }) =>
      place.test(path) ? { status: 404, headers: {}, body: '' } : undefined
    t.same(await doctor.faults({ spoiling: { request } }), [id])
  }
})
