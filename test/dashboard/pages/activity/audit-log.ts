import { test } from 'tap'
import { appendAudit } from '../../../../src/auth/audit.js'
import {
  AUDIT_ROWS_PER_PAGE,
  auditQueryText,
  readAuditQuery,
} from '../../../../src/dashboard/pages/activity/audit-query.js'
import { CLI_ACTOR } from '../../../../src/domain/audit.js'
import { Form } from '../../../../src/wire/form.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { PageVisitor, wordsOf } from '../../../fixtures/page-visitor.js'
import { START_MS } from '../../../fixtures/service.js'

test(
  'entries are found by actor, action, address and time, page by page',
  overOneDashboard(async (t, fixture) => {
    const { control } = fixture.service
    for (let i = 0; i < AUDIT_ROWS_PER_PAGE + 5; i++) {
      const event = { action: 'grant.revoke', subject: `s${i}`, workspaceId: 'w' } as const
      await control.atomically(() => appendAudit(CLI_ACTOR, START_MS, event))
    }
    const visitor = await fixture.signedIn()
    const see = async (query: string): Promise<string> => {
      return wordsOf(await visitor.get(`${fixture.url}/dashboard/activity/audit${query}`))
    }
    t.match(await see('?actor=ADA'), 'session.begin ok operator:ada 127.0.0.1')
    t.match(await see('?actor=nobody'), 'No matching entries')
    t.match(await see('?outcome=refused'), 'No matching entries')
    const first = await see('?action=grant.revoke')
    t.match(first, 's104')
    t.notMatch(first, /\bs4\b/)
    const page = await visitor.get(`${fixture.url}/dashboard/activity/audit?action=grant.revoke`)
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(page.text) ?? []
    const second = wordsOf(await visitor.get(fixture.url + older.replaceAll('&amp;', '&')))
    t.match(second, /\bs4\b.*\bs0\b/)
    t.match(second, 'No older entries.')
    t.match(await see('?until=2026-06-30'), 'No matching entries')
    t.match(await see('?since=2026-07-02'), 'No matching entries')
    t.match(await see('?since=2026-07-01&until=2026-07-01&workspace=w'), 's104')
    t.match(await see('?since=July'), 'Enter a day such as 2026-07-31.')
  }),
)

test(
  'the found entries are downloaded completely, and only by an operator',
  overOneDashboard(async (t, fixture) => {
    const { control } = fixture.service
    for (let i = 0; i < AUDIT_ROWS_PER_PAGE * 2 + 1; i++) {
      await control.atomically(() =>
        appendAudit(CLI_ACTOR, START_MS, { action: 'grant.revoke', subject: `=${i},"` }),
      )
    }
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/activity/audit.csv?action=grant.revoke`
    const { headers, text } = await visitor.get(url)
    t.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    t.equal(headers.get('content-disposition'), 'attachment; filename="kontor-audit.csv"')
    const lines = text.trimEnd().split('\r\n')
    t.equal(lines.length, AUDIT_ROWS_PER_PAGE * 2 + 2)
    t.match(lines[0], 'sequence,at,actor,action,outcome,subject')
    t.match(lines[1], ',cli,grant.revoke,ok,"\'=200,""",')
    const german = (await visitor.get(`${url}&separator=semicolon`)).text.split('\r\n')
    t.match(german[0], 'sequence;at;actor;action;outcome;subject')
    t.match(german[1], ';cli;grant.revoke;ok;"\'=200,""";')
    t.match(wordsOf(await new PageVisitor().get(url)), 'Sign in')
    const page = await visitor.get(`${fixture.url}/dashboard/activity/audit?action=grant.revoke`)
    t.match(page.text, 'audit.csv?action=grant.revoke&amp;separator=semicolon')
  }),
)

test('a search survives the way into a URL and back', async (t) => {
  const text = '?actor=operator%3Aada&action=token.issue&workspace=w&outcome=ok'
  const whole = `${text}&since=2026-07-01&until=2026-07-31&before=12`
  const { search, faults } = readAuditQuery(new Form(whole.slice(1)))
  t.same(faults, {})
  t.equal(auditQueryText(search), whole)
  t.equal(auditQueryText(readAuditQuery(new Form('action=none&before=x')).search), '')
})
