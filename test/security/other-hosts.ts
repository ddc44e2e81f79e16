// A page of another site whose name resolves to 127.0.0.1 (DNS rebinding): its requests come from
// this machine's own browser, under that name. Regression: the service showed the sign-in form and
// accepted a sign-in.
import { test } from 'tap'
import { serveMetrics } from '../../src/metrics/metrics-server.js'
import { ask, errorOf, type Rig, rigs, type WireReply } from '../fixtures/http-rig.js'
import { OAuthFixture } from '../fixtures/oauth-fixture.js'
import { hiddenFieldsOf } from '../fixtures/page-visitor.js'

const EVIL = 'evil.example'

async function fixtureOf(
  t: Parameters<typeof OAuthFixture.open>[0],
  rig: Rig,
): Promise<OAuthFixture> {
  return OAuthFixture.open(t, rig, { service: { loopbackHost: '127.0.0.1' } })
}

function get(port: number, host: string, path: string, fields = ''): Promise<WireReply> {
  return ask(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`)
}

for (const rig of rigs) {
  test(`${rig.name}: a page under another name gets nothing from a loopback service`, async (t) => {
    const fixture = await fixtureOf(t, rig)
    const { port } = fixture.service.client
    const { key } = await fixture.service.newKey('w')
    const issuer = new URL(fixture.issuer).pathname
    const authorize = new URL(fixture.authorizeUrl())
    const paths = [
      ...['/dashboard', '/dashboard/sign-in', '/docs', '/openapi.json', '/', '/nothing'],
      ...['/v1/w/accounts', '/v1/w/transactions?query=miete', '/v1/w/transactions/match?query=1'],
      authorize.pathname + authorize.search,
      `/.well-known/oauth-authorization-server${issuer}`,
    ]
    for (const path of paths) {
      for (const host of [EVIL, `${EVIL}:${port}`, `localhost.${EVIL}`]) {
        const fields = `Origin: http://${host}\r\nAuthorization: Bearer ${key}\r\n`
        const reply = await get(port, host, path, fields)
        t.equal(reply.status, 421, `${host} ${path}`)
        t.equal(errorOf(reply).error, 'misdirected')
        t.notOk(reply.names.includes('set-cookie'))
        t.notOk(reply.names.includes('access-control-allow-origin'))
      }
    }
  })

  test(`${rig.name}: sign-in under another name is refused`, async (t) => {
    const fixture = await fixtureOf(t, rig)
    const { port } = fixture.service.client
    const page = await get(port, `127.0.0.1:${port}`, '/dashboard')
    const cookie = /^[^;]*/.exec(page.fields['set-cookie'] ?? '')?.[0]
    const url = `http://127.0.0.1:${port}/dashboard`
    const text = page.body.toString()
    const hidden = hiddenFieldsOf({ url, status: 200, headers: new Headers(), text })
    t.ok(cookie, 'an honest browser gets the form')
    const typed = { ...hidden, name: 'ada', password: 'correct horse', action: 'sign-in' }
    const body = new URLSearchParams(typed).toString()
    const post = (host: string): Promise<WireReply> => {
      const fields = [
        `POST /dashboard HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}`,
        `Cookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded`,
        `Content-Length: ${body.length}\r\n\r\n${body}`,
      ]
      return ask(port, fields.join('\r\n'), 'POST')
    }
    const evil = await post(EVIL)
    t.equal(evil.status, 421)
    t.notOk(evil.names.includes('set-cookie'))
    const honest = await post(`127.0.0.1:${port}`)
    t.equal(honest.status, 303, 'the same form is accepted under a right name')
  })

  test(`${rig.name}: right names and probes are answered as before`, async (t) => {
    const fixture = await fixtureOf(t, rig)
    const { port } = fixture.service.client
    const { key } = await fixture.service.newKey('w')
    const baseHost = new URL(fixture.issuer).host
    for (const name of ['localhost', '127.0.0.1', '[::1]', '127.0.0.2']) {
      for (const host of [name, `${name}:${port}`, `${name}:9999`, baseHost]) {
        const fields = `Authorization: Bearer ${key}\r\n`
        t.equal((await get(port, host, '/v1/w/accounts', fields)).status, 200, host)
        t.equal((await get(port, host, '/dashboard')).status, 200, host)
        t.equal((await get(port, host, '/openapi.json')).status, 200, host)
      }
    }
    for (const path of ['/livez', '/readyz']) t.equal((await get(port, EVIL, path)).status, 200)
  })

  test(`${rig.name}: a service that others can reach answers under any name`, async (t) => {
    const fixture = await OAuthFixture.open(t, rig)
    const { port } = fixture.service.client
    t.equal((await get(port, EVIL, '/dashboard')).status, 200)
  })
}

test('metrics on loopback are served under loopback names only', async (t) => {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  const { service } = await fixtureOf(t, rig)
  const { metricSources } = service.service
  const onFault = (error: unknown): void => void t.fail(String(error))
  const build = { version: '1', engine: () => 'node' }
  const server = await serveMetrics({ host: '127.0.0.1', port: 0, metricSources, build, onFault })
  t.teardown(() => server.stop())
  t.equal((await get(server.port, EVIL, '/metrics')).status, 421)
  t.equal((await get(server.port, `localhost:${server.port}`, '/metrics')).status, 200)
})
