import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Test, test } from 'tap'
import { selfSigned } from '../fixtures/self-signed.js'
import { overEngines } from '../fixtures/service.js'
import { runHere } from '../fixtures/terminal.js'

test(
  'a running service is ready, then draining, with exit codes 0 and 1',
  overEngines(async (t, service) => {
    const { port } = service.client
    const url = `http://127.0.0.1:${port}`
    t.same(await runHere(['health', '--url', url]), {
      code: 0,
      stdout: `${url} is ready\n`,
      stderr: '',
    })
    // As in a container: the settings of serve are enough.
    for (const host of ['0.0.0.0', '127.0.0.1', 'localhost']) {
      const environment = { KONTOR_PORT: String(port), KONTOR_HOST: host }
      t.match(await runHere(['health'], { environment }), { code: 0, stdout: / is ready\n$/ }, host)
    }
    const output = await runHere(['health', '--url', `${url}/`, '--json'])
    t.same(JSON.parse(output.stdout), { url, ok: true })
    service.service.drain()
    t.same(await runHere(['health', '--url', url]), {
      code: 1,
      stdout: '',
      stderr: `kontor: ${url} is not ready: stopping\n`,
    })
    const why = await runHere(['health', '--url', url, '--json'])
    t.equal(why.code, 1)
    const fault = 'is not ready: stopping'
    t.same(JSON.parse(why.stdout), { url, ok: false, fault, reasons: ['stopping'] })
    const alive = await runHere(['health', '--url', url, '--live'])
    t.same(alive, { code: 0, stdout: `${url} is alive\n`, stderr: '' })
  }),
)

/** Listens on a free port of loopback. */
async function listening(t: Test, answer: RequestListener, tls?: object): Promise<number> {
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

test('a certificate is not verified on loopback', async (t) => {
  const port = await listening(t, (_, response) => response.end('{}'), selfSigned())
  const words = ['health', '--port', String(port), '--tls-cert', 'c.pem']
  t.match(await runHere(words), { code: 0, stdout: `https://127.0.0.1:${port} is ready\n` })
})

test('an answer from another program is reported in one line', async (t) => {
  const other = await listening(t, (_, response) => response.writeHead(503).end('<html>'))
  const long = await listening(t, (_, response) => response.end('x'.repeat(100_000)))
  const silent = await listening(t, () => undefined)
  const gone = await listening(t, (_, response) => response.destroy())
  for (const [port, message] of [
    [other, / is not kontor: \/livez answered 503\n$/],
    [long, / cannot be reached: the answer is too long\n$/],
    [silent, / did not answer within 3000 ms\n$/],
    [gone, / cannot be reached: socket hang up\n$/],
    [1, / cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
  ] as const) {
    const ended = await runHere(['health', '--port', String(port)])
    t.match(ended, { code: 1, stdout: '', stderr: message })
    t.equal(ended.stderr.split('\n').length, 2)
  }
  t.match(await runHere(['health', '--url', 'bank.example.org']), {
    code: 2,
    stderr: /--url "bank\.example\.org": an http or https URL/,
  })
  t.match(await runHere(['health', '--port', '0']), { code: 2, stderr: /--port must be/ })
})
