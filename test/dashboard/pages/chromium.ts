// Keys, integrations, activity and the API reference in a real browser: no axe violation, no
// blocked resource by the policy, and no request to another host.
import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { openContext, whyNoBrowser } from '../../fixtures/chromium.js'
import { someClient, someIntegration, someTokens } from '../../fixtures/control.js'
import type { DashboardFixture } from '../../fixtures/dashboard-fixture.js'
import { ECHO_TOOL } from '../../fixtures/mcp-fixture.js'
import {
  assertSound,
  complaintsOf,
  openState,
  signIn,
  violationsOn,
} from '../../fixtures/page-soundness.js'
import { outcomeOf } from '../../fixtures/service.js'

const OPTIONS = { service: { tools: [ECHO_TOOL] } }

/** Collects requests to hosts other than the service. */
function strangersOf(page: Page, { url }: DashboardFixture): string[] {
  const strangers: string[] = []
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(url) && !asked.startsWith('data:')) strangers.push(asked)
  })
  return strangers
}

/** A fixture with data for every page. @returns the pages */
async function furnished(t: Test): Promise<{ fixture: DashboardFixture; paths: string[] }> {
  const fixture = await openState(t, OPTIONS)
  const { control } = fixture.service
  const { id, key } = await fixture.service.newKey('w', { name: 'bookkeeping' })
  await fixture.service.ask('/v1/w/accounts', { key })
  const agent = await someIntegration(control, { kind: 'mcp', name: 'Agent', letsRegister: true })
  const issuer = await someIntegration(control, { name: 'Tax adviser' })
  await someTokens(control, (await someClient(control, issuer.id, { name: 'Adviser' })).client)
  const views = ['', '/clients', '/grants', '/test', '/settings']
  const paths = [
    ...['/dashboard/keys', '/dashboard/workspaces/w/keys', `/dashboard/workspaces/w/keys/${id}`],
    ...['/dashboard/integrations', '/dashboard/workspaces/w/integrations?kind=mcp'],
    ...[agent, issuer].flatMap((row) =>
      views.map((view) => `/dashboard/integrations/${row.id}${view}`),
    ),
    `/dashboard/integrations/${agent.id}/keys`,
    ...['/dashboard/activity', '/dashboard/activity/audit', '/dashboard/operators'],
    '/dashboard/operators/1',
  ]
  return { fixture, paths }
}

test('pages about credentials have no violations in each view', {
  skip: whyNoBrowser,
}, async (t) => {
  const { fixture, paths } = await furnished(t)
  const context = await openContext(t)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  const strangers = strangersOf(page, fixture)
  await signIn(page, fixture)
  for (const path of paths) {
    const answer = await page.goto(fixture.url + path)
    t.equal(answer?.status(), 200, path)
    for (const details of await page.locator('main details').all()) {
      await details.evaluate('(element) => { element.open = true }')
    }
    await assertSound(t, page, path)
  }
  t.same(complaints, [])
  t.same(strangers, [])
})

test('a key is created by hand and used in the API reference', {
  skip: whyNoBrowser,
}, async (t) => {
  const fixture = await openState(t, OPTIONS)
  const context = await openContext(t)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  const strangers = strangersOf(page, fixture)
  await signIn(page, fixture)
  await page.goto(`${fixture.url}/dashboard/workspaces/w/keys`)
  await page.getByLabel('Name').fill('by hand')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy API key' }).click()
  const key = String(await page.evaluate('navigator.clipboard.readText()'))
  t.equal(outcomeOf(await fixture.service.ask('/v1/w/accounts', { key })), '200')

  await page.goto(`${fixture.url}/docs`)
  await page.locator('.opblock').first().waitFor()
  t.same(await violationsOn(page), [])
  await page.locator('.btn.authorize').first().click()
  await page.locator('.modal-ux input').fill(key)
  await page.locator('.modal-ux .btn.authorize').click()
  await page.locator('.modal-ux .btn-done').click()
  await page.locator('[id$="-getAccounts"] .opblock-summary-control').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.locator('tr[data-param-name="workspaceId"] input').fill('w')
  await page.getByRole('button', { name: 'Execute' }).click()
  const status = page.locator('.live-responses-table tbody .response-col_status')
  await status.first().waitFor()
  t.match(await status.first().innerText(), '200')
  t.same(complaints, [])
  t.same(strangers, [])
})
