import { test } from 'tap'
import { activateIntegration, deactivateIntegration } from '../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { requestText, settled, WireClient } from '../fixtures/http-rig.js'
import { formOf, overFixtures, REDIRECT_URI } from '../fixtures/oauth-fixture.js'
import { PageVisitor, wordsOf } from '../fixtures/page-visitor.js'

test(
  'a request with an unusual query encoding returns to itself after sign-in',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const url = `${fixture.authorizeUrl()}&ui_locales=de+en&x='"()*;/?:@`
    const page = await visitor.get(url)
    const back = await visitor.submit(page, {
      ...{ name: 'ada', password: 'correct horse', action: 'sign-in' },
    })
    const location = PageVisitor.target(back)
    t.equal(location.searchParams.get('x'), `'"()*;/?:@`)
    const consent = await visitor.get(location.href)
    t.match(wordsOf(consent), 'Allow a program to read bank data?')
    t.equal((await visitor.submit(consent, { action: 'allow' })).status, 303)
  }),
)

test(
  'unknown parameters are ignored, empty ones count as absent',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const answer = await fixture.allowed(visitor, {
      ...{ nonce: 'x', prompt: 'consent', login_hint: 'ada', response_mode: '', request: '' },
      ...{ state: '', resource: '', scope: '' },
    })
    t.equal(answer.searchParams.get('state'), null)
    const { json } = await fixture.exchange(answer.searchParams.get('code') ?? '')
    t.equal(json['scope'], 'transactions:read accounts:read')
  }),
)

test(
  'a form without an action shows the page again',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const stranger = await visitor.post(fixture.authorizeUrl(), {})
    t.equal(stranger.status, 403)
    t.match(wordsOf(stranger), 'Your session has ended.')
    const signedIn = await (await fixture.signedIn()).post(fixture.authorizeUrl(), {})
    t.equal(signedIn.status, 403)
    t.match(wordsOf(signedIn), 'The page has expired.')
  }),
)

test(
  'a self-registered program gets no redirect before the user has signed in',
  overFixtures(
    async (t, fixture) => {
      const uri = 'https://app.evil.example/landing'
      const redirectUris = [uri, 'com.evil.app:/x']
      const { client } = await fixture.newClient({ registered: 'dynamic', redirectUris })
      const own = { client_id: client.id, redirect_uri: uri }
      const wrongs = [
        { ...own, scope: 'admin' },
        { ...own, response_type: 'token' },
        { ...own, code_challenge: undefined },
        { ...own, prompt: 'none' },
        { ...own, state: 'x'.repeat(5_000) },
      ]
      const person = await fixture.signedIn()
      for (const wrong of wrongs) {
        const url = fixture.authorizeUrl(wrong)
        const stranger = new PageVisitor()
        const visits = [await stranger.get(url)]
        if (!('prompt' in wrong)) visits.push(await stranger.post(url, { action: 'deny' }))
        for (const visit of visits) {
          t.equal(visit.status, 400)
          t.equal(visit.headers.get('location'), null)
          t.match(wordsOf(visit), 'was not sent to app.evil.example , because')
          t.match(fixture.lastAuditEvent(), /^authorization\.request refused /)
        }
        t.match(
          PageVisitor.target(await person.get(url)).href,
          uri,
          'a signed-in user is redirected',
        )
      }
      const app = fixture.authorizeUrl({ ...own, redirect_uri: 'com.evil.app:/x', scope: 'admin' })
      t.match(wordsOf(await new PageVisitor().get(app)), 'an app on this device (com.evil.app:)')
      const known = await new PageVisitor().get(fixture.authorizeUrl({ scope: 'admin' }))
      t.equal(known.status, 303, 'clients of an operator get their errors')
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)

test(
  'a form that arrives slowly is checked against the current state',
  overFixtures(
    async (t, fixture) => {
      const { port } = fixture.service.client
      const { control } = fixture.service
      const { id } = fixture.integration
      const tokens = await fixture.newTokens()
      const own = { client_id: fixture.publicClient.client.id }
      const refresh = { ...own, grant_type: 'refresh_token' }
      const form = 'application/x-www-form-urlencoded'
      const registration = JSON.stringify({ redirect_uris: [REDIRECT_URI] })
      const sendings = [
        ['token', formOf({ ...refresh, refresh_token: `${tokens['refresh_token']}` }), form],
        ['revoke', formOf({ ...own, token: `${tokens['refresh_token']}` }), form],
        ['register', registration, 'application/json'],
        ['authorize', formOf({ action: 'allow' }), form],
      ] as const
      for (const [endpoint, body, type] of sendings) {
        const { pathname, search } = new URL(fixture.authorizeUrl())
        const below = pathname.replace(/authorize$/, endpoint)
        const path = endpoint === 'authorize' ? below + search : below
        const fields = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`
        const client = await WireClient.connect(port)
        client.write(requestText('POST', path, fields) + body.slice(0, 5))
        // Its head has arrived when another request, sent after it, is answered.
        await settled(port)
        await deactivateIntegration({ control, nowMs: fixture.service.nowMs, actor: CLI_ACTOR }, id)
        const before = fixture.state()
        client.write(body.slice(5))
        const reply = await client.reply()
        t.equal(reply.status, 401, endpoint)
        t.match(reply.body.toString(), /invalid_client/, endpoint)
        t.same(fixture.state(), before, endpoint)
        t.match(fixture.lastAuditEvent(), /refused invalid_client$/)
        client.socket.destroy()
        await activateIntegration({ control, nowMs: fixture.service.nowMs, actor: CLI_ACTOR }, id)
      }
      t.equal((await fixture.refresh(tokens['refresh_token'])).status, 200)
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)
