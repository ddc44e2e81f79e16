import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PageVisitor } from '../test/fixtures/page-visitor.js'
import type { Installation } from './installation.js'
import { Kontor, type RunningService } from './kontor.js'

const run = promisify(execFile)

/** The fields of a transaction that the check reads. */
interface Transaction {
  readonly id: number
  readonly purpose?: string
  readonly endToEndReference?: string
}

/** Inputs of the check. */
interface InstallationCheck {
  readonly kontor: Kontor
  readonly installation: Installation
  /** A bank file. */
  readonly statement: string
}

const WORKSPACE = 'books'
const OPERATOR = { name: 'anna', password: 'correct horse battery' }
const REDIRECT_URI = 'http://127.0.0.1:8910/callback'
const CACHE_MS_MAX = 30_000
/** A word that looks like a reference: it has at least four digits. */
const REFERENCE = /\b(?=(?:\S*\d){4})[\w/-]{6,}\b/

/**
 * The steps of a user with a new installation, from the first import to a restored backup.
 * @param report called with the name of each step before it runs
 * @throws Error of the step that fails
 */
export async function checkInstallation(
  installation: Installation,
  statement: string,
  report: (step: string) => void,
): Promise<void> {
  const kontor = new Kontor(installation, 'data')
  const the: InstallationCheck = { kontor, installation, statement }
  report('version')
  await tellsVersion(the)
  report('import')
  await imports(the)
  const { apiKey } = (await kontor.json(['demo', '--transactions', '5000'])) as { apiKey: string }
  const { key } = (await kontor.json(['keys', 'create', '--workspace', WORKSPACE])) as {
    key: string
  }
  report('serve, list, search, match')
  const first = await kontor.serve()
  try {
    await reads(first, key)
    report('OAuth 2.1')
    await authorizes(the, first)
    report('MCP')
    await callsTool(the, first)
    report('cache')
    await ask(first, '/v1/demo/transactions?limit=1', apiKey)
    await until(() => existsSync(join(installation.folder, 'data/cache/demo.frozen')))
  } finally {
    assert.equal(await first.end('SIGTERM'), '0', 'SIGTERM ends the service in order')
  }
  report('restart from the cache')
  await restarts(the, apiKey)
  report('in process')
  await answersInProcess(the)
  report('backup and restore')
  await restores(the, key)
}

/** A program of the user's own that imports the package. */
const PROGRAM = `
  import { openKontor } from 'kontor'
  const kontor = await openKontor({ dataDir: 'data' })
  const demo = await kontor.workspace('demo')
  const { total } = demo.transactions({ query: 'rechnung', limit: 1 })
  const { items } = await demo.summary({ groupBy: ['year'] })
  await kontor.close()
  console.log(JSON.stringify({ total, groups: items.length }))`

async function answersInProcess({ installation }: InstallationCheck): Promise<void> {
  const { node, folder, environment } = installation
  const words = ['--input-type=module', '--eval', PROGRAM]
  const { stdout } = await run(node.program, words, { cwd: folder, env: environment })
  const { total, groups } = JSON.parse(stdout) as { total: number; groups: number }
  assert.ok(total > 0 && groups > 0, `the package answers: ${stdout}`)
}

async function tellsVersion({ kontor, installation }: InstallationCheck): Promise<void> {
  const output = await kontor.run(['--version'])
  assert.ok(output.includes(installation.node.version), `--version names Node.js: ${output}`)
}

async function imports({ kontor, statement }: InstallationCheck): Promise<void> {
  const words = ['import', '--workspace', WORKSPACE, statement]
  const first = (await kontor.json(words)) as { added: number; skipped: number }
  assert.ok(first.added > 0 && first.skipped === 0, 'every row of the file is imported')
  const second = (await kontor.json(words)) as { added: number; unchanged: number }
  assert.deepEqual([second.added, second.unchanged], [0, first.added], 'and none twice')
}

async function reads(service: RunningService, key: string): Promise<void> {
  const listed = (await ask(service, `/v1/${WORKSPACE}/transactions`, key)) as Transaction[]
  assert.ok(listed.length > 0, 'transactions are listed')
  const found = listed.flatMap(({ id, purpose = '', endToEndReference = '' }) => {
    const [reference] = REFERENCE.exec(`${endToEndReference} ${purpose}`) ?? []
    return reference === undefined ? [] : [{ id, reference }]
  })[0]
  assert.ok(found !== undefined, 'the statement has a reference')
  for (const verb of ['search', 'match']) {
    const query = new URLSearchParams({ query: found.reference })
    const path = `/v1/${WORKSPACE}/transactions/${verb}?${query}`
    const hits = (await ask(service, path, key)) as Transaction[]
    assert.ok(
      hits.some(({ id }) => id === found.id),
      `${verb} finds transaction ${found.id} by ${found.reference}`,
    )
  }
}

/** The authorization code flow with PKCE, from the side of browser and client. */
async function authorizes({ kontor }: InstallationCheck, { url }: RunningService): Promise<void> {
  const typed = ['--workspace', WORKSPACE, '--type', 'oauth2', '--name', 'Tax adviser']
  const { id } = (await kontor.json(['integrations', 'create', ...typed])) as { id: string }
  const client = ['--integration', id, '--type', 'public', '--redirect-uri', REDIRECT_URI]
  const made = await kontor.json(['clients', 'create', ...client, '--name', 'Ledger'])
  const { clientId } = made as { clientId: string }
  await kontor.run(['operators', 'create', OPERATOR.name], `${OPERATOR.password}\n`)
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: 'matrix',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const issuer = `${url}/v1/${WORKSPACE}/oauth2/${id}`
  const visitor = new PageVisitor()
  const signIn = await visitor.get(`${issuer}/authorize?${asked}`)
  const consent = await visitor.follow(
    await visitor.submit(signIn, { ...OPERATOR, action: 'sign-in' }),
  )
  const answer = PageVisitor.target(await visitor.submit(consent, { action: 'allow' }))
  assert.equal(answer.searchParams.get('state'), 'matrix')
  const code = answer.searchParams.get('code') ?? ''
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }
  const tokens = await token(issuer, {
    ...{ ...exchange, client_id: clientId, code_verifier: verifier },
  })
  await ask({ url }, `/v1/${WORKSPACE}/accounts`, tokens.access_token)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const next = await token(issuer, { ...refresh, client_id: clientId })
  await ask({ url }, `/v1/${WORKSPACE}/accounts`, next.access_token)
}

async function token(
  issuer: string,
  form: Readonly<Record<string, string>>,
): Promise<{ access_token: string; refresh_token: string }> {
  const body = new URLSearchParams(form)
  const response = await fetch(`${issuer}/token`, { method: 'POST', body })
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as { access_token: string; refresh_token: string }
}

async function callsTool({ kontor }: InstallationCheck, { url }: RunningService): Promise<void> {
  const typed = ['--workspace', WORKSPACE, '--type', 'mcp', '--name', 'Agent']
  const { id } = (await kontor.json(['integrations', 'create', ...typed])) as { id: string }
  const made = await kontor.json(['integrations', 'keys', 'create', '--integration', id])
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_transactions', arguments: { limit: 1 } },
  }
  const response = await fetch(`${url}/v1/${WORKSPACE}/mcp/${id}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${(made as { key: string }).key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const { result } = JSON.parse(text) as { result: { structuredContent: { returned: number } } }
  assert.equal(result.structuredContent.returned, 1, text)
}

/** Starts from the cache, is killed while it serves, and starts once more. */
async function restarts({ kontor }: InstallationCheck, apiKey: string): Promise<void> {
  const path = '/v1/demo/transactions?limit=250'
  const second = await kontor.serve()
  const before = await ask(second, path, apiKey)
  const log = second.log()
  assert.equal(await second.end('SIGKILL'), 'SIGKILL')
  assert.match(log, /workspaceId=demo .*source=cache/, 'the second start reads the cache')
  const third = await kontor.serve()
  try {
    assert.deepEqual(await ask(third, path, apiKey), before, 'nothing is lost by kill -9')
  } finally {
    await third.end('SIGTERM')
  }
}

async function restores({ kontor, installation }: InstallationCheck, key: string): Promise<void> {
  const path = `/v1/${WORKSPACE}/transactions`
  const service = await kontor.serve()
  const before = await ask(service, path, key)
  const backups = join(installation.folder, 'backups')
  try {
    await kontor.run(['backup', backups])
  } finally {
    await service.end('SIGTERM')
  }
  const made = readdirSync(backups).filter((name) => !name.startsWith('.'))
  assert.equal(made.length, 1, 'there is one backup')
  const restored = new Kontor(installation, 'restored')
  await restored.run(['restore', backups])
  await restored.run(['check'])
  const again = await restored.serve()
  try {
    assert.deepEqual(await ask(again, path, key), before, 'the restored service answers the same')
  } finally {
    await again.end('SIGTERM')
  }
}

/** @returns the body of a 200 @throws AssertionError for any other answer */
async function ask({ url }: { url: string }, path: string, key: string): Promise<unknown> {
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } })
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text)
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = Date.now() + CACHE_MS_MAX
  while (!holds()) {
    assert.ok(Date.now() < endMs, 'the cache is written')
    await wait(50)
  }
}
