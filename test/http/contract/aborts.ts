// Clients that disconnect, at every stage, over both engines.
import { test } from 'tap'
import type { Exchange } from '../../../src/http/engine/exchange.js'
import { ask, replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'

/** The exchange of the next request, and the events of its signal. */
interface Caught {
  readonly exchange: Exchange
  readonly abortion: Promise<void>
}

function catcher(): { answer: (exchange: Exchange) => void; next: () => Promise<Caught> } {
  let give: (caught: Caught) => void = () => undefined
  let caught = new Promise<Caught>((resolve) => {
    give = resolve
  })
  return {
    answer: (exchange) => {
      const abortion = new Promise<void>((resolve) => {
        exchange.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      give({ exchange, abortion })
    },
    next: async () => {
      const found = await caught
      caught = new Promise<Caught>((resolve) => {
        give = resolve
      })
      return found
    },
  }
}

for (const rig of rigs) {
  test(`${rig.name}: a client that disconnects before the reply aborts the signal`, async (t) => {
    const { answer, next } = catcher()
    const { port, faults } = await rig.listen(t, answer)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const client = await WireClient.connect(port)
      client.write(requestText(method, '/'))
      const { exchange, abortion } = await next()
      t.notOk(exchange.aborted)
      t.notOk(exchange.signal.aborted)
      client.socket.destroy()
      await abortion
      t.ok(exchange.aborted)
      t.ok(exchange.signal.aborted)
      replyText(exchange, 'nobody hears this')
      t.ok(exchange.replied, 'a reply after the abort is dropped silently')
      t.throws(() => replyText(exchange, 'again'), 'a second one is still a bug')
    }
    t.same(faults, [])
  })

  test(`${rig.name}: a disconnect calls back, unless the reply was first`, async (t) => {
    const calls: string[] = []
    const { port } = await rig.listen(t, (exchange) => {
      exchange.onAborted = () => calls.push(exchange.path)
      if (exchange.path === '/replied') replyText(exchange, 'there')
    })
    for (const path of ['/replied', '/waiting']) {
      const client = await WireClient.connect(port)
      client.write(requestText('GET', path))
      if (path === '/replied') await client.reply()
      else await ask(port, requestText('GET', '/replied'))
      client.socket.destroy()
    }
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    t.same(calls, ['/waiting'])
  })

  test(`${rig.name}: a signal first read after the abort is aborted`, async (t) => {
    let exchange: Exchange | undefined
    const { port } = await rig.listen(t, (arrived) => {
      exchange = arrived
    })
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/'))
    while (exchange === undefined) await new Promise((resolve) => setImmediate(resolve))
    client.socket.destroy()
    while (!exchange.aborted) await new Promise((resolve) => setImmediate(resolve))
    t.ok(exchange.signal.aborted)
  })

  test(`${rig.name}: disconnecting during the body rejects it, without an error`, async (t) => {
    let rejected: (reason: unknown) => void = () => undefined
    const rejection = new Promise<unknown>((resolve) => {
      rejected = resolve
    })
    let begun: () => void = () => undefined
    const beginning = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { port, faults } = await rig.listen(t, async (exchange) => {
      begun()
      try {
        await exchange.body(100)
      } catch (error) {
        rejected(error)
        t.ok(exchange.aborted)
        t.equal(error, exchange.signal.reason)
        throw error
      }
    })
    const client = await WireClient.connect(port)
    client.write(`${requestText('POST', '/', 'Content-Length: 50\r\n')}abc`)
    await beginning
    client.socket.destroy()
    t.match(await rejection, { name: 'AbortError' })
    await new Promise((resolve) => setImmediate(resolve))
    t.same(faults, [], 'there is no reply, and nothing broke')
  })

  test(`${rig.name}: an exception after the abort is logged, not a crash`, async (t) => {
    let fail: (reason: Error) => void = () => undefined
    const { answer, next } = catcher()
    const { port, faults } = await rig.listen(t, (exchange) => {
      answer(exchange)
      return new Promise((_, reject) => {
        fail = reject
      })
    })
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/', 'X-Request-Id: gone\r\n'))
    const { abortion } = await next()
    client.socket.destroy()
    await abortion
    fail(new Error('too late'))
    await new Promise((resolve) => setImmediate(resolve))
    t.match(faults, [{ error: { message: 'too late' }, requestId: 'gone' }])
  })

  test(`${rig.name}: a client that disconnects in or after the reply is harmless`, async (t) => {
    const exchanges: Exchange[] = []
    const { port, faults } = await rig.listen(t, (exchange) => {
      exchanges.push(exchange)
      if (exchange.path !== '/big') return replyText(exchange, 'small')
      exchange.reply(200, [], Buffer.alloc(20_000_000))
    })
    const whole = await WireClient.connect(port)
    whole.write(requestText('GET', '/small'))
    await whole.reply()
    whole.socket.destroy()
    const part = await WireClient.connect(port)
    part.write(requestText('GET', '/big'))
    while (part.byteCount === 0) await new Promise((resolve) => setImmediate(resolve))
    part.socket.destroy()
    t.equal((await ask(port, requestText('GET', '/small'))).body.toString(), 'small')
    const big = exchanges[1]
    while (big?.aborted === false) await new Promise((resolve) => setImmediate(resolve))
    t.notOk(big?.signal.aborted === false, 'known to the exchange')
    t.same(faults, [])
  })

  test(`${rig.name}: a half-sent request never reaches the handler`, async (t) => {
    const { port, seen } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
    for (const text of ['G', 'GET / HTTP/1.1\r\nHo', 'GET / HTTP/1.1\r\nHost: a\r\n']) {
      const client = await WireClient.connect(port)
      client.write(text)
      client.socket.end()
      await client.closed()
    }
    t.same(seen, [])
  })
}
