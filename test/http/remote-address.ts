import { test } from 'tap'
import { plainAddress } from '../../src/http/remote-address.js'
import { ask, replyText, requestText, rigs } from '../fixtures/http-rig.js'

test('an address has one form', async (t) => {
  const forms: readonly (readonly [text: string, plain: string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['0000:0000:0000:0000:0000:ffff:c000:0207', '192.0.2.7'],
    ['::1', '::1'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['', ''],
    ['/run/kontor.sock', '/run/kontor.sock'],
  ]
  for (const [text, plain] of forms) t.equal(plainAddress(text), plain, text)
})

for (const rig of rigs) {
  test(`${rig.name}: the peer is that of the socket, whatever is said of others`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => replyText(exchange, exchange.remoteAddress))
    const fields = 'X-Forwarded-For: 192.0.2.9\r\nForwarded: for=192.0.2.9\r\n'
    for (let i = 0; i < 2; i++) {
      const reply = await ask(port, requestText('GET', '/', fields))
      t.equal(reply.body.toString(), '127.0.0.1')
    }
  })
  test(`${rig.name}: it can be read later too`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      replyText(exchange, exchange.remoteAddress)
    })
    t.equal((await ask(port, requestText('GET', '/'))).body.toString(), '127.0.0.1')
  })
}
