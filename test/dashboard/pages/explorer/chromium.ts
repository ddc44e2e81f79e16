// The explorer in a real browser: accessible by axe in light and dark and on a phone, and usable
// without a script.
import { test } from 'tap'
import { openContext, whyNoBrowser } from '../../../fixtures/chromium.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { assertSound, complaintsOf, openState, signIn } from '../../../fixtures/page-soundness.js'

const PAGES = [
  '?query=b%C3%BCro&account=1',
  '?limit=9000',
  '/match?query=2026-01&threshold=0',
  '/charts',
  '/schema',
  '/schema?customSchema=%7B',
  '/7',
]

test('the explorer has no violations in each view', { skip: whyNoBrowser }, async (t) => {
  const fixture = await openState(t, { service: { matchBudgetMs: 600_000 } })
  await openExplorer(fixture)
  const context = await openContext(t)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  await signIn(page, fixture)
  for (const path of PAGES) {
    await page.goto(`${fixture.url}/dashboard/workspaces/w/transactions${path}`)
    if (path === '/charts') await page.locator('.chart svg').last().waitFor()
    await assertSound(t, page, path)
  }
  t.same(
    complaints.filter((text) => !text.includes('the server responded with a status of 400')),
    [],
  )
})

test('a browser without scripts searches, pages and matches', {
  skip: whyNoBrowser,
}, async (t) => {
  const fixture = await openState(t, { service: { matchBudgetMs: 600_000 } })
  await openExplorer(fixture)
  const page = await (await openContext(t, { javaScriptEnabled: false })).newPage()
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
