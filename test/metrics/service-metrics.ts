import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'tap'
import { appendAudit } from '../../src/auth/audit.js'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { TimeHistogram } from '../../src/time-histogram.js'
import { checkByPromtool } from '../fixtures/promtool.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { type Scrape, scraper } from '../fixtures/scrape.js'
import { overEngines, overOneEngine } from '../fixtures/service.js'

const root = resolve(import.meta.dirname, '../../..')

test(
  'each reply is counted by operation, class of status, bytes and time',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const scrape = await scraper(t, service)
    const before = await scrape()
    for (const { id } of OPERATIONS) {
      for (const status of ['2xx', '3xx', '4xx', '5xx']) {
        const labels = { operation: id, status }
        t.equal(before.value('kontor_http_requests_total', labels), 0, `${id} ${status}`)
      }
    }
    const list = await service.ask('/v1/w/transactions?limit=3', { key })
    const etag = list.fields['etag'] ?? ''
    await service.ask('/v1/w/transactions?limit=3', { key, headers: { 'If-None-Match': etag } })
    await service.ask('/v1/w/transactions?limit=3', { key, method: 'HEAD' })
    await service.ask('/v1/w/transactions?limit=x', { key })
    await service.ask('/v1/w/accounts', { key: 'sk-unknown' })
    await service.ask('/v1/w/transactions/search?query=re', { key })
    await service.ask('/v1/w/transactions/match?query=RE-1', { key })
    await service.ask('/nowhere')
    const { port } = service.client
    await fetch(`http://127.0.0.1:${port}/dashboard`)
    await fetch(`http://127.0.0.1:${port}/v1/w/mcp/0123456789abcdef0123`, { method: 'POST' })
    const after = await scrape()
    const counts = after.samples.filter(
      ({ name, value }) => name === 'kontor_http_requests_total' && value > 0,
    )
    t.same(Object.fromEntries(counts.map(({ labels, value }) => [keyOf(labels), value])), {
      'getAccounts 4xx': 1,
      'getTransactions 2xx': 2,
      'getTransactions 3xx': 1,
      'getTransactions 4xx': 1,
      'searchTransactions 2xx': 1,
      'matchTransactions 2xx': 1,
      'openapi 2xx': 1,
      'mcp 4xx': 1,
      'dashboard 2xx': 1,
      'none 4xx': 1,
    })
    const ofAccounts = { operation: 'getAccounts' }
    t.equal(after.value('kontor_http_unauthorized_total', ofAccounts), 1)
    const ofLists = { operation: 'getTransactions' }
    const bytes = after.value('kontor_http_response_bytes_total', ofLists)
    const refused = (await service.ask('/v1/w/transactions?limit=x', { key })).text
    t.equal(bytes, Buffer.byteLength(list.text) + Buffer.byteLength(refused))
    t.equal(after.value('kontor_http_request_duration_seconds_count', ofLists), 4)
    t.match(after.value('kontor_workspace_load_duration_seconds_count', { source: 'file' }), 1)
    t.equal(after.value('kontor_workspaces_resident'), 1)
    t.ok(after.value('kontor_workspaces_resident_bytes') > 0)
    t.equal((await scrape()).value('kontor_http_requests_total', keysOfList), 2, 'not added twice')
  }),
)

const keysOfList = { operation: 'getTransactions', status: '2xx' }

function keyOf(labels: Readonly<Record<string, string>>): string {
  return `${labels['operation']} ${labels['status']}`
}

test(
  'limits, refusals and a drain are counted',
  overOneEngine(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const scrape = await scraper(t, service)
      t.equal((await scrape()).value('kontor_ready'), 1)
      for (let i = 0; i < 3; i++) await service.ask('/v1/w/key/scope', { key })
      service.service.drain()
      const after = await scrape()
      t.equal(after.value('kontor_ready'), 0)
      const operation = 'getKeyScope'
      t.equal(after.value('kontor_http_rate_limited_total', { operation }), 2)
      const build = after.families.get('kontor_build_info')?.samples[0]?.labels
      t.same(build, { version: '1.2.3', node: process.versions.node, engine: 'uws' })
      t.equal(after.value('kontor_refusals_total', { action: 'session.begin' }), 0)
      // A sign-in with a form from elsewhere.
      const url = `http://127.0.0.1:${service.client.port}/dashboard`
      const body = new URLSearchParams({ action: 'sign-in', name: 'a', password: 'b' })
      await fetch(url, { method: 'POST', body, headers: { Origin: 'http://kontor.test' } })
      const refused = await scrape()
      t.equal(refused.value('kontor_refusals_total', { action: 'session.begin' }), 1)
    },
    { requestsPerMinute: 1 },
  ),
)

test(
  'workspace events are counted, without names',
  overOneEngine(async (t, service) => {
    await service.write('secret-name', SAMPLE)
    const { key } = await service.newKey('secret-name')
    const scrape = await scraper(t, service)
    await service.ask('/v1/secret-name/accounts', { key })
    rmSync(service.pathOf('secret-name'))
    await service.until(async () => (await scrape()).value('kontor_workspace_drops_total') === 1)
    const { text } = await scrape()
    t.notMatch(text, 'secret-name')
    t.equal((await scrape()).value('kontor_workspaces_resident'), 0)
    await service.control.atomically(() =>
      appendAudit({ who: 'anonymous', address: '192.0.2.1', requestId: 'r' }, 0, {
        action: 'session.begin',
        outcome: 'refused',
      }),
    )
    const other = (await scrape()).value('kontor_refusals_total', { action: 'session.begin' })
    t.equal(other, 0, 'refusals of another process are its own')
  }),
)

/** The metrics in the documentation's table, by name. */
function documented(): Map<string, string> {
  const text = readFileSync(join(root, 'docs/operating/monitoring.md'), 'utf8')
  return new Map(
    [...text.matchAll(/^\| `((?:kontor|nodejs|process)_\w+)` +\| (\w+) /gm)].map(
      ([, name = '', type = '']) => [name, type],
    ),
  )
}

test(
  'the documented metrics are the existing ones; promtool and every expression accept them',
  overOneEngine(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const took = new TimeHistogram()
    took.add(3)
    const scrape = await scraper(t, service, {
      ...{ took, ageMs: () => 250, notificationCount: () => 2, connectionCount: () => 1 },
    })
    await service.ask('/v1/w/accounts', { key })
    // A metric without a value does not appear: garbage collections are reported with a delay.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    const isCollected = async (): Promise<boolean> =>
      (await scrape()).families.get('nodejs_gc_duration_seconds')?.samples.length !== 0
    await service.until(isCollected)
    const now = await scrape()
    const served = Array.from(now.families, ([name, { type }]) => `${name} ${type}`)
    const listed = Array.from(documented(), ([name, type]) => `${name} ${type}`)
    t.same(served.sort(), listed.sort())
    const overFiles = [...(await (await scraper(t, service))()).families.keys()]
    t.notOk(overFiles.some((name) => name.startsWith('kontor_store_')))
    t.equal(now.value('kontor_store_heard_age_seconds'), 0.25)
    t.equal(now.value('kontor_store_pulse_duration_seconds_count'), 1)
    t.equal(now.value('kontor_store_notifications_total'), 2)
    t.equal(now.value('kontor_store_connections_total'), 1)
    checkByPromtool(t, ['check', 'metrics'], now.text)

    const alertsPath = join(root, 'deploy/alerts.yml')
    const alerts = readFileSync(alertsPath, 'utf8')
    t.ok(alerts.match(/^ +- alert: /gm)?.length)
    assertKnown(alerts, now)
    checkByPromtool(t, ['check', 'rules', alertsPath])

    const dashboard = readFileSync(join(root, 'deploy/grafana.json'), 'utf8')
    const expressions = expressionsIn(JSON.parse(dashboard))
    t.ok(expressions.length > 10)
    for (const expression of expressions) assertKnown(expression, now)
    const rules = expressions.map((expression, i) => {
      const expr = JSON.stringify(expression.replaceAll('$__rate_interval', '5m'))
      return `      - record: kontor:panel_${i}\n        expr: ${expr}\n`
    })
    const path = join(t.testdir(), 'panels.yml')
    writeFileSync(path, `groups:\n  - name: panels\n    rules:\n${rules.join('')}`)
    checkByPromtool(t, ['check', 'rules', path])

    function assertKnown(text: string, { samples }: Scrape): void {
      const names = new Set(samples.map(({ name }) => name))
      const used = text.match(/\b(?:kontor|nodejs|process)_[a-z_0-9]+\b/g) ?? []
      for (const name of used) t.ok(names.has(name), `${name} is served`)
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
      for (const [, list = ''] of text.matchAll(/\b(?:by|without) \(([^)]*)\)/g)) {
        for (const label of list.split(/, */)) {
          const isTarget = label === 'instance' || label === 'job'
          t.ok(isTarget || labels.has(label), `${label} is a label`)
        }
      }
    }
  }),
)

/** Every `expr` anywhere in the value. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'expr' && typeof inner === 'string' ? [inner] : expressionsIn(inner),
  )
}

test('the panels of the dashboard do not overlap, and each has an expression', async (t) => {
  const { panels, uid, title } = JSON.parse(
    readFileSync(join(root, 'deploy/grafana.json'), 'utf8'),
  ) as {
    readonly uid: string
    readonly title: string
    readonly panels: readonly {
      readonly id: number
      readonly title: string
      readonly targets?: readonly { readonly expr: string; readonly refId: string }[]
      readonly gridPos: { readonly x: number; readonly y: number; w: number; h: number }
    }[]
  }
  t.match({ uid, title }, { uid: 'kontor', title: 'kontor' })
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { title, targets = [], gridPos } of panels) {
    t.ok(targets.length > 0, title)
    t.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
    t.ok(gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        t.notOk(taken.has(`${x} ${y}`), `${title} overlaps another panel`)
        taken.add(`${x} ${y}`)
      }
    }
  }
})
