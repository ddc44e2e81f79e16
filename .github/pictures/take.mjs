// Takes the pictures of the documents: `npm run build && node .github/pictures/take.mjs`. It starts
// kontor with its demo on a free port of 127.0.0.1, in a data directory that it removes at the end,
// and opens the pages in Chromium.
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const here = import.meta.dirname
const command = join(here, '../../bin/kontor.mjs')
const data = mkdtempSync(join(tmpdir(), 'kontor-pictures-'))
const env = { ...process.env, KONTOR_DATA_DIR: data }
const password = randomBytes(12).toString('hex')
const redirectUri = 'https://ledger.example.org/callback'

/** Runs a command of kontor with --json and returns its parsed output. */
function kontor(words, input = '') {
  return JSON.parse(execFileSync(command, [...words, '--json'], { env, input, encoding: 'utf8' }))
}

/** Resolves with the address of the service when it listens. */
async function addressOf(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    const [url] = line.match(/(?<=listens on )\S+/) ?? []
    if (url !== undefined) return url
  }
  throw new Error('kontor ended before it listened')
}

/** Signs in and returns the page of a new browser context. */
async function signIn(browser, url, options) {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(`${url}/dashboard`)
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  return page
}

/** The path of the authorization request of an OAuth client of a new integration. */
function authorizationPath() {
  const named = ['--workspace', 'demo', '--type', 'oauth2', '--name', 'Tax adviser']
  const { issuer } = kontor(['integrations', 'create', ...named])
  const client = ['--type', 'confidential', '--name', 'Ledger for accountants']
  const integration = ['--integration', issuer.split('/').at(-1), '--redirect-uri', redirectUri]
  const { clientId } = kontor(['clients', 'create', ...client, ...integration])
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'transactions:read accounts:read',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `${new URL(issuer).pathname}/authorize?${query}`
}

/** Takes all pictures. */
async function takePictures(browser, url) {
  const save = (page, name, options) => page.screenshot({ path: join(here, name), ...options })
  const viewport = { width: 1280, height: 860 }
  const rows = `${url}/dashboard/workspaces/demo/transactions`

  const light = await signIn(browser, url, { viewport, colorScheme: 'light' })
  await light.setViewportSize({ width: 1280, height: 1320 })
  await light.goto(`${url}/dashboard/workspaces/demo/overview`)
  await light.getByRole('heading', { name: 'In and out by month' }).waitFor()
  await save(light, 'overview-light.png')
  await light.setViewportSize(viewport)
  await light.goto(`${rows}?query=gebaeude+re+2025`)
  await save(light, 'search-light.png')
  await light.goto(`${rows}/charts`)
  await light.getByRole('link', { name: 'USD' }).waitFor()
  await light.mouse.wheel(0, 400)
  await light.waitForTimeout(500)
  await save(light, 'charts-light.png')
  const named = ['--workspace', 'demo', '--type', 'mcp', '--name', 'Claude']
  const { id } = kontor(['integrations', 'create', ...named])
  await light.goto(`${url}/dashboard/integrations/${id}`)
  await save(light, 'integration-light.png')
  await light.setViewportSize({ width: 640, height: 500 })
  await light.goto(url + authorizationPath())
  await save(light, 'consent.png', { fullPage: true })

  const dark = await signIn(browser, url, { viewport, colorScheme: 'dark' })
  await dark.goto(`${rows}/match?query=RE-2025-00042&threshold=0.3`)
  await save(dark, 'match-dark.png')

  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
  const small = await signIn(browser, url, { ...phone, colorScheme: 'light' })
  await small.goto(`${rows}?query=gebaeude+re+2025`)
  await save(small, 'search-phone.png')
}

const service = spawn(command, ['serve', '--demo', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const ended = new Promise((resolve) => service.on('exit', resolve))
try {
  const url = await addressOf(service)
  kontor(['operators', 'create', 'ada'], `${password}\n`)
  const options = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }
  const browser = await chromium.launch(options)
  await takePictures(browser, url)
  await browser.close()
} finally {
  service.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true })
}
