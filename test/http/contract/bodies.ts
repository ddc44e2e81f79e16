// Request bodies over both engines.
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { ApiError } from '../../../src/errors.js'
import { ask, errorOf, replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'

for (const rig of rigs) {
  test(`${rig.name}: a body of every size up to the limit arrives complete`, async (t) => {
    const bytesMax = 1_000_000
    const bodies: Buffer[] = []
    const { port } = await rig.listen(t, async (exchange) => {
      const body = await exchange.body(bytesMax)
      bodies.push(Buffer.from(body))
      replyText(exchange, `${body.length}`)
    })
    for (const size of [0, 1, 1_000, 65_536, 600_001, bytesMax]) {
      const body = randomBytes(size)
      const reply = await ask(
        port,
        `${requestText('POST', '/', `Content-Length: ${size}\r\n`)}${body.toString('latin1')}`,
      )
      t.equal(reply.body.toString(), String(size))
      t.ok(bodies.pop()?.equals(body), `${size} bytes arrive as sent`)
    }
  })

  test(`${rig.name}: a body in pieces arrives complete, and the connection stays`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      replyText(exchange, Buffer.from(await exchange.body(100)).toString())
    })
    const client = await WireClient.connect(port)
    for (let i = 0; i < 2; i++) {
      await client.writeParts('POST / HT', 'TP/1.1\r\nHost: a\r\nConte', 'nt-Length: 9\r\n\r')
      await client.writeParts('\nabc', 'def', 'ghi')
      t.equal((await client.reply()).body.toString(), 'abcdefghi')
      await client.writeParts(requestText('POST', '/', 'Transfer-Encoding: chunked\r\n'))
      await client.writeParts('3\r', '\nab', 'c\r\n4\r\ndefg\r\n', '0\r\n\r\n')
      t.equal((await client.reply()).body.toString(), 'abcdefg')
    }
    client.socket.destroy()
  })

  test(`${rig.name}: a body past the limit is 413 and ends the connection`, async (t) => {
    const { port, faults } = await rig.listen(t, async (exchange) => {
      await exchange.body(10)
      replyText(exchange, 'taken')
    })
    const chunked = 'Transfer-Encoding: chunked\r\n'
    const requests = [
      `${requestText('POST', '/', 'Content-Length: 11\r\n')}abcdefghijk`,
      requestText('POST', '/', 'Content-Length: 999999999999\r\n'),
      `${requestText('POST', '/', chunked)}b\r\nabcdefghijk\r\n0\r\n\r\n`,
      `${requestText('POST', '/', chunked)}a\r\nabcdefghij\r\n1\r\nk\r\n`,
    ]
    for (const request of requests) {
      const client = await WireClient.connect(port)
      client.write(request)
      const [reply] = await client.replies(1)
      // uws 20.30 itself drops a length too large to count.
      if (rig.build !== '20.30' || !request.includes('999999999999')) {
        t.equal(reply?.status, 413)
        t.match(reply && errorOf(reply), { error: 'body_too_large', message: /10 bytes/ })
      }
      t.notMatch(reply?.body.toString() ?? '', 'taken')
      await client.closed()
    }
    const fits = `${requestText('POST', '/', 'Content-Length: 10\r\n')}abcdefghij`
    t.equal((await ask(port, fits)).body.toString(), 'taken')
    t.same(faults, [], 'too large a body is no internal error')
  })

  test(`${rig.name}: a reply to an unread body ends the connection`, async (t) => {
    for (const when of ['/now', '/later']) {
      const { port, seen } = await rig.listen(t, async (exchange) => {
        if (when === '/later') await new Promise((resolve) => setImmediate(resolve))
        exchange.reply(405, [['Allow', 'GET']], Buffer.from('no'))
      })
      const client = await WireClient.connect(port)
      client.write(`${requestText('POST', when, 'Content-Length: 3\r\n')}abc`)
      const reply = await client.reply()
      t.equal(reply.status, 405)
      t.equal(reply.fields['connection'], 'close')
      t.equal(reply.fields['allow'], 'GET')
      await client.closed()
      t.equal(seen.length, 1)
    }
  })

  test(`${rig.name}: the client gets 100 Continue before it sends the body`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      replyText(exchange, Buffer.from(await exchange.body(100)).toString())
    })
    const client = await WireClient.connect(port)
    for (let i = 0; i < 2; i++) {
      const fields = 'Expect: 100-continue\r\nContent-Length: 3\r\n'
      client.write(requestText('POST', '/', fields))
      t.equal((await client.reply()).status, 100)
      client.write('abc')
      t.equal((await client.reply()).body.toString(), 'abc')
    }
    client.write(`${requestText('POST', '/', 'Expect: tea\r\nContent-Length: 3\r\n')}abc`)
    t.equal((await client.reply()).status, 200, 'another expectation is ignored')
    client.socket.destroy()
  })

  test(`${rig.name}: a body is read once, and not after an await`, async (t) => {
    const { port, faults } = await rig.listen(t, async (exchange) => {
      if (exchange.path === '/twice') await exchange.body(100)
      else await new Promise((resolve) => setImmediate(resolve))
      await exchange.body(100)
    })
    for (const path of ['/twice', '/late']) {
      const request = `${requestText('POST', path, 'Content-Length: 3\r\n')}abc`
      t.equal((await ask(port, request)).status, 500)
      t.match(faults.pop()?.error, { code: 'ERR_ASSERTION' })
    }
  })
}

for (const rig of rigs) {
  test(`${rig.name}: a body handed over in parts arrives in order`, async (t) => {
    const { port, faults } = await rig.listen(t, async (exchange) => {
      const parts: Uint8Array[] = []
      await exchange.bodyTo(8_000_000, async (part) => {
        // Slower than the network: the rest of the body waits in the socket.
        await new Promise((resolve) => setImmediate(resolve))
        parts.push(part)
      })
      replyText(exchange, createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
    })
    const client = await WireClient.connect(port)
    for (const size of [0, 1, 70_000, 8_000_000]) {
      const body = randomBytes(size)
      client.write(requestText('POST', '/', `Content-Length: ${size}\r\n`))
      client.write(body.toString('latin1'))
      const hash = createHash('sha256').update(body).digest('hex')
      t.equal((await client.reply()).body.toString(), hash, `${size} bytes`)
    }
    await client.writeParts(requestText('POST', '/', 'Transfer-Encoding: chunked\r\n'))
    await client.writeParts('3\r', '\nab', 'c\r\n4\r\ndefg\r\n', '0\r\n\r\n')
    const hash = createHash('sha256').update('abcdefg').digest('hex')
    t.equal((await client.reply()).body.toString(), hash)
    client.socket.destroy()
    t.same(faults, [])
  })

  test(`${rig.name}: no more of it is read than announced or wanted`, async (t) => {
    const { port, faults } = await rig.listen(t, async (exchange) => {
      await exchange.bodyTo(10, async () => {
        if (exchange.path === '/unwanted') throw new ApiError('invalid_parameter', 'not that')
      })
      replyText(exchange, 'taken')
    })
    const sent = [
      [requestText('POST', '/', 'Content-Length: 11\r\n'), 413],
      [`${requestText('POST', '/', 'Transfer-Encoding: chunked\r\n')}b\r\nabcdefghijk\r\n`, 413],
      [`${requestText('POST', '/unwanted', 'Content-Length: 10\r\n')}abcdef`, 400],
    ] as const
    for (const [request, status] of sent) {
      const client = await WireClient.connect(port)
      client.write(request)
      const [reply] = await client.replies(1)
      t.equal(reply?.status, status)
      await client.closed()
    }
    t.same(faults, [])
  })

  test(`${rig.name}: a client that disconnects within it is noticed`, async (t) => {
    const ended: Promise<unknown>[] = []
    const { port, faults, seen } = await rig.listen(t, (exchange) => {
      const body = exchange.bodyTo(1_000, async () => undefined)
      ended.push(
        body.catch((error: unknown) => [exchange.aborted, error === exchange.signal.reason]),
      )
      return body
    })
    const client = await WireClient.connect(port)
    await client.writeParts(requestText('POST', '/', 'Content-Length: 100\r\n'), 'abc')
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    client.socket.destroy()
    t.same(await ended[0], [true, true])
    t.same(faults, [])
  })
}
