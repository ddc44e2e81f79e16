// The pages in a real browser: forms, cookies, the content security policy, two tabs.
import type { BrowserContext, Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { SESSION_MS } from '../../src/auth/sessions.js'
import { openContext, serve, whyNoBrowser } from '../fixtures/chromium.js'
import { rowsOf } from '../fixtures/control-sql.js'
import { rigs } from '../fixtures/http-rig.js'
import { OAuthFixture, OPERATOR } from '../fixtures/oauth-fixture.js'

/** A fixture, a client that listens on this machine, and a browser. */
interface ChromiumSetup {
  readonly fixture: OAuthFixture
  readonly context: BrowserContext
  /** Origin of the client. */
  readonly origin: string
  readonly authorizeUrl: (state: string) => string
  /** Errors of the browser, above all policy violations. */
  readonly complaints: string[]
  /** Exchanges the code on the browser's current page. */
  readonly exchange: (page: Page) => Promise<number>
}

async function openSetup(t: Test): Promise<ChromiumSetup> {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  const elsewhere = await serve(t, (_, response) => response.end('the end of the way'))
  const origin = await serve(t, (request, response) => {
    // A client may redirect the browser further, which Chromium counts as part of the form's
    // submission.
    if (request.url?.startsWith('/onward') === true) {
      response.writeHead(302, { Location: `${elsewhere}${request.url}` }).end()
    } else response.end('back at the program')
  })
  const redirect_uri = `${origin}/callback`
  const fixture = await OAuthFixture.open(t, rig, {
    client: { redirectUris: [redirect_uri, `${origin}/onward`] },
  })
  const complaints: string[] = []
  const context = await openContext(t)
  context.on('console', (message) => complaints.push(message.text()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  return {
    ...{ fixture, context, origin, complaints },
    authorizeUrl: (state) => fixture.authorizeUrl({ redirect_uri, state }),
    exchange: async (page) => {
      const code = new URL(page.url()).searchParams.get('code') ?? ''
      return (await fixture.exchange(code, { redirect_uri })).status
    },
  }
}

async function signIn(page: Page, password = OPERATOR.password): Promise<void> {
  await page.getByLabel('Name').fill(OPERATOR.name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function click(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

function answerOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams)
}

test('a user signs in, allows, and the program reads', { skip: whyNoBrowser }, async (t) => {
  const setup = await openSetup(t)
  const { fixture, context, origin, complaints } = setup
  const page = await context.newPage()
  await page.goto(setup.authorizeUrl('one'))
  t.equal(await page.title(), 'Sign in · kontor')
  await signIn(page, 'wrong horse')
  t.equal(await page.getByRole('alert').textContent(), 'The name or password is wrong.')
  t.equal(complaints.splice(0).length, 1, 'the only message is the status of the refusal')
  await signIn(page)
  t.equal(
    await page.getByRole('heading', { level: 1 }).textContent(),
    'Allow a program to read bank data?',
  )
  t.match(await page.locator('main').textContent(), 'Ledger <b>App</b> requests read access')
  t.equal(await page.locator('main b').count(), 0, 'the name of a program is shown as text')
  const width = await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')
  t.equal(width, '480px', 'the policy allows the style')
  await click(page, 'Allow')
  t.equal(page.url().split('?')[0], `${origin}/callback`)
  t.match(answerOf(page), { state: 'one', iss: fixture.issuer, code: /^ac-/ })
  t.equal(await setup.exchange(page), 200)
  t.same(complaints, [])
})

test('a user denies, and is asked again next time', { skip: whyNoBrowser }, async (t) => {
  const setup = await openSetup(t)
  const page = await setup.context.newPage()
  await page.goto(setup.authorizeUrl('one'))
  await signIn(page)
  await click(page, 'Deny')
  t.match(answerOf(page), { error: 'access_denied', state: 'one', iss: setup.fixture.issuer })
  await page.goto(setup.authorizeUrl('two'))
  await click(page, 'Allow')
  t.equal(await setup.exchange(page), 200)
  t.same(setup.complaints, [])
})

test('an expired session leads to sign-in and back', {
  skip: whyNoBrowser,
}, async (t) => {
  const setup = await openSetup(t)
  const page = await setup.context.newPage()
  await page.goto(setup.authorizeUrl('one'))
  await signIn(page)
  setup.fixture.service.nowMs += SESSION_MS
  await click(page, 'Allow')
  t.equal(await page.getByRole('alert').textContent(), 'Your session has ended. Sign in to decide.')
  await signIn(page)
  await click(page, 'Allow')
  t.equal(await setup.exchange(page), 200)
})

test('two tabs decide separately, signing out affects both', {
  skip: whyNoBrowser,
}, async (t) => {
  const setup = await openSetup(t)
  const one = await setup.context.newPage()
  const two = await setup.context.newPage()
  await one.goto(setup.authorizeUrl('one'))
  await two.goto(setup.authorizeUrl('two'))
  await signIn(one)
  await signIn(two)
  await click(one, 'Allow')
  t.match(
    await one.getByRole('alert').textContent(),
    'The page has expired.',
    'signed in again since then',
  )
  await click(one, 'Allow')
  t.match(answerOf(one), { state: 'one', code: /^ac-/ })
  t.equal(await setup.exchange(one), 200)
  await one.goto(setup.authorizeUrl('three'))
  await click(two, 'Sign out')
  t.equal(await two.title(), 'Sign in · kontor')
  await click(one, 'Allow')
  t.equal(await one.title(), 'Sign in · kontor')
})

test('a callback may redirect to another origin', { skip: whyNoBrowser }, async (t) => {
  const { fixture, context, origin, complaints } = await openSetup(t)
  const page = await context.newPage()
  await page.goto(fixture.authorizeUrl({ redirect_uri: `${origin}/onward` }))
  await signIn(page)
  await click(page, 'Allow')
  t.equal(await page.locator('body').textContent(), 'the end of the way')
  t.match(answerOf(page)['code'], /^ac-/)
  t.same(complaints, [])
})

test('no other page frames the pages, or submits a decision', {
  skip: whyNoBrowser,
}, async (t) => {
  const setup = await openSetup(t)
  const url = setup.authorizeUrl('one')
  const page = await setup.context.newPage()
  await page.goto(url)
  await signIn(page)
  const escaped = url.replaceAll('&', '&amp;')
  const evil = await serve(t, (_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<iframe src="${escaped}"></iframe><form method="post" action="${escaped}">
      <input name="action" value="allow"><button>Win</button></form>`)
  })
  const other = evil.replace('127.0.0.1', 'localhost')
  await page.goto(other)
  const frame = page.frames()[1]
  t.notMatch(await frame?.content(), 'bank data', 'the frame stays empty')
  await click(page, 'Win')
  t.match(await page.locator('main').textContent(), /sent from another site/)
  t.same(rowsOf(setup.fixture.service.control, 'SELECT * FROM grants'), [])
})
