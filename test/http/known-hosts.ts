import { test } from 'tap'
import type { ErrorCode } from '../../src/errors.js'
import type { Exchange } from '../../src/http/engine/exchange.js'
import { answeringKnownHosts, namesLoopback } from '../../src/http/known-hosts.js'
import { ask, errorOf, replyText, rigs } from '../fixtures/http-rig.js'

test('loopback names are its addresses and localhost, with a port or without', async (t) => {
  const names = ['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '127.8.9.1', '127.1', '[::1]:1']
  for (const host of names) t.ok(namesLoopback(host), host)
  const others = [
    ...['', '[', 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'],
    ...['evil.example@localhost', 'localhost@evil.example', 'evil.example/localhost', '[::2]'],
    ...['localhost evil.example', 'localhost:port', '0.0.0.0', 'a.localhost'],
  ]
  for (const host of others) t.notOk(namesLoopback(host), host)
})

for (const rig of rigs) {
  test(`${rig.name}: only requests to the service's own names are answered`, async (t) => {
    const known = answeringKnownHosts({
      baseUrl: () => 'https://bank.example.org/kontor',
      listenHost: 'Box.lan',
    })
    const { port } = await rig.listen(
      t,
      known((exchange: Exchange) => replyText(exchange, 'here')),
    )
    const statusOf = async (host: string): Promise<number> => {
      const reply = await ask(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      if (reply.status !== 200) {
        const code: ErrorCode = 'misdirected'
        t.match(errorOf(reply), { error: code, message: /bank\.example\.org .*--base-url/ }, host)
      }
      return reply.status
    }
    const right = ['localhost', `127.0.0.1:${port}`, 'bank.example.org', 'BANK.example.org:443']
    for (const host of [...right, ...right, 'box.lan', `box.lan:${port}`]) {
      t.equal(await statusOf(host), 200, host)
    }
    for (const host of ['evil.example', 'bank.example.org.evil.example', 'lan', 'x.box.lan']) {
      t.equal(await statusOf(host), 421, host)
      t.equal(await statusOf(host), 421, `${host}, again`)
    }
    // More hosts than the cache holds: the others are checked each time, and still correct.
    for (let i = 1; i <= 100; i++) t.equal(await statusOf(`localhost:${i}`), 200)
  })
}
