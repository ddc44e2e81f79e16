// The dashboard in a real browser: every page without an axe violation, in light and dark and on a
// phone; the first run; and use without a script.
import { test } from 'tap'
import { PAGES } from '../../src/dashboard/routes.js'
import { entry, message } from '../fixtures/camt-text.js'
import { openContext, whyNoBrowser } from '../fixtures/chromium.js'
import { assertSound, complaintsOf, openState, signIn } from '../fixtures/page-soundness.js'

test('pages have no violations in each view', { skip: whyNoBrowser }, async (t) => {
  const fixture = await openState(t)
  const context = await openContext(t)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  await page.goto(`${fixture.url}/dashboard`)
  await assertSound(t, page, 'sign-in')
  await signIn(page, fixture)
  await page.getByText('Ready').first().waitFor()
  // The explorer's pages have a test of their own, with results on them; there are no nodes here.
  const isPlain = (path: string): boolean =>
    !/:(?!workspaceId)|csv$|\/transactions|\/nodes$/.test(path)
  for (const { path } of PAGES.filter((one) => isPlain(one.path))) {
    await page.goto(fixture.url + path.replaceAll(':workspaceId', 'w'))
    await assertSound(t, page, path)
  }
  t.same(complaints, [])
})

test('the first run, and the pages without a script', { skip: whyNoBrowser }, async (t) => {
  const fixture = await openState(t, { isFirstRun: true })
  const options = { javaScriptEnabled: false }
  const page = await (await openContext(t, options)).newPage()
  await page.goto(fixture.url + ((await fixture.service.openFirstRun()) ?? ''))
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Repeat password').fill('correct horse')
  await page.getByRole('button', { name: 'Create operator' }).click()
  t.equal(await page.title(), 'Overview · kontor')
  await page.getByRole('link', { name: 'Workspaces', exact: true }).first().click()
  t.equal(await page.title(), 'Workspaces · kontor')
  t.equal(await page.locator('button[data-copy]:visible').count(), 0)
  await page.getByRole('button', { name: 'Sign out' }).last().click()
  t.equal(await page.title(), 'Sign in · kontor')
})

test('bank files are uploaded, and a workspace is deleted', { skip: whyNoBrowser }, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const fixture = await openState(t, { rows: null })
    const context = await openContext(t, { javaScriptEnabled })
    const complaints = complaintsOf(context)
    const page = await context.newPage()
    await signIn(page, fixture)
    await page.getByRole('link', { name: 'Create a workspace' }).click()
    await page.getByLabel('Name').fill('books')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    const buffer = Buffer.from(message(entry() + entry({ amount: '7.5' })))
    const files = [{ name: 'a.xml', mimeType: 'text/xml', buffer }]
    await page.getByLabel('Bank files', { exact: true }).setInputFiles(files)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('2 new transactions', { exact: true }).waitFor()
    await page.getByText('Erika Muster').waitFor()
    if (javaScriptEnabled) await assertSound(t, page, 'with an import')
    await page.getByLabel('Type the name of the workspace to confirm').fill('books')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    t.match(await page.getByRole('status').textContent(), 'The workspace was deleted')
    t.same(complaints, [])
  }
})
