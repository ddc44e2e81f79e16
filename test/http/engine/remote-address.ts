import { test } from 'tap'
import type { Handler } from '../../../src/http/engine/exchange.js'
import { forwardedAddress, plainAddress } from '../../../src/http/engine/remote-address.js'
import { ask, replyText, requestText, rigs } from '../../fixtures/http-rig.js'

test('an address has one canonical form', async (t) => {
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

test("the caller's address is the last entry of the proxy's field", async (t) => {
  const fields: readonly (readonly [field: string, address: string | undefined])[] = [
    ['', undefined],
    ['192.0.2.7', '192.0.2.7'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['198.51.100.1,\t 192.0.2.7 ', '192.0.2.7'],
    ['x, ::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['192.0.2.7,', undefined],
    ['unknown', undefined],
    ['192.0.2.300', undefined],
    ['[192.0.2.7', undefined],
    ['[]:1', undefined],
    [','.repeat(5_000), undefined],
  ]
  for (const [field, address] of fields) t.equal(forwardedAddress(field), address, field)
})

for (const rig of rigs) {
  test(`${rig.name}: behind a proxy the caller is the last address in its field`, async (t) => {
    const answer: Handler = (exchange) => replyText(exchange, exchange.remoteAddress)
    const engine = await rig.open({ answer, behindProxy: true })
    t.teardown(() => engine.stop(0))
    const callers: readonly (readonly [fields: string, caller: string])[] = [
      ['', '127.0.0.1'],
      ['X-Forwarded-For: 192.0.2.9\r\n', '192.0.2.9'],
      ['X-Forwarded-For: 192.0.2.9\r\nx-forwarded-for: 192.0.2.7\r\n', '192.0.2.7'],
      ['X-Forwarded-For: nobody\r\n', '127.0.0.1'],
      ['Forwarded: for=192.0.2.9\r\n', '127.0.0.1'],
    ]
    for (const [fields, caller] of callers) {
      const reply = await ask(engine.port, requestText('GET', '/', fields))
      t.equal(reply.body.toString(), caller, fields)
    }
  })
  test(`${rig.name}: the peer is that of the socket, whatever the fields claim`, async (t) => {
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
