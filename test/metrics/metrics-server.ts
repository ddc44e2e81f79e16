import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'tap'
import { RequestTotals } from '../../src/http/request-totals.js'
import type { MetricSources } from '../../src/metrics/metric-sources.js'
import { serveMetrics } from '../../src/metrics/metrics-server.js'
import { SnapshotCounts } from '../../src/snapshot/snapshot-counts.js'

const NOTHING: MetricSources = {
  requests: new RequestTotals([]),
  snapshots: { counts: new SnapshotCounts(), behindCount: 0, residentBytes: 0, residentCount: 0 },
  memoryBudgetBytes: 1,
  searches: { taskCount: 0 },
  matches: { taskCount: 0 },
  budgetMissCount: () => 0,
  pools: () => ({}),
  refusals: new Map(),
  controlLog: undefined,
  heard: undefined,
  unready: () => [],
}
const OPTIONS = { host: '127.0.0.1', port: 0, build: { version: '1', engine: () => 'node' } }

test('metrics are at one path, and nothing else', async (t) => {
  const onFault = (error: unknown): void => void t.fail(String(error))
  const server = await serveMetrics({ ...OPTIONS, metricSources: NOTHING, onFault })
  const url = `http://127.0.0.1:${server.port}`
  const ask = async (path: string, method = 'GET'): Promise<Response> =>
    fetch(url + path, { method })
  t.match(await (await ask('/metrics?a=b')).text(), /^kontor_ready 1$/m)
  const head = await ask('/metrics', 'HEAD')
  t.equal(head.status, 200)
  t.equal(await head.text(), '')
  for (const path of ['/', '/livez', '/readyz', '/metrics/', '/v1/w/accounts', '/dashboard']) {
    t.equal((await ask(path)).status, 404, path)
  }
  const posted = await ask('/metrics', 'POST')
  t.equal(posted.status, 405)
  t.equal(posted.headers.get('allow'), 'GET, HEAD')
  await server.stop()
  await t.rejects(ask('/metrics'), 'the port is closed')
})

test('an unreadable metric is reported in the log only', async (t) => {
  const faults: unknown[] = []
  const fault = new Error('no such thing')
  const metricSources: MetricSources = {
    ...NOTHING,
    unready: () => {
      throw fault
    },
  }
  const server = await serveMetrics({
    ...OPTIONS,
    metricSources,
    onFault: (error) => faults.push(error),
  })
  t.teardown(() => server.stop())
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  t.equal(response.status, 500)
  t.notMatch(await response.text(), 'no such thing')
  t.same(faults, [fault])
})

test('a port in use is reported in one sentence', async (t) => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  t.teardown(() => holder.close())
  const { port } = holder.address() as AddressInfo
  const onFault = (): void => undefined
  await t.rejects(serveMetrics({ ...OPTIONS, port, metricSources: NOTHING, onFault }), {
    kind: 'failed',
    message: /^metrics cannot be served on port \d+ of 127\.0\.0\.1 .*another --metrics-port/,
  })
})
