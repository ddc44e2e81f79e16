import { test } from 'tap'
import { overDesks } from '../fixtures/oauth-desk.js'
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
