// An attacker who knows an operator's name floods the sign-in page with it: unknown browsers wait,
// and the owner signs in from a browser that has signed in before.
import { type Test, test } from 'tap'
import { changePassword, deleteOperator } from '../../src/admin/operators.js'
import {
  SIGN_IN_ADDRESS_FAILURES_FREE,
  SIGN_IN_NAME_FAILURES_FREE,
} from '../../src/browser/attempts.js'
import { KNOWN_BROWSER_MS } from '../../src/browser/known-browsers.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { rowsOf } from '../fixtures/control-sql.js'
import {
  type DashboardFixture,
  overDashboards,
  overOneDashboard,
} from '../fixtures/dashboard-fixture.js'
import { cheapPassword, OPERATOR, overFixtures, typedName } from '../fixtures/oauth-fixture.js'
import { PageVisitor } from '../fixtures/page-visitor.js'

const COOKIE = 'kontor-known-1'

/** @returns the status of one attempt: 303 signed in, 403 wrong, 429 too early */
async function attempt(url: string, visitor: PageVisitor, typed: object = {}): Promise<number> {
  const page = await visitor.get(url)
  return (await visitor.submit(page, { ...OPERATOR, ...typed, action: 'sign-in' })).status
}

/** Guesses with the name until the name has to wait. */
async function flood(t: Test, url: string): Promise<void> {
  const attacker = new PageVisitor()
  const statuses: number[] = []
  for (let i = 0; i <= SIGN_IN_NAME_FAILURES_FREE; i++) {
    statuses.push(await attempt(url, attacker, { password: `guess ${i}` }))
  }
  t.equal(statuses.at(-1), 429)
}

/** A browser that has signed in and keeps only the cookie by which the service recognizes it. */
async function knownBrowser(fixture: DashboardFixture): Promise<PageVisitor> {
  const visitor = await fixture.signedIn()
  visitor.cookies.delete('kontor-session')
  return visitor
}

test(
  'during a guessing attack the owner signs in at the first attempt, unknown browsers do not',
  overDashboards(async (t, fixture) => {
    const url = `${fixture.url}/dashboard`
    const known = await knownBrowser(fixture)
    await flood(t, url)
    for (let i = 0; i < 20; i++) {
      t.equal(
        await attempt(url, new PageVisitor()),
        429,
        'an unknown browser with the right password',
      )
      t.equal(await attempt(url, known), 303)
      known.cookies.delete('kontor-session')
      fixture.service.nowMs += 40
    }
    t.equal(
      await attempt(url, new PageVisitor()),
      429,
      "the owner's success does not reset their count",
    )
  }),
)

test(
  'the same on the consent page, and behind one address for all callers',
  overFixtures(async (t, fixture) => {
    const url = fixture.authorizeUrl()
    const known = await fixture.signedIn()
    t.ok(known.cookies.has(COOKIE))
    known.cookies.delete('kontor-session')
    const attacker = new PageVisitor()
    for (let i = 0; i < SIGN_IN_ADDRESS_FAILURES_FREE; i++) {
      // A guess at an unknown name costs as much as one at a real password, so there is one alone.
      const row = { name: `name${i}`, password: cheapPassword('another phrase'), createdAt: 0 }
      if (i > 0) await fixture.service.control.atomically(() => insertOperator(row))
      t.equal(await attempt(url, attacker, { name: `name${i}` }), 403)
    }
    t.equal(await attempt(url, new PageVisitor(), { ...typedName(), name: 'bob' }), 429)
    t.equal(await attempt(url, known, typedName()), 303)
  }),
)

test(
  'a known browser may guess no more often than an unknown one',
  overOneDashboard(async (t, fixture) => {
    const url = `${fixture.url}/dashboard`
    const known = await knownBrowser(fixture)
    const other = await knownBrowser(fixture)
    for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
      t.equal(await attempt(url, known, { password: `guess ${i}` }), 403)
    }
    t.equal(await attempt(url, known), 429, 'even with the right password')
    t.equal(await attempt(url, other), 303, 'another browser of the owner does not wait for it')
    t.equal(await attempt(url, new PageVisitor()), 303, 'nor does an unknown one')
    fixture.service.nowMs += 1_000
    t.equal(await attempt(url, known), 303)
  }),
)

test(
  'the cookie alone opens nothing',
  overOneDashboard(async (t, fixture) => {
    const known = await knownBrowser(fixture)
    const page = await known.get(`${fixture.url}/dashboard`)
    t.match(page.text, /<title>Sign in/)
    t.equal(await attempt(`${fixture.url}/dashboard`, known, { password: 'wrong' }), 403)
  }),
)

test(
  'a forged, foreign or stale cookie counts as an unknown browser',
  overOneDashboard(async (t, fixture) => {
    const { control } = fixture.service
    const url = `${fixture.url}/dashboard`
    const password = cheapPassword('another phrase')
    await control.atomically(() => insertOperator({ name: 'bob', password, createdAt: 0 }))
    const bob = new PageVisitor()
    t.equal(await attempt(url, bob, { name: 'bob', password: 'another phrase' }), 303)
    const own = (await knownBrowser(fixture)).cookies.get(COOKIE) ?? ''
    const foreign = bob.cookies.get('kontor-known-2') ?? ''
    const [until = '', random = '', signature = ''] =
      own.match(/^(\d+)_(.{43})_(.{43})$/)?.slice(1) ?? []
    t.match(foreign, /^\d+_.{43}_.{43}$/)
    await flood(t, url)
    const withCookie = (value: string): Promise<number> => {
      const visitor = new PageVisitor()
      visitor.cookies.set(COOKIE, value)
      return attempt(url, visitor)
    }
    for (const value of [
      foreign,
      `${Number(until) + 1}_${random}_${signature}`,
      `${until}_${'x'.repeat(43)}_${signature}`,
      `${until}_${random}_${'x'.repeat(43)}`,
      own.slice(0, -1),
      `${own}x`,
    ]) {
      t.equal(await withCookie(value), 429, value)
    }
    t.equal(await withCookie(own), 303)
    fixture.service.nowMs += KNOWN_BROWSER_MS
    await flood(t, url)
    t.equal(await withCookie(own), 429, 'expired')
  }),
)

test(
  'a cookie ends with its password and with its operator',
  overOneDashboard(async (t, fixture) => {
    const { control, nowMs } = fixture.service
    const url = `${fixture.url}/dashboard`
    const known = await knownBrowser(fixture)
    const { password } = OPERATOR
    await changePassword({ control, nowMs, actor: CLI_ACTOR }, { id: 1, password })
    await flood(t, url)
    t.equal(await attempt(url, known), 429, 'even if the new password equals the old one')
    await deleteOperator({ control, nowMs, actor: CLI_ACTOR }, 1)
    const row = { name: OPERATOR.name, password: cheapPassword(password), createdAt: nowMs }
    t.equal(await control.atomically(() => insertOperator(row)), 2)
    t.equal(await attempt(url, known), 429, 'nor is it valid for an operator of the same name')
  }),
)

test(
  'scripts cannot read the cookie, and the database does not contain it',
  overOneDashboard(async (t, fixture) => {
    const visitor = new PageVisitor()
    const page = await visitor.get(`${fixture.url}/dashboard`)
    const { headers } = await visitor.submit(page, { ...OPERATOR, action: 'sign-in' })
    const [, set = ''] = headers.getSetCookie()
    t.match(set, /^kontor-known-1=\d+_\S{43}_\S{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/)
    const value = visitor.cookies.get(COOKIE) ?? 'none'
    const rows = ['operators', 'sessions', 'audit'].map((table) =>
      rowsOf(fixture.service.control, `SELECT * FROM ${table}`),
    )
    t.notMatch(JSON.stringify(rows), value)
  }),
)
