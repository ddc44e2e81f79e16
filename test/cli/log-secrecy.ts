// The log of a whole run of `kontor serve` at its most verbose: valid and invalid requests of every
// kind; no line contains request data, response data or secrets.
import { writeFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { createClient } from '../../src/admin/clients.js'
import { createIntegration } from '../../src/admin/integrations.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import { issuerUrl, resourceUrl } from '../../src/auth/issuer-url.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { startKontor } from '../fixtures/child-process.js'
import { rigs } from '../fixtures/http-rig.js'
import { callOf, LIST } from '../fixtures/mcp-fixture.js'
import { CHALLENGE, formOf, REDIRECT_URI, VERIFIER } from '../fixtures/oauth-fixture.js'
import { PageVisitor, type Visit } from '../fixtures/page-visitor.js'
import { accountRow, OTHER_IBAN, OWN_IBAN, transactionRow } from '../fixtures/sample-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

/** Unique words, each for one thing that must not be logged. */
const MARKS = {
  purpose: 'Zweckmarke',
  counterpart: 'Gegenmarke',
  account: 'Kontomarke',
  holder: 'Inhabermarke',
  query: 'Suchmarke',
  operator: 'Bedienermarke',
  password: 'Passwortmarke-lang-genug',
  wrong: 'Falschmarke-lang-genug',
  keyName: 'Schluesselmarke',
  integration: 'Verbundmarke',
  client: 'Programmmarke',
  path: 'Pfadmarke',
  state: 'Zustandsmarke',
  body: 'Rumpfmarke',
} as const

const ACCESS_COMPONENT = 'access'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A data directory in which everything has a mark, and the credentials to it. */
async function markedDirectory(t: Test) {
  const directory = makeDataDirectory(t.testdir())
  const named = { iban: OWN_IBAN, name: MARKS.account, holderName: MARKS.holder }
  const known = {
    purpose: `Rechnung ${MARKS.purpose} 4711`,
    counterpartName: MARKS.counterpart,
    counterpartIban: OTHER_IBAN,
  }
  const transactions = Array.from({ length: 40 }, (_, i) => transactionRow(i + 1, 1, known))
  const rows = { accounts: [accountRow(1, named)], categories: [], transactions }
  await writeWorkspace(workspacePath(directory, 'w'), rows)
  writeFileSync(workspacePath(directory, 'bad'), MARKS.purpose.repeat(500))
  const control = ControlFile.open(directory.controlPath)
  t.teardown(() => control.close())
  const nowMs = Date.now()
  const wide = { name: MARKS.keyName, scopes: SCOPES, expiresAtMs: null }
  const keyOf = async (workspaceId: string): Promise<string> =>
    (
      await createApiKey(
        { control, nowMs, actor: CLI_ACTOR },
        { ...wide, workspaceId, accountIds: null },
      )
    ).key
  const integrationOf = (kind: 'oauth2' | 'mcp') => {
    const input = { workspaceId: 'w', kind, name: MARKS.integration, scopes: SCOPES }
    return createIntegration(
      { control, nowMs, actor: CLI_ACTOR },
      { ...input, accountIds: null, tools: null },
    )
  }
  const oauth = await integrationOf('oauth2')
  const mcp = await integrationOf('mcp')
  const input = { name: MARKS.client, type: 'confidential', registered: 'operator' } as const
  const of = { integrationId: oauth.id, redirectUris: [REDIRECT_URI], scopes: SCOPES }
  const { client, secret = '' } = await createClient(
    { control, nowMs, actor: CLI_ACTOR },
    { ...input, ...of },
  )
  const mcpKey = (
    await createMcpKey({ control, nowMs, actor: CLI_ACTOR }, { ...wide, integrationId: mcp.id })
  ).key
  const keys = { key: await keyOf('w'), badKey: await keyOf('bad'), mcpKey }
  return { path: directory.path, oauth, mcp, client, clientSecret: secret, ...keys }
}

type Marked = Awaited<ReturnType<typeof markedDirectory>>

/** Sends requests of every kind. @returns the secrets that came up, and the number of requests */
async function wholeRun(url: string, firstRunUrl: string, marked: Marked) {
  const { fetch } = globalThis
  let requestCount = 0
  globalThis.fetch = (...words) => {
    requestCount += 1
    return fetch(...words)
  }
  try {
    await readEverything(url, marked)
    const operator = new PageVisitor()
    const form = await operator.get(firstRunUrl)
    const password = { password: MARKS.password, again: MARKS.password }
    await operator.submit(form, { name: MARKS.operator, ...password })
    const tokens = await walkCodeFlow(url, marked, operator)
    await callTools(url, marked)
    const pages = ['', '/workspaces', '/keys', '/operators', '/activity', `/${MARKS.path}`]
    const explorer = `/workspaces/w/transactions?search=${MARKS.query}`
    for (const page of [...pages, explorer]) await operator.get(`${url}/dashboard${page}`)
    const firstRunSecret = new URL(firstRunUrl).pathname.split('/').at(-1) ?? ''
    return { requestCount, secrets: [...tokens, ...operator.cookies.values(), firstRunSecret] }
  } finally {
    globalThis.fetch = fetch
  }
}

async function readEverything(url: string, { key, badKey }: Marked): Promise<void> {
  const read = (path: string, credential = key, init: RequestInit = {}): Promise<unknown> =>
    fetch(url + path, { ...init, headers: { Authorization: `Bearer ${credential}` } })
  for (const path of [
    '/accounts',
    `/accounts/${OWN_IBAN}/transactions`,
    `/counterpart/${OTHER_IBAN}/transactions`,
    '/transactions?limit=40',
    `/transactions/search?query=${MARKS.query}`,
    `/transactions/search?query=${MARKS.purpose}`,
    `/transactions/match?query=${MARKS.query}%204711`,
    `/transactions?limit=${MARKS.query}`,
    `/transactions?customSchema=${MARKS.query}`,
    `/transactions?${MARKS.query}=1`,
    `/transactions/${MARKS.path}`,
    `/${MARKS.path}`,
    '/key/scope',
  ]) {
    await read(`/v1/w${path}`)
  }
  await read('/v1/bad/accounts', badKey)
  await read('/v1/w/accounts', `sk-${MARKS.wrong}`)
  await read(`/v1/${MARKS.path}/accounts`)
  await read('/v1/w/accounts', key, { method: 'POST', body: MARKS.body })
  await read('/openapi.json')
  await read(`/${MARKS.path}?${MARKS.query}`)
  await read(`/docs/${MARKS.path}`)
}

/**
 * A wrong sign-in, then a consent, then valid and invalid requests to each endpoint. @returns
 * secrets
 */
async function walkCodeFlow(url: string, marked: Marked, operator: PageVisitor): Promise<string[]> {
  const issuer = issuerUrl(url, { ...marked.oauth, integrationId: marked.oauth.id })
  const query = formOf({
    ...{ response_type: 'code', client_id: marked.client.id, redirect_uri: REDIRECT_URI },
    ...{ scope: 'accounts:read transactions:read', state: MARKS.state },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  })
  const authorize = `${issuer}/authorize?${query}`
  const stranger = new PageVisitor()
  const typed = { name: MARKS.operator, password: MARKS.wrong, action: 'sign-in' }
  await stranger.submit(await stranger.get(authorize), typed)
  const asked = await operator.get(authorize)
  const allowed: Visit = await operator.submit(asked, { action: 'allow' })
  const code = PageVisitor.target(allowed).searchParams.get('code') ?? ''
  const post = async (endpoint: string, form: Record<string, string>) => {
    const body = new URLSearchParams({
      ...{ client_id: marked.client.id, client_secret: marked.clientSecret, ...form },
    })
    const reply = await fetch(`${issuer}/${endpoint}`, { method: 'POST', body })
    const text = await reply.text()
    return (text === '' ? {} : JSON.parse(text)) as Record<string, string>
  }
  const exchange = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code }
  await post('token', { ...exchange, client_secret: `cs-${MARKS.wrong}`, code_verifier: VERIFIER })
  const first = await post('token', { ...exchange, code_verifier: VERIFIER })
  const { access_token: access = '', refresh_token: refresh = '' } = first
  const headers = { Authorization: `Bearer ${access}` }
  await fetch(`${url}/v1/w/transactions?limit=1`, { headers })
  const second = await post('token', { grant_type: 'refresh_token', refresh_token: refresh })
  const newest = second['refresh_token'] ?? ''
  await post('revoke', { token: newest })
  await fetch(`${issuer}/.well-known/oauth-authorization-server`)
  return [code, access, refresh, second['access_token'] ?? '', newest, VERIFIER]
}

async function callTools(url: string, { mcp, mcpKey }: Marked): Promise<void> {
  const endpoint = resourceUrl(url, { ...mcp, integrationId: mcp.id })
  const call = callOf('get_transactions', { search: MARKS.query, match: MARKS.query })
  for (const [body, credential] of [
    [JSON.stringify(LIST), mcpKey],
    [JSON.stringify(call), mcpKey],
    [JSON.stringify(callOf(MARKS.body, { [MARKS.body]: MARKS.body })), mcpKey],
    [`{"${MARKS.body}`, mcpKey],
    [JSON.stringify(LIST), `mcp-${MARKS.wrong}`],
  ] as const) {
    const fields = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const headers = { ...fields, Authorization: `Bearer ${credential}` }
    await fetch(endpoint, { method: 'POST', headers, body })
  }
}

/** Texts that must be in no line. */
function forbiddenOf(marked: Marked, secrets: readonly string[]): string[] {
  const { key, badKey, mcpKey, clientSecret } = marked
  const all = [...secrets, key, badKey, mcpKey, clientSecret, OWN_IBAN, OTHER_IBAN]
  return [...all, ...Object.values(MARKS), 'Rechnung', '4711']
}

const OPERATIONS = [
  ...['getAccounts', 'getAccountTransactions', 'getCounterpartTransactions', 'getTransactions'],
  ...['searchTransactions', 'matchTransactions', 'getTransaction', 'getKeyScope', 'openapi'],
  ...['none', 'docs', 'dashboard', 'oauth.authorize', 'oauth.token', 'oauth.revoke'],
  ...['oauth.metadata', 'mcp'],
]

/** Runs a service and sends requests of every kind. @returns the lines of its log */
async function linesOfRun(t: Test, engine: string, format: string): Promise<string[]> {
  const marked = await markedDirectory(t)
  const words = ['serve', '--port', '0', '--json', '--data-dir', marked.path, '--engine', engine]
  const logged = ['--log', format, '--log-level', 'debug', '--access-log']
  const kontor = startKontor(t, [...words, ...logged])
  const printed = JSON.parse(await kontor.firstLine()) as { url: string; firstRunUrl: string }
  const run = await wholeRun(printed.url, printed.firstRunUrl, marked)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
  const log = kontor.output.stderr
  const forbidden = forbiddenOf(marked, run.secrets)
  t.ok(
    forbidden.every((text) => text.length >= 4),
    'each secret was found',
  )
  for (const text of forbidden) {
    t.notOk(log.toLowerCase().includes(text.toLowerCase()), `${text} is not logged`)
  }
  const lines = log.split('\n')
  t.equal(lines.pop(), '', 'the last line is complete')
  const requests = lines.filter((line) => / request method=|"msg":"request"/.test(line))
  t.equal(requests.length, run.requestCount, 'each request has its line')
  return lines
}

for (const { name: engine } of rigs) {
  test(`${engine}: the log as JSON has all events, and no secret, row or query`, async (t) => {
    const lines = await linesOfRun(t, engine, 'json')
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    for (const { time, level, component, msg } of events) {
      t.match(time, TIME)
      t.match(level, /^(?:debug|info|warn|error)$/)
      t.match(component, /^(?:service|workspaces|control|http|access)$/)
      t.match(msg, /./)
    }
    const requests = events.filter(({ component }) => component === ACCESS_COMPONENT)
    for (const { method, status, durationMs, bytes, address, requestId } of requests) {
      t.match(method, /^(?:GET|POST)$/)
      t.ok([status, durationMs, bytes].every((value) => typeof value === 'number'))
      t.equal(address, '127.0.0.1')
      t.match(requestId, /./)
    }
    t.same(new Set(requests.map(({ operation }) => operation)), new Set(OPERATIONS))
    const credentials = new Set(requests.map(({ credentialId }) => credentialId))
    for (const id of ['key:1', 'key:2', 'mcp_key:1', 'operator:1', undefined]) {
      t.ok(credentials.has(id), `${id}`)
    }
    t.ok([...credentials].some((id) => `${id}`.startsWith('client:')))
    const failed = events.find(({ msg }) => msg === 'workspace cannot be loaded')
    t.match(failed, { level: 'error', workspaceId: 'bad', reason: /the file is damaged/ })
    t.match(events.at(-1), { component: 'service', msg: 'stopped' })
  })

  test(`${engine}: the log as text has no secret, row or query`, async (t) => {
    const lines = await linesOfRun(t, engine, 'text')
    for (const line of lines)
      t.match(line, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z (?:(?:WARN|ERROR) )?[a-z]/)
    t.match(lines.at(-1), / stopped$/)
  })
}
