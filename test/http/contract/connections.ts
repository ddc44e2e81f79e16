// Connections over both engines: keep-alive, pipelined, slow, many.
import { test } from 'tap'
import { TARGET_BYTES_MAX } from '../../../src/limits.js'
import { ask, replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'

for (const rig of rigs) {
  test(`${rig.name}: a connection carries many requests, until one asks to close it`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => replyText(exchange, exchange.path))
    const client = await WireClient.connect(port)
    for (let i = 0; i < 50; i++) {
      client.write(requestText('GET', `/${i}`))
      t.equal((await client.reply()).body.toString(), `/${i}`)
    }
    client.write(requestText('GET', '/last', 'Connection: close\r\n'))
    t.equal((await client.reply()).body.toString(), '/last')
    await client.closed()
  })

  test(`${rig.name}: pipelined requests are answered in order`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => replyText(exchange, exchange.path))
    const client = await WireClient.connect(port)
    const targets = Array.from({ length: 200 }, (_, i) => `/${i}`)
    client.write(targets.map((target) => requestText('GET', target)).join(''))
    const replies = await client.replies(targets.length)
    t.same(
      replies.map((reply) => reply.body.toString()),
      targets,
    )
    client.socket.destroy()
  })

  test(`${rig.name}: a request pipelined behind an unanswered one`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      if (exchange.path === '/slow') await new Promise((resolve) => setTimeout(resolve, 5))
      replyText(exchange, exchange.path)
    })
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/slow') + requestText('GET', '/next'))
    const replies = (await client.replies(2)).map((reply) => reply.body.toString())
    // The uws binary does not queue: it closes. Proxies and browsers do not pipeline.
    t.same(replies, rig.name === 'node' ? ['/slow', '/next'] : [])
    client.socket.destroy()
    const later = await ask(port, requestText('GET', '/slow'))
    t.equal(later.body.toString(), '/slow', 'the engine itself stays up')
  })

  test(`${rig.name}: responses before a refused request arrive, nothing after it`, async (t) => {
    const { port, seen, faults } = await rig.listen(t, async (exchange) => {
      if (exchange.method === 'POST') await exchange.body(2)
      if (exchange.method === 'PUT') exchange.reply(405, [['Allow', 'GET']], Buffer.from('no'))
      else replyText(exchange, exchange.path)
    })
    const valid = requestText('GET', '/1') + requestText('GET', '/2')
    const body = 'Content-Length: 3\r\n'
    const chunked = 'Transfer-Encoding: chunked\r\n'
    const refused: Readonly<Record<string, readonly [request: string, status: number]>> = {
      'GET with a body': [`${requestText('GET', '/b', body)}abc`, 400],
      'GET with chunks': [`${requestText('GET', '/b', chunked)}3\r\nabc\r\n0\r\n\r\n`, 400],
      'a body that is not all there': [`${requestText('GET', '/b', body)}a`, 400],
      'two Host fields': [requestText('GET', '/b', 'Host: other.test\r\n'), 400],
      'too long a target': [requestText('GET', `/${'b'.repeat(TARGET_BYTES_MAX)}`), 414],
      'an answer that reads no body': [`${requestText('PUT', '/b', body)}abc`, 405],
      'too long a body': [`${requestText('POST', '/b', body)}abc`, 413],
    }
    for (const [name, [request, status]] of Object.entries(refused)) {
      for (const next of [requestText('GET', '/next'), '']) {
        const client = await WireClient.connect(port)
        client.write(valid + request + next)
        const replies = await client.replies(3)
        const shown = replies.map((reply) => reply.status)
        t.same(
          shown,
          [200, 200, status],
          `${name}, ${next === '' ? 'the last one' : 'and another'}`,
        )
        t.same(
          replies.slice(0, 2).map((reply) => reply.body.toString()),
          ['/1', '/2'],
        )
        t.equal(replies[2]?.fields['connection'], 'close')
        t.match(replies[2]?.fields['date'], / GMT$/)
        await client.closed()
        t.equal(client.bytes.toString().trim(), '', 'only empty lines follow')
      }
    }
    t.notOk(seen.includes('GET /next'))
    t.same(faults, [])
  })

  test(`${rig.name}: a head that arrives byte by byte is answered`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => replyText(exchange, exchange.query))
    const client = await WireClient.connect(port)
    for (const byte of requestText('GET', '/?slow')) {
      client.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.equal((await client.reply()).body.toString(), 'slow')
    client.socket.destroy()
  })

  test(`${rig.name}: a slow reader gets every byte`, async (t) => {
    const size = 20_000_000
    const bytes = Buffer.alloc(size)
    for (let i = 0; i < size; i += 4) bytes.writeUInt32LE(i, i)
    const { port } = await rig.listen(t, async (exchange) => {
      if (exchange.path === '/later') await new Promise((resolve) => setImmediate(resolve))
      exchange.reply(200, [], bytes)
    })
    for (const target of ['/now', '/later']) {
      const client = await WireClient.connect(port)
      client.socket.pause()
      client.write(requestText('GET', target))
      // Other requests are answered while this one waits for its reader.
      for (let i = 0; i < 3; i++) {
        const other = await WireClient.connect(port)
        other.write(requestText('HEAD', '/now'))
        t.equal((await other.reply('HEAD')).fields['content-length'], String(size))
        other.socket.destroy()
      }
      client.socket.on('data', () => {
        client.socket.pause()
        setImmediate(() => client.socket.resume())
      })
      client.socket.resume()
      const reply = await client.reply()
      t.equal(reply.status, 200)
      t.ok(reply.body.equals(bytes), `${target}: every byte, in order`)
      client.write(requestText('HEAD', '/now'))
      t.equal((await client.reply('HEAD')).status, 200, 'the connection stays open')
      client.socket.destroy()
    }
  })

  test(`${rig.name}: pipelining without reading does not accumulate replies`, async (t) => {
    const size = 1_000_000
    const bytes = Buffer.alloc(size)
    const { port, seen } = await rig.listen(t, (exchange) => exchange.reply(200, [], bytes))
    const client = await WireClient.connect(port)
    client.socket.pause()
    client.write(requestText('GET', '/').repeat(2_000))
    for (let i = 0; i < 20; i++) await ask(port, requestText('HEAD', '/'), 'HEAD')
    const answered = seen.filter((target) => target === 'GET /').length
    t.ok(
      answered < 200,
      `${answered} of 2,000 replies of 1 MB were made for a client that reads none`,
    )
    client.socket.destroy()
  })

  test(`${rig.name}: 500 idle connections are kept, and any of them gets an answer`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => replyText(exchange, exchange.path))
    const idle = await Promise.all(Array.from({ length: 500 }, () => WireClient.connect(port)))
    t.equal((await ask(port, requestText('GET', '/fresh'))).body.toString(), '/fresh')
    for (const client of idle) client.write(requestText('GET', '/idle'))
    const replies = await Promise.all(idle.map((client) => client.reply()))
    t.equal(replies.filter((reply) => reply.body.toString() === '/idle').length, 500)
    for (const client of idle) client.socket.destroy()
  })
}
