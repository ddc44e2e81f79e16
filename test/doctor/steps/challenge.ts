import { test } from 'tap'
import type { PassingAnswer, Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'

const isAsked = (path: string): boolean => /\/key\/scope$|\/mcp\/[^/]+$/.test(path)

/** Changes the answers of endpoints that need a credential. */
function spoiled(change: (answer: PassingAnswer) => void): { readonly spoiling: Spoiling } {
  const answer: Spoiling['answer'] = (passing, { path }) => {
    if (isAsked(path)) change(passing)
  }
  return { spoiling: { answer } }
}

for (const kind of ['oauth2', 'mcp'] as const) {
  test(`the challenge of ${kind} has to arrive`, async (t) => {
    const doctor = await DoctorFixture.open(t, { integration: { kind } })
    const stripped = await doctor.findings(
      spoiled(({ headers }) => {
        delete headers['www-authenticate']
      }),
    )
    t.match(stripped['challenge'], {
      outcome: 'failed',
      observed: '401 without WWW-Authenticate',
      fix: /forward WWW-Authenticate/,
    })
    const basic = await doctor.findings(
      spoiled((answer) => {
        answer.headers = { 'www-authenticate': 'Basic realm="intranet"' }
      }),
    )
    t.match(basic['challenge'], { outcome: 'failed', fix: /requires its own credential/ })
    const open = await doctor.findings(
      spoiled((answer) => {
        answer.status = 200
      }),
    )
    t.match(open['challenge'], { outcome: 'failed', fix: /adds to every request/ })
    const lost = await doctor.findings(
      spoiled((answer) => Object.assign(answer, { status: 404, headers: {}, body: 'lost' })),
    )
    t.match(lost['challenge'], {
      outcome: 'failed',
      observed: /^404 lost/,
      fix: /configure the proxy to forward/,
    })
  })
}

test('the challenge of an MCP endpoint names its metadata under the public URL', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: { kind: 'mcp' } })
  const { challenge } = await doctor.findings()
  const place = `/v1/w/mcp/${doctor.fixture.integration.id}`
  const url = `${doctor.front.url}/.well-known/oauth-protected-resource${place}`
  t.match(challenge, { outcome: 'ok', observed: `resource_metadata="${url}"` })
  const rewritten = spoiled(({ headers }) => {
    const field = headers['www-authenticate'] ?? ''
    headers['www-authenticate'] = field.replace('="http://127.0.0.1', '="http://kontor')
  })
  t.match((await doctor.findings(rewritten))['challenge'], {
    outcome: 'failed',
    observed: /its host is kontor instead of 127\.0\.0\.1/,
    fix: /Start the server with the base URL/,
  })
})
