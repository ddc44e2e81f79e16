import { test } from 'tap'
import { activateIntegration, deactivateIntegration } from '../../src/auth/integrations.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { requestText, settled, WireClient } from '../fixtures/http-rig.js'
import { formOf, overDesks, REDIRECT_URI } from '../fixtures/oauth-desk.js'
import { PageVisitor, wordsOf } from '../fixtures/page-visitor.js'

test(
  'a request whose query is written in an unusual way comes back to itself',
  overDesks(async (t, desk) => {
    const visitor = new PageVisitor()
    const url = `${desk.authorizeUrl()}&ui_locales=de+en&x='"()*;/?:@`
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
  'unknown parameters are passed over, empty ones are as if they were not sent',
  overDesks(async (t, desk) => {
    const visitor = await desk.signedIn()
    const answer = await desk.allowed(visitor, {
      ...{ nonce: 'x', prompt: 'consent', login_hint: 'ada', response_mode: '', request: '' },
      ...{ state: '', resource: '', scope: '' },
    })
    t.equal(answer.searchParams.get('state'), null)
    const { json } = await desk.exchange(answer.searchParams.get('code') ?? '')
    t.equal(json['scope'], 'transactions:read accounts:read')
  }),
)

test(
  'a form without an action shows who is asked first',
  overDesks(async (t, desk) => {
    const visitor = new PageVisitor()
    const stranger = await visitor.post(desk.authorizeUrl(), {})
    t.equal(stranger.status, 403)
    t.match(wordsOf(stranger), 'You are no longer signed in.')
    const signedIn = await (await desk.signedIn()).post(desk.authorizeUrl(), {})
    t.equal(signedIn.status, 403)
    t.match(wordsOf(signedIn), 'The page was out of date.')
  }),
)

test(
  'a program that has registered itself has nobody sent to it before somebody signs in',
  overDesks(
    async (t, desk) => {
      const uri = 'https://app.evil.example/landing'
      const redirectUris = [uri, 'com.evil.app:/x']
      const { client } = desk.newClient({ registered: 'dynamic', redirectUris })
      const own = { client_id: client.id, redirect_uri: uri }
      const wrongs = [
        { ...own, scope: 'admin' },
        { ...own, response_type: 'token' },
        { ...own, code_challenge: undefined },
        { ...own, prompt: 'none' },
        { ...own, state: 'x'.repeat(5_000) },
      ]
      const person = await desk.signedIn()
      for (const wrong of wrongs) {
        const url = desk.authorizeUrl(wrong)
        const stranger = new PageVisitor()
        const visits = [await stranger.get(url)]
        if (!('prompt' in wrong)) visits.push(await stranger.post(url, { action: 'deny' }))
        for (const visit of visits) {
          t.equal(visit.status, 400)
          t.equal(visit.headers.get('location'), null)
          t.match(wordsOf(visit), 'wants to be told so at app.evil.example . Nobody here has')
          t.match(desk.lastAuditEvent(), /^authorization\.request refused /)
        }
        t.match(PageVisitor.target(await person.get(url)).href, uri, 'who is signed in is sent')
      }
      const app = desk.authorizeUrl({ ...own, redirect_uri: 'com.evil.app:/x', scope: 'admin' })
      t.match(wordsOf(await new PageVisitor().get(app)), 'an app on this device (com.evil.app:)')
      const known = await new PageVisitor().get(desk.authorizeUrl({ scope: 'admin' }))
      t.equal(known.status, 303, 'addresses that an operator has saved are told')
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)

test(
  'a form that takes its time to arrive is about things as they are then',
  overDesks(
    async (t, desk) => {
      const { port } = desk.service.client
      const { control } = desk.service
      const { id } = desk.integration
      const tokens = await desk.newTokens()
      const own = { client_id: desk.publicClient.client.id }
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
        const { pathname, search } = new URL(desk.authorizeUrl())
        const below = pathname.replace(/authorize$/, endpoint)
        const path = endpoint === 'authorize' ? below + search : below
        const fields = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`
        const client = await WireClient.connect(port)
        client.write(requestText('POST', path, fields) + body.slice(0, 5))
        // Its head is there when another request, sent after it, is answered.
        await settled(port)
        deactivateIntegration(control, id, desk.service.nowMs, CLI_ACTOR)
        const before = desk.state()
        client.write(body.slice(5))
        const reply = await client.reply()
        t.equal(reply.status, 401, endpoint)
        t.match(reply.body.toString(), /invalid_client/, endpoint)
        t.same(desk.state(), before, endpoint)
        t.match(desk.lastAuditEvent(), /refused invalid_client$/)
        client.socket.destroy()
        activateIntegration(control, id, desk.service.nowMs, CLI_ACTOR)
      }
      t.equal((await desk.refresh(tokens['refresh_token'])).status, 200)
    },
    { integration: { kind: 'mcp', letsRegister: true } },
  ),
)
