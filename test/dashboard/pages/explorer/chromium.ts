// The explorer in a real browser: accessible by axe in light and dark and on a phone, and usable
// without a script.
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'tap'
import { openBrowser, whyNoBrowser } from '../../../fixtures/chromium.js'
import { DashboardFixture } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { rigs } from '../../../fixtures/http-rig.js'
import { OPERATOR } from '../../../fixtures/oauth-fixture.js'

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
}

const PAGES = [
  '?query=b%C3%BCro&account=1',
  '?limit=9000',
  '/match?query=2026-01&threshold=0',
  '/charts',
  '/schema',
  '/schema?customSchema=%7B',
  '/7',
]

async function signIn(page: Page, fixture: DashboardFixture): Promise<void> {
  await page.goto(`${fixture.url}/dashboard`)
  await page.getByLabel('Name').fill(OPERATOR.name)
  await page.getByLabel('Password').fill(OPERATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

for (const [view, options] of Object.entries(VIEWS)) {
  test(`the explorer has no violations: ${view}`, { skip: whyNoBrowser }, async (t) => {
    const [rig] = rigs
    if (rig === undefined) throw new Error('node is everywhere')
    const fixture = await DashboardFixture.open(t, rig, { service: { matchBudgetMs: 600_000 } })
    await openExplorer(fixture)
    const context = await (await openBrowser(t)).newContext(options)
    const complaints: string[] = []
    context.on('console', (message) => complaints.push(message.text()))
    context.on('weberror', (error) => complaints.push(error.error().message))
    const page = await context.newPage()
    await signIn(page, fixture)
    for (const path of PAGES) {
      await page.goto(`${fixture.url}/dashboard/workspaces/w/transactions${path}`)
      if (path === '/charts') await page.locator('.chart svg').last().waitFor()
      await page.evaluate(axe.source)
      const found = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[]
      }
      t.same(
        found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
        path,
      )
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      t.notOk(isTooWide, `${path}: nothing overflows the page`)
    }
    t.same(
      complaints.filter((text) => !text.includes('the server responded with a status of 400')),
      [],
    )
  })
}

test('a browser without scripts searches, pages and matches', {
  skip: whyNoBrowser,
}, async (t) => {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  const fixture = await DashboardFixture.open(t, rig, { service: { matchBudgetMs: 600_000 } })
  await openExplorer(fixture)
  const page = await (
    await (await openBrowser(t)).newContext({ javaScriptEnabled: false })
  ).newPage()
  await signIn(page, fixture)
  await page.goto(`${fixture.url}/dashboard/workspaces/w/transactions`)
  await page.getByRole('link', { name: 'Next →' }).click()
  t.match(page.url(), /offset=50$/)
  await page.getByLabel('Search for').fill('telefon')
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Booked from').fill('2026-01-02')
  await page.getByRole('button', { name: 'Search' }).click()
  t.match(page.url(), /query=telefon/)
  t.ok((await page.locator('mark').count()) > 10)
  await page.getByRole('link', { name: 'Match', exact: true }).click()
  t.equal(await page.getByLabel('Reference').inputValue(), 'telefon')
  await page.getByText('JavaScript', { exact: true }).first().click()
  t.ok(await page.getByText('await fetch(').isVisible())
})
