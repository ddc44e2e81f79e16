// Start and stop of listening, over both engines.
import { createServer } from 'node:net'
import { test } from 'tap'
import { CommandError } from '../../../src/errors.js'
import type { Exchange } from '../../../src/http/engine/exchange.js'
import { replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'

/** So long that a test that waits for it fails by the runner's own limit. */
const LONG_MS = 600_000

async function isRefused(port: number): Promise<boolean> {
  try {
    const client = await WireClient.connect(port)
    client.socket.destroy()
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return true
    throw error
  }
}

for (const rig of rigs) {
  test(`${rig.name}: an idle engine stops at once and closes idle connections`, async (t) => {
    const { engine, port } = await rig.listen(t, (exchange) => replyText(exchange, 'a'))
    const fresh = await WireClient.connect(port)
    const used = await WireClient.connect(port)
    used.write(requestText('GET', '/'))
    await used.reply()
    const half = await WireClient.connect(port)
    await half.writeParts('GET / HTTP/1.1\r\nHo')
    await engine.stop(LONG_MS)
    await Promise.all([fresh.closed(), used.closed(), half.closed()])
    t.ok(await isRefused(port), 'the port no longer accepts')
    await engine.stop(LONG_MS)
  })

  test(`${rig.name}: stopping waits for the exchange in flight`, async (t) => {
    let arrived: (exchange: Exchange) => void = () => undefined
    const arrival = new Promise<Exchange>((resolve) => {
      arrived = resolve
    })
    const { engine, port } = await rig.listen(t, (exchange) => arrived(exchange))
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/'))
    const exchange = await arrival
    let isStopped = false
    const stopped = engine.stop(LONG_MS).then(() => {
      isStopped = true
    })
    while (!(await isRefused(port))) await new Promise((resolve) => setImmediate(resolve))
    t.notOk(isStopped, 'no new connection, and not stopped yet')
    t.notOk(exchange.aborted)
    replyText(exchange, 'in time')
    const reply = await client.reply()
    t.equal(reply.body.toString(), 'in time')
    t.equal(reply.fields['connection'], 'close')
    await stopped
    await client.closed()
  })

  test(`${rig.name}: stopping waits for a slow body and a slow reader`, async (t) => {
    const size = 20_000_000
    let begun: () => void = () => undefined
    const beginning = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { engine, port } = await rig.listen(t, async (exchange) => {
      if (exchange.method === 'GET') return exchange.reply(200, [], Buffer.alloc(size))
      begun()
      replyText(exchange, Buffer.from(await exchange.body(100)).toString())
    })
    const reader = await WireClient.connect(port)
    reader.write(requestText('GET', '/'))
    while (reader.byteCount === 0) await new Promise((resolve) => setImmediate(resolve))
    reader.socket.pause()
    const writer = await WireClient.connect(port)
    writer.write(`${requestText('POST', '/', 'Content-Length: 6\r\n')}abc`)
    await beginning
    const stopped = engine.stop(LONG_MS)
    await writer.writeParts('def')
    t.equal((await writer.reply()).body.toString(), 'abcdef')
    reader.socket.resume()
    t.equal((await reader.reply()).body.length, size)
    await stopped
  })

  test(`${rig.name}: exchanges past the drain time are closed`, async (t) => {
    let arrived: (exchange: Exchange) => void = () => undefined
    const arrival = new Promise<Exchange>((resolve) => {
      arrived = resolve
    })
    const { engine, port } = await rig.listen(t, (exchange) => arrived(exchange))
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/'))
    const exchange = await arrival
    const { signal } = exchange
    await engine.stop(1)
    await client.closed()
    t.ok(exchange.aborted)
    t.ok(signal.aborted)
    replyText(exchange, 'dropped')
    t.equal(client.bytes.length, 0)
  })

  test(`${rig.name}: the port is free again at once`, async (t) => {
    const first = await rig.open({})
    await first.stop(0)
    const second = await rig.open({ port: first.port })
    t.equal(second.port, first.port)
    await second.stop(0)
  })

  test(`${rig.name}: an unusable address is reported in one sentence`, async (t) => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const bound = holder.address()
    const taken = typeof bound === 'object' && bound !== null ? bound.port : 0
    await t.rejects(rig.open({ port: taken }), {
      constructor: CommandError,
      kind: 'failed',
      message: new RegExp(`^port ${taken} on 127.0.0.1 is in use: .* choose another --port$`),
    })
    holder.close()
    const engine = await rig.open({})
    await t.rejects(rig.open({ port: engine.port }), /is in use/, 'nor is a port ever shared')
    await engine.stop(0)
    await t.rejects(rig.open({ host: 'no-such-host.invalid' }), {
      kind: 'failed',
      message:
        'no-such-host.invalid cannot be resolved: set --host to an address, such as 127.0.0.1',
    })
    await t.rejects(rig.open({ host: '192.0.2.1' }), /is not an address of this machine/)
  })

  test(`${rig.name}: a host name is resolved`, async (t) => {
    const engine = await rig.open({ host: 'localhost', answer: (e) => replyText(e, 'here') })
    const response = await fetch(`http://localhost:${engine.port}/`)
    t.equal(await response.text(), 'here')
    await engine.stop(0)
  })
}
