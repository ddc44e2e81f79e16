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

test('a field suggests while one types, by keyboard and by mouse', {
  skip: whyNoBrowser,
}, async (t) => {
  const fixture = await openState(t, { service: { matchBudgetMs: 600_000 } })
  await openExplorer(fixture)
  const context = await openContext(t)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  await signIn(page, fixture)
  await page.goto(`${fixture.url}/dashboard/workspaces/w/transactions`)
  const field = page.getByRole('combobox', { name: 'Search for' })
  await field.pressSequentially('telefn')
  const option = page.locator('[role=option]')
  await option.waitFor()
  t.equal(await field.getAttribute('aria-expanded'), 'true')
  t.equal(await page.getByRole('status').textContent(), '1 suggestion')
  await assertSound(t, page, 'with suggestions')
  await field.press('Escape')
  t.notOk(await option.isVisible())
  await field.press('ArrowDown')
  await option.waitFor()
  await field.press('ArrowDown')
  t.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
  await field.press('ArrowDown')
  t.equal(await field.getAttribute('aria-activedescendant'), null, 'the field itself')
  await field.press('ArrowUp')
  await field.press('Enter')
  await page.waitForURL(/query=Telefon/)
  await field.fill('')
  await field.pressSequentially('büro')
  await page.locator('[role=option]', { hasText: 'Büro' }).click()
  await page.waitForURL(/query=B%C3%BCro/)
  await field.press('End')
  await field.press('Enter')
  await page.waitForURL(/query=B%C3%BCro/)
  t.same(complaints, [])
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
