// A user's way from the link of the first run to an agent that asks about transactions, in a real
// browser, with a real bank file where KONTOR_STATEMENTS names some: with script, and without.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { entry, message, parties, party } from '../fixtures/camt-text.js'
import { openContext, whyNoBrowser } from '../fixtures/chromium.js'
import type { DashboardFixture } from '../fixtures/dashboard-fixture.js'
import { complaintsOf, openState } from '../fixtures/page-soundness.js'
import { NO_FILES, statementFiles } from '../fixtures/statement-texts.js'

const run = promisify(execFile)

const CURL = '/usr/bin/curl'

const whyNotHere =
  whyNoBrowser || (existsSync(CURL) ? false : `there is no ${CURL}: apt-get install curl`)

/** A bank file, and the text to search in it. */
interface SentFile {
  readonly name: string
  readonly text: string
  /** Owner of its account. */
  readonly owner: string
  /** A word that occurs in one purpose, as spelled there. */
  readonly word: string
}

const REAL_NAME = 'viafintech__valid_example_v8.xml'

/** A real file, or else a handwritten one. */
function sentFile(t: Test): SentFile {
  const files = statementFiles('camt053')
  if (files === undefined) {
    t.comment(NO_FILES)
    const payer = parties(party('Dbtr', 'Jo Doe', 'DE02120300000000202051'), '')
    const details = `<TxDtls>${payer}<RmtInf><Ustrd>INVOICE R77561</Ustrd></RmtInf></TxDtls>`
    const text = message(entry({ details }) + entry({ amount: '7.5' }))
    return { name: 'by-hand.xml', text, owner: 'Erika Muster', word: 'R77561' }
  }
  const real = files.find(({ name }) => name === REAL_NAME)
  if (real === undefined) throw new Error(`KONTOR_STATEMENTS has no camt053/${REAL_NAME}`)
  return { ...real, owner: 'ACME GmbH', word: 'R77561' }
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(`from the first run to an agent: ${how}`, { skip: whyNotHere }, async (t) => {
    const fixture = await openState(t, { rows: null, isFirstRun: true })
    const context = await openContext(t, { javaScriptEnabled })
    const complaints = complaintsOf(context)
    const page = await context.newPage()
    const file = sentFile(t)
    await beginFirstRun(page, fixture)
    await makeWorkspace(page)
    const rowCount = await sendFile(page, file)
    await findByWord(t, page, file)
    await findByReference(t, page, file)
    await askWithKey(t, page, rowCount)
    await connectAgent(t, page, file)
    await readAudit(t, page)
    t.same(complaints, [])
    t.same(
      fixture.service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })
}

async function beginFirstRun(page: Page, fixture: DashboardFixture): Promise<void> {
  await page.goto(fixture.url + ((await fixture.service.openFirstRun()) ?? ''))
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Repeat password').fill('correct horse')
  await page.getByRole('button', { name: 'Create operator' }).click()
}

async function makeWorkspace(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create a workspace' }).click()
  await page.getByLabel('Name').fill('books')
  await page.getByRole('button', { name: 'Create workspace' }).click()
}

/** @returns the number of transactions in the file, from the summary of its import */
async function sendFile(page: Page, { name, text, owner }: SentFile): Promise<number> {
  const files = [{ name, mimeType: 'text/xml', buffer: Buffer.from(text) }]
  await page.getByLabel('Bank files', { exact: true }).setInputFiles(files)
  await page.getByRole('button', { name: 'Import' }).click()
  const summary = await page.getByText(/^\d+ new transactions?$/).innerText()
  await page.getByRole('table', { name: 'Accounts' }).getByText(owner).waitFor()
  return Number.parseInt(summary, 10)
}

/** Opens one of the tabs of the workspace. */
async function goTo(page: Page, room: string): Promise<void> {
  await page.getByRole('link', { name: 'Workspaces', exact: true }).first().click()
  await page.getByRole('link', { name: 'books', exact: true }).first().click()
  const tabs = page.getByRole('navigation', { name: 'Contents of the workspace' })
  await tabs.getByRole('link', { name: room }).click()
}

async function findByWord(t: Test, page: Page, { word }: SentFile): Promise<void> {
  await goTo(page, 'Transactions')
  await page.getByLabel('Search for').fill(word.toLowerCase())
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('mark').first().waitFor()
  t.same(await page.locator('mark').allInnerTexts(), [word], 'only the hit is marked')
  t.equal(await page.getByRole('heading', { name: '1 transaction', exact: true }).count(), 1)
}

/** A reference copied with an extra space, and a word that occurs nowhere. */
async function findByReference(t: Test, page: Page, { word }: SentFile): Promise<void> {
  await page.getByRole('link', { name: 'Match', exact: true }).click()
  await page.getByLabel('Reference').fill(`Rechnung ${word.slice(0, 1)} ${word.slice(1)}`)
  await page.getByRole('button', { name: 'Match' }).click()
  const bar = page.getByRole('meter', { name: 'Score' }).first()
  await bar.waitFor()
  t.ok(Number(await bar.getAttribute('value')) >= 0.6)
  t.match((await page.locator('mark').allInnerTexts()).join(' '), /77561/)
}

/** Text that a page shows under that label. */
function codeOf(page: Page, label: string): Promise<string> {
  return page.getByRole('region', { name: label, exact: true }).innerText()
}

async function askWithKey(t: Test, page: Page, rowCount: number): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByLabel('Name').fill('bookkeeping')
  await page.getByRole('button', { name: 'Create key' }).click()
  const line = (await codeOf(page, 'curl: paste the key when prompted')).trim()
  const key = (await codeOf(page, 'API key')).trim()
  t.notOk(line.includes(key), 'the key does not enter the shell history')
  // The key is pasted; the environment omits the machine's proxies for other hosts.
  const running = run('/bin/bash', ['-c', line], { env: { PATH: '/usr/bin:/bin' } })
  running.child.stdin?.end(`${key}\n`)
  const { stdout } = await running
  const rows = JSON.parse(stdout) as { readonly id: number }[]
  t.equal(rows.length, Math.min(rowCount, 3))
}

async function connectAgent(t: Test, page: Page, { word }: SentFile): Promise<void> {
  await goTo(page, 'Integrations')
  await page.getByRole('textbox', { name: 'Name' }).fill('Agent')
  await page.getByRole('button', { name: 'Create MCP Server' }).click()
  await page.getByRole('link', { name: 'MCP keys' }).click()
  await page.getByLabel('Name').fill('desktop')
  await page.getByRole('button', { name: 'Create key' }).click()
  const [key, endpoint] = [await codeOf(page, 'MCP key'), await codeOf(page, 'MCP endpoint')]
  const client = new Client({ name: 'journey', version: '1' })
  t.teardown(() => client.close())
  const requestInit = { headers: { Authorization: `Bearer ${key.trim()}` } }
  const url = new URL(endpoint.trim())
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const reply = await client.callTool({ name: 'get_transactions', arguments: { search: word } })
  t.equal(reply.isError, false)
  t.match(reply.structuredContent, { totalCount: 1, items: [{ purpose: new RegExp(word) }] })
}

async function readAudit(t: Test, page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  await log.waitFor()
  const events = await log.getByRole('rowheader').allInnerTexts()
  t.same(events.map((text) => text.split(/\s/)[0]).reverse(), [
    ...['operator.create', 'session.begin', 'workspace.create', 'workspace.import'],
    ...['api_key.create', 'integration.create', 'mcp_key.create'],
  ])
  await page.getByLabel('Action').selectOption('mcp_key.create')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/action=mcp_key\.create/)
  t.equal(await log.getByRole('rowheader').count(), 1)
  t.match(await log.innerText(), /operator:ada/)
}
