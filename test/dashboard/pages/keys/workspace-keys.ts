import { test } from 'tap'
import { rowsOf } from '../../../fixtures/control-sql.js'
import {
  type DashboardFixture,
  overDashboards,
  overOneDashboard,
} from '../../../fixtures/dashboard-fixture.js'
import { PageVisitor, type Visit, wordsOf } from '../../../fixtures/page-visitor.js'
import { outcomeOf } from '../../../fixtures/service.js'

const PATH = '/dashboard/workspaces/w/keys'
const WIDE = {
  name: 'bookkeeping',
  scope: ['transactions:read', 'accounts:read'],
  accounts: 'all',
} as const

/** The secret that a page shows. */
function secretOn({ text }: Visit): string {
  return /<code>((?:sk|mcp|cs)-[^<]+)<\/code>/.exec(text)?.[1] ?? ''
}

async function asked(
  fixture: DashboardFixture,
  key: string,
  path = 'transactions',
): Promise<string> {
  return outcomeOf(await fixture.service.ask(`/v1/w/${path}`, { key }))
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'")
}

test(
  'a key is created, shown once with a working command, replaced and revoked',
  overDashboards(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.url + PATH)
    const answer = await visitor.press(page, 'create-key', WIDE)
    const shown = await visitor.follow(answer)
    const key = secretOn(shown)
    t.match(key, /^sk-/)
    t.equal(shown.headers.get('cache-control'), 'no-store')
    t.match(fixture.lastAuditEvent(), /api_key.create ok 1 .*"name":"bookkeeping"/)
    t.equal(fixture.audit(1)[0]?.actor, 'operator:ada')
    t.equal(await asked(fixture, key), '200')
    const [, header = '', url = ''] =
      /read -rs KEY && curl -H "([^"]+)" '([^']+)'/.exec(unescaped(shown.text)) ?? []
    const [name = '', value = ''] = header.replace('$KEY', key).split(': ')
    t.equal((await fetch(url, { headers: { [name]: value } })).status, 200, 'as copied')

    const again = await visitor.get(PageVisitor.target(answer).href)
    t.equal(secretOn(again), '', 'a second visit does not show it')
    t.match(wordsOf(again), 'bookkeeping 1 Active')

    const one = await visitor.get(`${fixture.url}${PATH}/1`)
    const rotated = await visitor.follow(await visitor.press(one, 'rotate', { overlap: '900000' }))
    const next = secretOn(rotated)
    t.match(wordsOf(rotated), 'replaced by 2')
    t.same([await asked(fixture, key), await asked(fixture, next)], ['200', '200'])
    fixture.service.nowMs += 900_000
    t.same([await asked(fixture, key), await asked(fixture, next)], ['401 unauthorized', '200'])
    t.match(wordsOf(await visitor.get(fixture.url + PATH)), 'bookkeeping 1 Expired replaced by 2')

    const two = await visitor.get(`${fixture.url}${PATH}/2`)
    const unsure = await visitor.press(two, 'revoke')
    t.equal(unsure.status, 400)
    t.equal(await asked(fixture, next), '200', 'revocation requires a confirmation')
    const revoked = await visitor.follow(await visitor.press(two, 'revoke', { sure: 'yes' }))
    t.match(wordsOf(revoked), 'Revoked')
    t.equal(await asked(fixture, next), '401 unauthorized')
    t.match(fixture.lastAuditEvent(), 'api_key.revoke ok 2')
    t.notMatch(revoked.text, 'value="revoke"')
  }),
)

test(
  'a key has exactly the chosen permissions',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.url + PATH)
    t.match(wordsOf(page), 'All current and future accounts')
    const narrow = {
      ...{ name: 'one', scope: 'accounts:read', accounts: 'chosen', account: ['2', '1'] },
      ...{ expires: '2026-07-02', ip_allow: '127.0.0.1, 10.0.0.0/8' },
    }
    const key = secretOn(await visitor.follow(await visitor.press(page, 'create-key', narrow)))
    const scope = JSON.parse((await fixture.service.ask('/v1/w/key/scope', { key })).text)
    t.match(scope, {
      ...{ scopes: ['accounts:read'], accounts: [1, 2], name: 'one' },
      expiresAt: '2026-07-02T00:00:00.000Z',
    })
    t.equal(await asked(fixture, key), '401 insufficient_scope')
    t.equal(await asked(fixture, key, 'accounts'), '200')
    t.match(wordsOf(await visitor.get(fixture.url + PATH)), 'accounts:read only 1, 2 2 Jul 2026')
    const elsewhere = { ...WIDE, name: 'far', ip_allow: '192.0.2.1' }
    const far = secretOn(await visitor.follow(await visitor.press(page, 'create-key', elsewhere)))
    t.equal(await asked(fixture, far), '401 unauthorized', 'not from this address')
  }),
)

test(
  'an invalid form creates nothing and keeps the typed values',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.url + PATH)
    const wrong = { name: 'kept', accounts: 'chosen', expires: '2020-01-01', ip_allow: 'here' }
    const answer = await visitor.press(page, 'create-key', wrong)
    t.equal(answer.status, 400)
    for (const reply of [
      'Select at least one scope',
      'Select at least one account',
      'This day is not in the future',
    ]) {
      t.match(wordsOf(answer), reply)
    }
    t.match(answer.text, 'value="kept"')
    t.notMatch(fixture.lastAuditEvent(), 'api_key')
  }),
)

test(
  'creating a key requires a session and a form of this page',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(fixture.url + PATH)
    const foreign = await visitor.post(fixture.url + PATH, { ...WIDE, action: 'create-key' })
    t.equal(foreign.status, 403)
    const elsewhere = await visitor.get(`${fixture.url}/dashboard/session`)
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(elsewhere.text) ?? []
    const moved = { ...WIDE, form_token: token, action: 'create-key' }
    t.equal((await visitor.post(fixture.url + PATH, moved)).status, 403)
    const stranger = await new PageVisitor().press(page, 'create-key', WIDE)
    t.equal(stranger.status, 403)
    t.match(wordsOf(stranger), 'Sign in')
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM api_keys'), [])
    for (const path of ['/dashboard/workspaces/none/keys', `${PATH}/1`, `${PATH}/x`]) {
      t.equal((await visitor.get(fixture.url + path)).status, 404, path)
    }
    const { id } = await fixture.service.newKey('w')
    await fixture.service.write('other', {
      accounts: [],
      categories: [],
      transactions: [],
    } as never)
    const other = `${fixture.url}/dashboard/workspaces/other/keys/${id}`
    t.equal((await visitor.get(other)).status, 404, "a key's path contains its workspace")
  }),
)

test(
  'the keys of all workspaces are listed, newest first, and link to theirs',
  overOneDashboard(async (t, fixture) => {
    const empty = await fixture.page('/dashboard/keys')
    t.match(wordsOf(empty), 'There are no keys yet')
    for (const name of ['first', 'second']) await fixture.service.newKey('w', { name })
    const page = await fixture.page('/dashboard/keys')
    t.match(wordsOf(page), /second 2 w Active .* first 1 w Active/)
    t.match(page.text, 'href="/dashboard/workspaces/w/keys"')
    const names = 'x'.repeat(3)
    for (let i = 0; i < 60; i++) await fixture.service.newKey('w', { name: `${names}${i}` })
    t.match(wordsOf(await fixture.page('/dashboard/keys?offset=50')), '51–62 of 62')
  }),
)
