import { spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'tap'
import { assertWrk, loadWithWrk, readFigures, targetList } from '../../bench/load.js'

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

test('targets are lines below the header fields to send with them', async (t) => {
  const fields = { Authorization: 'Bearer sk-x' }
  const others = { Authorization: 'Bearer sk-y', 'X-Accounts': '1,2' }
  const targets = [
    { path: '/a?b=c', fields },
    { path: '/d', fields },
    { path: '/e', fields: others, body: '{"f":1}' },
  ]
  t.equal(
    targetList(targets),
    '\nAuthorization: Bearer sk-x\n/a?b=c\n/d\n' +
      '\nAuthorization: Bearer sk-y\nX-Accounts: 1,2\n/e\t{"f":1}\n',
  )
})

test("the figures are parsed from wrk's output", async (t) => {
  const figures = { requestCount: 5, durationUs: 10, bytes: 20, p50Us: 1, p99Us: 2, faults: 0 }
  t.strictSame(readFigures(`Running 1s test\n\nFIGURES ${JSON.stringify(figures)}\n`), figures)
  t.throws(() => readFigures('unable to connect\n'), /no figures/)
})

test('wrk sends each target with its fields; if missing, its package is named', async (t) => {
  if (!hasWrk) {
    t.throws(assertWrk, /Debian package/)
    return
  }
  t.doesNotThrow(assertWrk)
  const seen = new Set<string>()
  const describe = ({ method, url, headers }: IncomingMessage): string =>
    `${method} ${url} ${headers['x-mark']} ${headers['content-length'] ?? 0}`
  let status = 200
  const server = createServer((request, response) => {
    seen.add(describe(request))
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const targets = [
    { path: '/a?b=%20c', fields: { 'X-Mark': '1' } },
    { path: '/d', fields: { 'X-Mark': '2, 3' } },
    { path: '/e', fields: { 'X-Mark': '4' }, body: '{"a":[1,2]}' },
  ]
  const load = { port, pid: process.pid, targets, seconds: 1 }
  const figures = await loadWithWrk(load)
  t.strictSame([...seen].sort(), ['GET /a?b=%20c 1 0', 'GET /d 2, 3 0', 'POST /e 4 11'])
  t.ok(figures.requestCount > 0)
  t.ok(figures.p99Ms >= figures.p50Ms)
  status = 404
  await t.rejects(loadWithWrk(load), /requests failed/, 'answers other than 2xx are an error')
  server.close()
  server.closeAllConnections()
})
