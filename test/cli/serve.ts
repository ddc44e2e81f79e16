// `kontor serve` as a process of its own: behaviour that only a process shows.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { createIntegration } from '../../src/admin/integrations.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import { deleteWorkspaceCredentials } from '../../src/admin/workspaces.js'
import { fillDemo } from '../../src/demo/fill.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { type KontorProcess, startKontor } from '../fixtures/child-process.js'
import { ask, rigs } from '../fixtures/http-rig.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { selfSigned } from '../fixtures/self-signed.js'
import { Client, outcomeOf } from '../fixtures/service.js'
import { runHere } from '../fixtures/terminal.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

/** A data directory with the workspace `w` and a key of it. */
async function sampled(t: Test): Promise<{ path: string; key: string; file: string }> {
  const path = t.testdir()
  const directory = makeDataDirectory(path)
  const file = workspacePath(directory, 'w')
  await writeWorkspace(file, SAMPLE)
  const control = ControlFile.open(directory.controlPath)
  const input = { workspaceId: 'w', name: 'k', scopes: SCOPES, accountIds: null, expiresAtMs: null }
  const { key } = await createApiKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, input)
  control.close()
  return { path, key, file }
}

async function clientOf(t: Test, kontor: KontorProcess): Promise<Client> {
  const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
  const client = new Client(Number(new URL(url).port))
  t.teardown(() => client.close())
  return client
}

for (const { name: engine } of rigs) {
  test(`${engine}: prints its URL, answers, and exits with 0 after a SIGTERM`, async (t) => {
    const { path, key, file } = await sampled(t)
    const words = ['serve', '--port', '0', '--json', '--data-dir', path, '--engine', engine]
    const kontor = startKontor(t, words)
    const client = await clientOf(t, kontor)
    const quick = async (): Promise<string> => outcomeOf(await client.ask('/v1/w/accounts'))
    t.equal(await quick(), '401 unauthorized')
    // The request waits for its workspace, on which another program holds a lock.
    const database = new Database(file)
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    const slow = client.ask('/v1/w/accounts', { key })
    t.equal(await quick(), '401 unauthorized')
    t.equal(await quick(), '401 unauthorized', 'the slow request has arrived')
    kontor.child.kill('SIGTERM')
    while (!kontor.output.stderr.includes(' stopping')) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    database.exec('COMMIT')
    database.close()
    t.equal(outcomeOf(await slow), '200', 'the request in flight is finished')
    t.equal(await kontor.ended, 0)
    t.match(
      kontor.output.stderr,
      new RegExp(`engine chosen engine=${engine} reason="set by --engine"\\n`),
    )
    t.match(kontor.output.stderr, / stopped\n$/)
    t.equal(kontor.output.stdout.split('\n').length, 2, 'one line of output')
  })
}

for (const { name: engine } of rigs) {
  test(`${engine}: drains after a signal, until the time ends or a second signal`, async (t) => {
    const { path, key } = await sampled(t)
    const words = ['serve', '--port', '0', '--json', '--data-dir', path, '--engine', engine]
    // An hour: only a second signal ends it.
    const kontor = startKontor(t, [...words, '--drain', '1h'])
    const client = await clientOf(t, kontor)
    t.equal(outcomeOf(await client.ask('/readyz')), '200')
    kontor.child.kill('SIGTERM')
    while (!kontor.output.stderr.includes(' draining; ')) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    t.same(JSON.parse((await client.ask('/readyz')).text), {
      status: 'unavailable',
      reasons: ['stopping'],
    })
    t.equal(outcomeOf(await client.ask('/livez')), '200')
    t.equal(outcomeOf(await client.ask('/v1/w/accounts', { key })), '200', 'as before')
    client.close()
    kontor.child.kill('SIGINT')
    t.equal(await kontor.ended, 0)
    const brief = startKontor(t, [...words, '--drain', '1s'])
    await brief.firstLine()
    brief.child.kill('SIGTERM')
    t.equal(await brief.ended, 0, 'it also exits by itself')
    t.match(brief.output.stderr, / draining; .* drain=1s\n.* stopping\n.* stopped\n$/)
  })
}

test('--metrics-port serves metrics on a separate port; without it there are none', async (t) => {
  const { path } = await sampled(t)
  const words = ['serve', '--port', '0', '--json', '--data-dir', path]
  const kontor = startKontor(t, [...words, '--metrics-port', '0'])
  await kontor.firstLine()
  const [, metricsUrl] = / serving metrics url=(http:\S+)\n/.exec(kontor.output.stderr) ?? []
  const scraped = await (await fetch(metricsUrl ?? '')).text()
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
  const [, engine] = / engine=(\w+) /.exec(kontor.output.stderr) ?? []
  t.match(scraped, `engine="${engine}"} 1\n`)
  const plain = startKontor(t, words)
  const client = await clientOf(t, plain)
  t.equal((await client.ask('/metrics')).status, 404)
  t.notMatch(plain.output.stderr, 'metrics')
})

test('an MCP endpoint on loopback accepts loopback names only', async (t) => {
  const { path } = await sampled(t)
  const words = ['--workspace', 'w', '--type', 'mcp', '--name', 'agent', '--json']
  const made = await runHere(['integrations', 'create', ...words, '--data-dir', path])
  const { endpoint } = JSON.parse(made.stdout) as { endpoint: string }
  const kontor = startKontor(t, ['serve', '--port', '0', '--json', '--data-dir', path])
  const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
  const { port } = new URL(url)
  const { pathname } = new URL(endpoint)
  for (const [host, status] of [
    [`localhost:${port}`, 401],
    [`127.0.0.1:${port}`, 401],
    ['evil.example.org', 403],
  ] as const) {
    const answer = await ask(Number(port), `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    t.equal(answer.status, status, host)
  }
  const evil = 'Host: evil.example.org\r\n\r\n'
  const page = await ask(Number(port), `GET /dashboard HTTP/1.1\r\n${evil}`)
  t.equal(page.status, 421, 'and so do all other paths')
})

test('the OpenAPI document names the actual address, or the given one', async (t) => {
  const { path } = await sampled(t)
  const words = ['serve', '--port', '0', '--json', '--data-dir', path]
  for (const given of [undefined, 'https://bank.example.org']) {
    const flag = given === undefined ? [] : ['--base-url', `${given}/`]
    const kontor = startKontor(t, [...words, ...flag])
    const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
    for (const time of ['first', 'second']) {
      const document = await (await fetch(`${url}/openapi.json`)).json()
      t.match(document, { servers: [{ url: given ?? url }] }, `${time} time`)
    }
    kontor.child.kill('SIGTERM')
    t.equal(await kontor.ended, 0)
  }
})

test('--rate-limit and --cors-origin are passed to the service', async (t) => {
  const { path, key } = await sampled(t)
  const words = ['serve', '--port', '0', '--json', '--data-dir', path, '--rate-limit', '1']
  const origins = ['--cors-origin', 'https://a.test', '--cors-origin', 'http://b.test:8080/']
  const kontor = startKontor(t, [...words, ...origins])
  const client = await clientOf(t, kontor)
  const headers = { Origin: 'http://b.test:8080' }
  const first = await client.ask('/v1/w/accounts', { key, headers })
  t.equal(first.fields['access-control-allow-origin'], headers.Origin)
  t.equal(first.fields['ratelimit-policy'], '"default";q=1;w=60')
  t.equal(outcomeOf(await client.ask('/v1/w/accounts', { key })), '429 rate_limited')
  kontor.child.kill('SIGINT')
  t.equal(await kontor.ended, 0)
})

test("only --behind-proxy takes the caller's address from the proxy", async (t) => {
  const { path } = await sampled(t)
  const control = ControlFile.open(makeDataDirectory(path).controlPath)
  const input = { workspaceId: 'w', name: 'k', scopes: SCOPES, accountIds: null, expiresAtMs: null }
  const only = { ...input, ipAllow: ['192.0.2.7'] }
  const { key } = await createApiKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, only)
  control.close()
  const headers = { 'X-Forwarded-For': '198.51.100.1, 192.0.2.7' }
  for (const [flags, outcome] of [
    [[], '401 unauthorized'],
    [['--behind-proxy'], '200'],
  ] as const) {
    const words = ['serve', '--port', '0', '--json', '--data-dir', path, ...flags]
    const client = await clientOf(t, startKontor(t, words))
    t.equal(outcomeOf(await client.ask('/v1/w/accounts', { key, headers })), outcome)
    t.equal(outcomeOf(await client.ask('/v1/w/accounts', { key })), '401 unauthorized')
  }
})

test('--preload loads before listening, and skips unreadable workspaces', async (t) => {
  const { path, key } = await sampled(t)
  writeFileSync(join(path, 'workspaces', 'bad.db'), 'x'.repeat(5_000))
  const kontor = startKontor(t, ['serve', '--port', '0', '--json', '--preload', '--data-dir', path])
  const client = await clientOf(t, kontor)
  t.match(kontor.output.stderr, /workspace loaded workspaceId=w transactionCount=302 durationMs=/)
  t.match(
    kontor.output.stderr,
    /WARN cannot preload workspace, continuing without it workspaceId=bad reason=/,
  )
  t.equal(outcomeOf(await client.ask('/v1/w/accounts', { key })), '200')
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
})

test('--demo creates the demo workspace once, and prints an example command', async (t) => {
  const path = t.testdir()
  const kontor = startKontor(t, ['serve', '--port', '0', '--demo', '--data-dir', path])
  await kontor.firstLine()
  while (!kontor.output.stdout.includes('kontor listens on')) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  t.match(kontor.output.stdout, /API key, shown only once: sk-[-\w]{43}\n/)
  const port = /kontor listens on .*:(\d+)\n/.exec(kontor.output.stdout)?.[1]
  const line = new RegExp(`curl -H 'Authorization: Bearer sk-.*:${port}/v1/demo/accounts'`)
  t.match(kontor.output.stdout, line)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
  const isLoaded = /workspace loaded workspaceId=demo transactionCount=20000.*engine chosen/s
  t.match(kontor.output.stderr, isLoaded, 'before the port opens')
})

test('--demo --json prints one JSON object, and completes an interrupted start', async (t) => {
  const path = t.testdir()
  const directory = makeDataDirectory(path)
  // Left by a start that was killed while filling: a file without rows, and no key.
  WorkspaceFile.open(workspacePath(directory, 'demo')).close()
  const words = ['serve', '--port', '0', '--demo', '--json', '--preload', '--data-dir', path]
  const start = async (): Promise<{ url: string; apiKey?: string }> => {
    const kontor = startKontor(t, words)
    const printed = JSON.parse(await kontor.firstLine()) as { url: string; apiKey?: string }
    if (printed.apiKey !== undefined) {
      const headers = { Authorization: `Bearer ${printed.apiKey}` }
      const reply = await fetch(`${printed.url}/v1/demo/transactions?limit=1`, { headers })
      t.equal(reply.headers.get('x-total-count'), '20000')
    }
    kontor.child.kill('SIGTERM')
    t.equal(await kontor.ended, 0)
    t.equal(kontor.output.stdout.split('\n').length, 2, 'one line of output')
    return printed
  }
  const made = { workspaceId: 'demo', apiKey: /^sk-[-\w]{43}$/, transactions: 20_000 }
  t.match(await start(), made)
  t.same(Object.keys(await start()), ['url', 'firstRunUrl'], 'nothing was missing')
  const control = ControlFile.open(directory.controlPath)
  await control.alone(() => deleteWorkspaceCredentials({ nowMs: 0, actor: CLI_ACTOR }, 'demo'))
  control.close()
  t.match(await start(), made, 'a missing key is created')
})

test('--demo does nothing next to another workspace, or with an unreadable demo', async (t) => {
  const { path } = await sampled(t)
  const damaged = join(path, 'damaged')
  makeDataDirectory(damaged)
  await runHere(['demo', '--transactions', '10', '--data-dir', path])
  writeFileSync(join(damaged, 'workspaces', 'demo.db'), 'x'.repeat(5_000))
  for (const directory of [path, damaged]) {
    const words = ['serve', '--port', '0', '--demo', '--json', '--data-dir', directory]
    const kontor = startKontor(t, words)
    const printed = JSON.parse(await kontor.firstLine()) as object
    t.same(Object.keys(printed), ['url', 'firstRunUrl'])
    kontor.child.kill('SIGTERM')
    t.equal(await kontor.ended, 0)
    const isDamaged = directory !== path
    t.equal(
      /cannot create the demo workspace, continuing without it reason=".*demo\.db/.test(
        kontor.output.stderr,
      ),
      isDamaged,
    )
    t.notMatch(kontor.output.stderr, /workspace loaded/)
  }
})

test('TLS is served by the node engine', async (t) => {
  const { path, key } = await sampled(t)
  const pem = selfSigned()
  const [cert, tlsKey] = [join(path, 'cert.pem'), join(path, 'key.pem')]
  writeFileSync(cert, pem.cert)
  writeFileSync(tlsKey, pem.key)
  const tls = ['--tls-cert', cert, '--tls-key', tlsKey]
  const kontor = startKontor(t, ['serve', '--port', '0', '--json', '--data-dir', path, ...tls])
  const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
  t.match(url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` }
    const sent = httpsRequest(`${url}/v1/w/accounts`, { ca: pem.cert, headers, agent: false })
    sent.on('response', (response) => {
      response.resume()
      resolve(response)
    })
    sent.on('error', reject)
    sent.end()
  })
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
  t.match(kontor.output.stderr, /engine chosen engine=node reason="kontor terminates TLS/)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
})

test('a port in use is reported in one sentence, by either engine', async (t) => {
  const { path } = await sampled(t)
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  t.teardown(() => holder.close())
  const { port } = holder.address() as AddressInfo
  for (const { name: engine } of rigs) {
    const words = ['serve', '--port', String(port), '--engine', engine, '--data-dir', path]
    const kontor = startKontor(t, words)
    t.equal(await kontor.ended, 1, engine)
    t.equal(kontor.output.stdout, '')
    const lines = kontor.output.stderr.trimEnd().split('\n')
    const sentence = `port ${port} on 127.0.0.1 is in use: stop the other program or choose another`
    t.match(lines.at(-1), `kontor: ${sentence} --port`)
    t.notMatch(kontor.output.stderr, /\n\s+at /, 'no stack')
  }
})

test('a usage error exits with 2, a failure with 1', async (t) => {
  const { path } = await sampled(t)
  const pem = selfSigned()
  writeFileSync(join(path, 'a.pem'), pem.cert)
  writeFileSync(join(path, 'file'), '')
  mkdirSync(join(path, 'closed'))
  chmodSync(join(path, 'closed'), 0o500)
  const tls = (cert: string, key: string): string[] => [
    ...['--tls-cert', join(path, cert)],
    ...['--tls-key', join(path, key)],
  ]
  const rows: readonly (readonly [words: string[], code: number, message: RegExp])[] = [
    [['--prot', '1'], 2, /there is no flag --prot; did you mean --port\?/],
    [['--port', '65536'], 2, /--port must be a whole number from 0 to 65535/],
    [['--port', 'x'], 2, /--port must be/],
    [['--engine', 'usw'], 2, /--engine must be one of auto, uws, node, not usw; did you mean uws/],
    [['--base-url', 'bank.example.org'], 2, /--base-url .* an http or https URL/],
    [['--cors-origin', '*'], 2, /--cors-origin "\*": an origin is expected/],
    [['--cors-origin', 'https://a.test/path'], 2, /an origin is expected/],
    [['--rate-limit', '0'], 2, /--rate-limit must be a whole number from 1 to/],
    [['--tls-cert', join(path, 'a.pem')], 2, /--tls-cert and --tls-key go together/],
    [['--tls-key', join(path, 'a.pem')], 2, /--tls-cert and --tls-key go together/],
    [['--engine', 'uws', ...tls('a.pem', 'a.pem')], 2, /engine uws does not support TLS/],
    [['--drain', '10'], 2, /--drain "10": a duration of at most 1h is expected, such as 10s/],
    [['--drain', '2h'], 2, /a duration of at most 1h/],
    [['--metrics-port', '70000'], 2, /--metrics-port must be a whole number/],
    [['--metrics-port', '0', '--metrics-host', '192.0.2.1'], 1, /choose another --metrics-port/],
    [['extra'], 2, /unexpected argument "extra"/],
    [tls('missing.pem', 'a.pem'), 1, /--tls-cert .*missing\.pem cannot be read/],
    [tls('a.pem', 'a.pem'), 1, /the TLS certificate or key cannot be used/],
    [['--data-dir', join(path, 'file')], 1, /the data directory .* cannot be used/],
    [['--host', '192.0.2.1'], 1, /192\.0\.2\.1 is not an address of this machine/],
    [['--host', 'no-such-host.invalid'], 1, /no-such-host\.invalid cannot be resolved/],
  ]
  for (const [words, code, message] of rows) {
    const directory = words.includes('--data-dir') ? [] : ['--data-dir', path]
    const port = words.includes('--port') ? [] : ['--port', '0']
    const result = await runHere(['serve', ...port, ...directory, ...words])
    t.equal(result.code, code, `${words.join(' ')}: ${result.stderr}`)
    t.match(result.stderr, message)
    t.equal(result.stdout, '')
  }
  if (process.getuid?.() !== 0) {
    const result = await runHere(['serve', '--data-dir', join(path, 'closed')])
    t.match(result, { code: 1, stderr: /cannot be used/ })
  }
})

test('a damaged control.db is reported in one sentence', async (t) => {
  const path = t.testdir({ 'control.db': 'x'.repeat(5_000) })
  const result = await runHere(['serve', '--port', '0', '--data-dir', path])
  t.equal(result.code, 1)
  t.match(result.stderr, /^kontor: .*control\.db: the file is damaged or is not a SQLite database/m)
})

test('a service whose stdout closes before the address is printed exits', async (t) => {
  const { path } = await sampled(t)
  for (const { name: engine } of rigs) {
    const kontor = startKontor(t, ['serve', '--port', '0', '--engine', engine, '--data-dir', path])
    kontor.child.stdout?.destroy()
    t.equal(await kontor.ended, 0, 'like any command without a reader')
    t.match(
      kontor.output.stderr,
      new RegExp(`engine=${engine} reason="set by --engine"`),
      'it had started',
    )
  }
})

test('a link creates the first operator; the log has the command in its place', async (t) => {
  const path = t.testdir()
  const words = ['serve', '--port', '0', '--data-dir', path]
  const logged = startKontor(t, words)
  while (!logged.output.stdout.includes('kontor listens on')) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  t.match(
    logged.output.stdout,
    /^There is no operator yet; create .*\n {2}kontor operators create NAME --data-dir \S+\nkontor/,
  )
  t.notMatch(logged.output.stdout + logged.output.stderr, /first-run/)
  logged.child.kill('SIGTERM')
  t.equal(await logged.ended, 0)
  const kontor = startKontor(t, [...words, '--json'])
  const printed = JSON.parse(await kontor.firstLine()) as { url: string; firstRunUrl: string }
  t.match(printed.firstRunUrl, /^http:.*\/dashboard\/first-run\/[-\w]{43}$/)
  const body = new URLSearchParams({ name: 'a', password: 'long enough', again: 'long enough' })
  const reply = await fetch(printed.firstRunUrl, { method: 'POST', body, redirect: 'manual' })
  t.equal(reply.status, 303)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
  const again = startKontor(t, words)
  t.match(await again.firstLine(), /^kontor listens on/)
  again.child.kill('SIGTERM')
  t.equal(await again.ended, 0)
})

test('a plain-text port on a public address gives a warning', async (t) => {
  const { path } = await sampled(t)
  const warned = /without TLS host=0\.0\.0\.0 advice="use a proxy .*--behind-proxy.*--tls-cert/
  for (const [words, isWarned] of [
    [['--host', '0.0.0.0'], true],
    [['--host', '0.0.0.0', '--base-url', 'http://bank.example.org'], true],
    [['--host', '0.0.0.0', '--base-url', 'https://bank.example.org'], false],
    [['--host', '0.0.0.0', '--behind-proxy'], false],
    [['--host', '127.0.0.2'], false],
  ] as const) {
    const kontor = startKontor(t, ['serve', '--port', '0', '--json', '--data-dir', path, ...words])
    await kontor.firstLine()
    kontor.child.kill('SIGTERM')
    t.equal(await kontor.ended, 0)
    t.equal(warned.test(kontor.output.stderr), isWarned, words.join(' '))
  }
})

test('--mcp-answer-chars bounds the answers of tools', async (t) => {
  const { path, file } = await sampled(t)
  const workspace = WorkspaceFile.open(file)
  await fillDemo(workspace, { transactions: 300, seed: 1 })
  workspace.close()
  const control = ControlFile.open(makeDataDirectory(path).controlPath)
  const all = { scopes: SCOPES, accountIds: null, tools: null }
  const input = { workspaceId: 'w', kind: 'mcp', name: 'i', ...all } as const
  const { id } = await createIntegration({ control, nowMs: Date.now(), actor: CLI_ACTOR }, input)
  const named = { integrationId: id, name: 'k', scopes: SCOPES, expiresAtMs: null }
  const { key } = await createMcpKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, named)
  control.close()
  const params = { name: 'get_transactions', arguments: { limit: 250 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  for (const chars of [10_000, 20_000]) {
    const words = ['serve', '--port', '0', '--json', '--data-dir', path]
    const kontor = startKontor(t, [...words, '--mcp-answer-chars', String(chars)])
    const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
    const reply = await fetch(`${url}/v1/w/mcp/${id}`, { method: 'POST', headers, body })
    const { result } = (await reply.json()) as { result: { content: [{ text: string }] } }
    const [{ text }] = result.content
    t.match(JSON.parse(text), { truncated: true })
    t.ok(text.length <= chars && text.length > chars * 0.9, `${text.length} of ${chars}`)
  }
})
