import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { SESSION_MS } from '../../src/auth/sessions.js'
import { PAGES } from '../../src/dashboard/routes.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { rowsOf } from '../fixtures/control-sql.js'
import { overDashboards, overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { OPERATOR } from '../fixtures/oauth-fixture.js'
import { PageVisitor, type Visit, wordsOf } from '../fixtures/page-visitor.js'

/** Text of a page without its random parts. */
function plain({ status, text }: Visit): string {
  return `${status} ${text.replace(/value="[-\w]{43}"/, '')}`
}

test(
  'without a session every path gives the same answer',
  overOneDashboard(async (t, fixture) => {
    const stranger = new PageVisitor()
    const first = await stranger.get(`${fixture.url}/dashboard`)
    t.match(wordsOf(first), 'Sign in to see accounts and transactions')
    const segment = fc.oneof(
      fc.constantFrom('w', 'workspaces', 'assets', 'first-run', 'session', 'keys', '%00', '..'),
      fc.stringMatching(/^[-\w.~%!$&'()*+,;=:@]{1,20}$/),
    )
    const paths = fc
      .tuple(fc.constantFrom('/dashboard', '/dashboard/keys'), fc.array(segment, { maxLength: 3 }))
      .map(([top, rest]) => [top, ...rest].join('/'))
    await assertProperty(
      fc.asyncProperty(paths, fc.boolean(), async (path, isPost) => {
        const target = new URL(path, fixture.url)
        if (!/^\/dashboard(\/|$)/.test(target.pathname)) return
        const visit = isPost
          ? await stranger.post(target.href, { action: 'sign-out' })
          : await stranger.get(target.href)
        const reply = isPost
          ? plain(visit)
              .replace(/<p class="bad".*?<\/p>/, '')
              .replace(/^403/, '200')
          : plain(visit)
        assert.equal(reply.replace(/\n+/g, '\n'), plain(first).replace(/\n+/g, '\n'), target.href)
      }),
      { numRuns: 60 },
    )
    for (const { path } of PAGES) {
      const visit = await stranger.get(fixture.url + path.replaceAll(/:\w+/g, 'w'))
      t.equal(plain(visit), plain(first), path)
    }
  }),
)

test(
  'signing in leads to the requested page, signing out ends the session',
  overDashboards(async (t, fixture) => {
    const visitor = new PageVisitor()
    const asked = `${fixture.url}/dashboard/session?a=%20b`
    const page = await visitor.get(asked)
    const answer = await visitor.submit(page, { ...OPERATOR, action: 'sign-in' })
    t.equal(PageVisitor.target(answer).href, asked)
    const session = await visitor.follow(answer)
    t.match(wordsOf(session), 'Signed in as ada')
    const left = await visitor.press(session, 'sign-out')
    t.equal(PageVisitor.target(left).pathname, '/dashboard')
    t.match(fixture.lastAuditEvent(), 'session.end ok')
    t.match(wordsOf(await visitor.follow(left)), 'Sign in')
  }),
)

test(
  'the address of the service leads to the dashboard',
  overDashboards(async (t, { url }) => {
    for (const method of ['GET', 'HEAD']) {
      const reply = await fetch(`${url}/`, { method, redirect: 'manual' })
      t.equal(reply.status, 303)
      t.equal(new URL(reply.headers.get('location') ?? '', url).href, `${url}/dashboard`)
    }
    const refused = await fetch(`${url}/`, { method: 'POST' })
    t.equal(refused.status, 405)
    t.equal(refused.headers.get('allow'), 'GET, HEAD')
  }),
)

test(
  'signing out everywhere ends every session of the operator',
  overOneDashboard(async (t, fixture) => {
    const [one, two] = [await fixture.signedIn(), await fixture.signedIn()]
    const page = await one.get(`${fixture.url}/dashboard/session`)
    await one.press(page, 'sign-out-everywhere')
    t.match(fixture.lastAuditEvent(), 'session.end ok 1 {"everywhere":true,"sessions":2}')
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM sessions'), [])
    t.match(wordsOf(await two.get(`${fixture.url}/dashboard`)), 'Sign in')
  }),
)

test(
  'a session expires, and a form sent afterwards is refused',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard/session`)
    fixture.service.nowMs += SESSION_MS
    const late = await visitor.press(page, 'sign-out-everywhere')
    t.equal(late.status, 403)
    t.match(wordsOf(late), 'Your session has ended.')
    t.equal(fixture.audit().filter(({ action }) => action === 'session.end').length, 0)
  }),
)

test(
  'a form requires its token and an origin of our own',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/session`
    const page = await visitor.get(url)
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? []
    const elsewhere = await visitor.get(`${fixture.url}/dashboard`)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = async (
      headers: Record<string, string>,
      body = new URLSearchParams({ form_token: token, action: 'no-such' }),
    ): Promise<number> => {
      const all = { Cookie: cookie, ...headers }
      return (await fetch(url, { method: 'POST', headers: all, body, redirect: 'manual' })).status
    }
    t.equal(await send({}), 400, 'the token is right, the action unknown')
    t.equal(await send({ 'Sec-Fetch-Site': 'cross-site' }), 403)
    t.equal(await send({ 'Sec-Fetch-Site': 'same-site' }), 403)
    t.equal(await send({ 'Sec-Fetch-Site': 'same-origin' }), 400)
    t.equal(await send({ Origin: 'https://evil.example' }), 403)
    t.equal(await send({ Origin: fixture.url }), 400)
    const bad = [new URLSearchParams({ action: 'sign-out' })]
    bad.push(new URLSearchParams({ form_token: `${token}x`, action: 'sign-out' }))
    bad.push(new URLSearchParams({ form_token: token, action: 'sign-out', a: 'x'.repeat(70_000) }))
    for (const body of bad) t.equal(await send({}, body), 403)
    t.equal(await send({ 'Content-Type': 'text/plain' }), 403)
    const other = (await fixture.signedIn()).press(page, 'sign-out')
    t.equal((await other).status, 403, 'a form of another session')
    t.match(wordsOf(await visitor.get(url)), 'Signed in as ada', 'nothing was executed')
    t.equal((await visitor.press(elsewhere, 'sign-out')).status, 303, "of every page's frame")
  }),
)

test(
  'pages load from this service only, and are neither cached nor framed',
  overDashboards(async (t, fixture) => {
    for (const path of ['/dashboard', '/dashboard/session', '/dashboard/none']) {
      const { status, headers, text } = await fixture.page(path)
      t.equal(status, path.endsWith('none') ? 404 : 200)
      t.match(Object.fromEntries(headers), {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
          "img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
      })
      t.notMatch(text, /<style|<iframe|javascript:| on\w+="| style=|<script(?![^>]* src=)/i)
      for (const [, url = ''] of text.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        t.match(url, /^(\/dashboard|\/docs|#content)/, 'no link leads elsewhere')
      }
    }
  }),
)

test(
  'browsers cache the style sheet and scripts permanently',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard`)
    const files = [...page.text.matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(([, at]) => at)
    t.ok(files.length >= 2)
    let byteCount = page.text.length
    for (const file of files) {
      const { status, headers, text } = await visitor.get(fixture.url + file)
      t.equal(status, 200)
      t.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable')
      t.match(
        headers.get('content-type'),
        /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      )
      byteCount += text.length
      const cookie = `kontor-session=${visitor.cookies.get('kontor-session')}`
      const again = await fetch(fixture.url + file, {
        headers: { Cookie: cookie, 'If-None-Match': headers.get('etag') ?? '' },
      })
      t.equal(again.status, 304)
    }
    t.ok(byteCount <= 150_000, `the first page weighs ${byteCount} bytes`)
    t.equal((await visitor.get(`${fixture.url}/dashboard/assets/none.css`)).status, 404)
  }),
)

test(
  'other methods and trailing slashes',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    t.equal((await visitor.follow(await visitor.get(`${fixture.url}/dashboard/`))).status, 200)
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const reply = await fetch(`${fixture.url}/dashboard`, { method })
      t.equal(reply.status, 405)
      t.equal(reply.headers.get('allow'), 'GET, HEAD, POST')
    }
    const head = await fetch(`${fixture.url}/dashboard`, { method: 'HEAD' })
    t.equal(head.status, 200)
  }),
)

test(
  'behind a proxy that strips a path, links include it',
  overOneDashboard(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const { text } = await visitor.get(`${fixture.url}/dashboard`)
      for (const [, url] of text.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        t.match(url, /^(\/bank\/dashboard|\/bank\/docs|#content)/)
      }
    },
    { service: { baseUrl: () => 'http://example.org/bank' } },
  ),
)
