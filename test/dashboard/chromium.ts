// The dashboard in a real browser: every page without a fault that axe knows, in light and dark and
// on a phone; the first run; and that it does not need a script.
import axe from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { PAGES } from '../../src/dashboard/routes.js'
import { openBrowser, whyNoBrowser } from '../fixtures/chromium.js'
import { DashboardDesk, type DashboardWish } from '../fixtures/dashboard-desk.js'
import { rigs } from '../fixtures/http-rig.js'
import { OPERATOR } from '../fixtures/oauth-desk.js'

/** How pages are looked at: a wide screen by day and by night, and a phone. */
const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
}

async function openDesk(t: Test, wish: DashboardWish = {}): Promise<DashboardDesk> {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  return DashboardDesk.open(t, rig, wish)
}

async function signIn(page: Page, desk: DashboardDesk): Promise<void> {
  await page.goto(`${desk.url}/dashboard`)
  await page.getByLabel('Name').fill(OPERATOR.name)
  await page.getByLabel('Password').fill(OPERATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What a browser complains about: a policy that was violated, above all. */
function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('console', (message) => complaints.push(message.text()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  return complaints
}

/** Ids and places of what axe finds wrong with a page; evaluated, so that no policy is loosened. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

async function assertSound(t: Test, page: Page, name: string): Promise<void> {
  t.same(await violationsOn(page), [], `${name}: axe finds nothing`)
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  t.notOk(isTooWide, `${name}: nothing stands out of the page`)
}

for (const [view, options] of Object.entries(VIEWS)) {
  test(`pages are sound: ${view}`, { skip: whyNoBrowser }, async (t) => {
    const desk = await openDesk(t)
    const context = await (await openBrowser(t)).newContext(options)
    const complaints = complaintsOf(context)
    const page = await context.newPage()
    await page.goto(`${desk.url}/dashboard`)
    await assertSound(t, page, 'sign-in')
    await signIn(page, desk)
    await page.getByText('Ready').first().waitFor()
    // Those of the explorer have a test of their own, with something found on them.
    for (const { path } of PAGES.filter((page) => !page.path.includes('/transactions'))) {
      await page.goto(desk.url + path.replaceAll(':workspaceId', 'w'))
      await assertSound(t, page, path)
    }
    t.same(complaints, [])
  })
}

test('the first run, and what a browser without script sees', { skip: whyNoBrowser }, async (t) => {
  const desk = await openDesk(t, { isFirstRun: true })
  const options = { javaScriptEnabled: false }
  const page = await (await (await openBrowser(t)).newContext(options)).newPage()
  await page.goto(desk.url + (desk.service.openFirstRun() ?? ''))
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('The same password again').fill('correct horse')
  await page.getByRole('button', { name: 'Begin' }).click()
  t.equal(await page.title(), 'Overview · kontor')
  await page.getByRole('link', { name: 'Workspaces', exact: true }).first().click()
  t.equal(await page.title(), 'Workspaces · kontor')
  t.equal(await page.locator('button[data-copy]:visible').count(), 0)
  await page.getByRole('button', { name: 'Sign out' }).last().click()
  t.equal(await page.title(), 'Sign in · kontor')
})
