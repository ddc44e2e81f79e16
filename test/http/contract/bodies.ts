// Request bodies over both engines.
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { ask, errorOf, replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'

for (const rig of rigs) {
  test(`${rig.name}: a body of every size up to the limit arrives whole`, async (t) => {
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

  test(`${rig.name}: a body in pieces arrives whole, and the connection lives on`, async (t) => {
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
      // uws itself drops a length it cannot count.
      if (rig.name === 'node' || !request.includes('999999999999')) {
        t.equal(reply?.status, 413)
        t.match(reply && errorOf(reply), { error: 'body_too_large', message: /10 bytes/ })
      }
      t.notMatch(reply?.body.toString() ?? '', 'taken')
      await client.closed()
    }
    const fits = `${requestText('POST', '/', 'Content-Length: 10\r\n')}abcdefghij`
    t.equal((await ask(port, fits)).body.toString(), 'taken')
    t.same(faults, [], 'too large a body is no fault of ours')
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

  test(`${rig.name}: the client is told to go on before it sends the body`, async (t) => {
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

  test(`${rig.name}: a body is asked for once, and not after an await`, async (t) => {
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
