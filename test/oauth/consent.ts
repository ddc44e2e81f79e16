import { test } from 'tap'
import { SESSION_MS } from '../../src/auth/sessions.js'
import { execute, rowsOf } from '../fixtures/control-sql.js'
import { answerOf, type OAuthFixture, overFixtures, typedName } from '../fixtures/oauth-fixture.js'
import { hiddenFieldsOf, PageVisitor, wordsOf } from '../fixtures/page-visitor.js'
import { OWN_IBAN } from '../fixtures/sample-workspace.js'

function grantsOf({ service }: OAuthFixture): unknown[] {
  return rowsOf(service.control, 'SELECT * FROM grants')
}

test(
  'the page names client, scopes, accounts and redirect target',
  overFixtures(
    async (t, fixture) => {
      const page = await (await fixture.signedIn()).get(fixture.authorizeUrl())
      t.equal(page.status, 200)
      const words = wordsOf(page)
      t.match(words, 'Ledger &lt;b>App&lt;/b> requests read access to the workspace w .')
      t.match(words, 'Transactions: amounts')
      t.match(words, OWN_IBAN.replace(/(.{4})/g, '$1 ').trim())
      t.match(words, 'You will be redirected to app.example.org')
      t.match(words, 'Integration: Books .')
      t.match(words, 'Signed in as ada .')
      t.match(page.headers.get('content-security-policy'), "form-action 'self' https:;")
      t.same(grantsOf(fixture), [], 'a request without a decision grants nothing')
    },
    { integration: { accountIds: [1, 99] } },
  ),
)

test(
  'a denial redirects the client with access_denied',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.authorizeUrl())
    const { error_description, ...answer } = answerOf(
      await visitor.submit(page, { action: 'deny' }),
    )
    t.ok(error_description)
    const expected = {
      from: 'kontor',
      error: 'access_denied',
      state: 'st at/e',
      iss: fixture.issuer,
    }
    t.same(answer, expected)
    t.same(grantsOf(fixture), [])
    t.equal(fixture.lastAuditEvent(), 'consent.decide refused access_denied')
    t.match(fixture.audit(1)[0], {
      actor: 'operator:ada',
      subject: fixture.publicClient.client.id,
      workspaceId: 'w',
      integrationId: fixture.integration.id,
      fromAddress: '127.0.0.1',
    })
  }),
)

test(
  'consent is asked for each time',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    await fixture.allowed(visitor)
    const page = await visitor.get(fixture.authorizeUrl())
    t.match(wordsOf(page), 'Allow a program to read bank data?')
    await fixture.allowed(visitor)
    t.equal(grantsOf(fixture).length, 2, 'and each is a separate grant')
  }),
)

test(
  'a decision without a consent page for this browser and request is refused',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const stranger = await fixture.signedIn()
    const url = fixture.authorizeUrl()
    const page = await visitor.get(url)
    const token = hiddenFieldsOf(page)['form_token'] ?? ''
    const otherUrl = fixture.authorizeUrl({ state: 'other' })
    const strangersToken = hiddenFieldsOf(await stranger.get(url))['form_token'] ?? ''
    const otherToken = hiddenFieldsOf(await visitor.get(otherUrl))['form_token'] ?? ''
    const before = fixture.state()
    for (const form_token of ['', 'x', strangersToken, otherToken, `${token}=`]) {
      for (const action of ['allow', 'deny', 'sign-out']) {
        const answer = await visitor.post(url, { form_token, action })
        t.equal(answer.status, 403)
        t.equal(answer.headers.get('location'), null)
        t.match(wordsOf(answer), 'The page has expired. Please decide again.')
        t.same(fixture.state(), before)
      }
    }
    for (const action of ['', 'maybe']) {
      const answer = await visitor.post(url, { form_token: token, action })
      t.equal(answer.status, 403)
      t.same(fixture.state(), before)
    }
    t.equal((await new PageVisitor().post(url, { form_token: token, action: 'allow' })).status, 403)
    t.same(fixture.state(), before)
    t.equal((await visitor.submit(page, { action: 'allow' })).status, 303)
  }),
)

test(
  'a form of another site is refused, whatever its token; our own is accepted',
  overFixtures(async (t, fixture) => {
    const url = fixture.authorizeUrl()
    const send = async (visitor: PageVisitor, fields: object, headers: object) => {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const body = new URLSearchParams(Object.entries(fields))
      const all = { Cookie: cookie, ...headers }
      return fetch(url, { method: 'POST', headers: all, body, redirect: 'manual' })
    }
    const foreign = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: fixture.url },
    ]
    const own = [
      { Origin: fixture.url },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-origin' },
      {},
    ]
    const stranger = new PageVisitor()
    const signIn = { ...hiddenFieldsOf(await stranger.get(url)), ...typedName(), action: 'sign-in' }
    const visitor = await fixture.signedIn()
    const { form_token } = hiddenFieldsOf(await visitor.get(url))
    const forms = [
      [stranger, signIn],
      [visitor, { form_token, action: 'allow' }],
      [visitor, { form_token, action: 'deny' }],
      [visitor, { form_token, action: 'sign-out' }],
    ] as const
    const before = fixture.state()
    for (const headers of foreign) {
      for (const [browser, fields] of forms) {
        const answer = await send(browser, fields, headers)
        t.equal(answer.status, 403, `${fields.action} with ${JSON.stringify(headers)}`)
        t.equal(answer.headers.get('location'), null)
        t.equal(answer.headers.get('set-cookie'), null)
        t.match(await answer.text(), /sent from another site/)
        t.equal(fixture.lastAuditEvent(), 'authorization.request refused access_denied')
      }
    }
    t.same(fixture.state(), before)
    for (const headers of own) {
      t.equal((await send(visitor, { form_token, action: 'allow' }, headers)).status, 303)
    }
    t.equal((await send(stranger, signIn, { 'Sec-Fetch-Site': 'same-origin' })).status, 303)
  }),
)

test(
  'an expired session has to sign in again, and then to decide',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.authorizeUrl())
    fixture.service.nowMs += SESSION_MS
    const late = await visitor.submit(page, { action: 'allow' })
    t.equal(late.status, 403)
    t.match(wordsOf(late), 'Your session has ended. Sign in to decide.')
    t.same(grantsOf(fixture), [])
    const back = await visitor.submit(late, { ...typedName(), action: 'sign-in' })
    t.equal(back.headers.get('location'), fixture.authorizeUrl())
    const again = await visitor.get(fixture.authorizeUrl())
    t.equal((await visitor.submit(again, { action: 'allow' })).status, 303)
  }),
)

test(
  'two tabs decide separately; signing out ends both',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const one = await visitor.get(fixture.authorizeUrl({ state: 'one' }))
    const two = await visitor.get(fixture.authorizeUrl({ state: 'two' }))
    const denied = answerOf(await visitor.submit(two, { action: 'deny' }))
    t.match(denied, { state: 'two', error: 'access_denied' })
    const allowed = answerOf(await visitor.submit(one, { action: 'allow' }))
    t.match(allowed, { state: 'one', code: /^ac-/ })
    const left = await visitor.submit(one, { action: 'sign-out' })
    t.equal(left.headers.get('location'), one.url)
    t.equal(fixture.lastAuditEvent(), 'session.end ok')
    t.notOk(visitor.cookies.has('kontor-session'))
    t.equal((await visitor.submit(two, { action: 'allow' })).status, 403)
    t.match(wordsOf(await visitor.get(one.url)), 'Sign in to see the details')
    t.equal(grantsOf(fixture).length, 1)
  }),
)

test(
  'changes since the page was shown take effect',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.authorizeUrl())
    execute(control, "UPDATE clients SET scopes = 'accounts:read'")
    t.equal(answerOf(await visitor.submit(page, { action: 'allow' }))['error'], 'invalid_scope')
    execute(control, 'UPDATE clients SET active = 0')
    t.equal((await visitor.submit(page, { action: 'allow' })).status, 400)
    execute(control, 'UPDATE integrations SET active = 0')
    t.equal((await visitor.submit(page, { action: 'allow' })).status, 404)
    t.same(grantsOf(fixture), [])
  }),
)

test(
  'no code and no password is in the log or in control.db',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const code = (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
    const { json } = await fixture.exchange(code)
    const secrets = [code, json['access_token'], json['refresh_token'], typedName().password]
    const kept = JSON.stringify([fixture.state(), fixture.audit(), fixture.service.log])
    for (const secret of secrets) {
      t.equal(typeof secret, 'string')
      t.notMatch(kept, `${secret}`)
    }
  }),
)
