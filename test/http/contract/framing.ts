// Requests whose end two HTTP parsers could place differently. The second request in each of them
// is the one that an attacker smuggles past a proxy; it must never reach the handler.
import { test } from 'tap'
import { replyText, requestText, rigs, settled, WireClient } from '../../fixtures/http-rig.js'

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: kontor.test\r\n\r\n'
const LENGTH = SMUGGLED.length

/** Name -> header fields, and the text between the head and the smuggled request. */
const HIDING: Readonly<Record<string, readonly [fields: string, between?: string]>> = {
  'two differing Content-Lengths': [`Content-Length: 0\r\nContent-Length: ${LENGTH}\r\n`],
  'two differing Content-Lengths, other way': [
    `Content-Length: ${LENGTH}\r\nContent-Length: 0\r\n`,
  ],
  'an empty Content-Length': ['Content-Length:\r\n'],
  'a blank Content-Length': ['Content-Length: \t \r\n'],
  'an empty Content-Length before a real one': [`Content-Length:\r\nContent-Length: ${LENGTH}\r\n`],
  'a negative Content-Length': ['Content-Length: -1\r\n'],
  'a signed Content-Length': [`Content-Length: +${LENGTH}\r\n`],
  'a hexadecimal Content-Length': ['Content-Length: 0x2f\r\n'],
  'a Content-Length list': [`Content-Length: 0, ${LENGTH}\r\n`],
  'a Content-Length past every integer': ['Content-Length: 99999999999999999999999\r\n'],
  'an empty Transfer-Encoding': ['Transfer-Encoding:\r\n'],
  'an empty Transfer-Encoding with a length': [
    `Transfer-Encoding:\r\nContent-Length: ${LENGTH}\r\n`,
  ],
  'an unknown Transfer-Encoding': ['Transfer-Encoding: identity\r\n', '0\r\n\r\n'],
  'a Transfer-Encoding list': ['Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
  'a Transfer-Encoding that ends otherwise': [
    'Transfer-Encoding: chunked, identity\r\n',
    '0\r\n\r\n',
  ],
  'chunked twice': ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  'a Transfer-Encoding in quotes': ['Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'],
  'Content-Length and Transfer-Encoding': [
    `Content-Length: ${LENGTH + 5}\r\nTransfer-Encoding: chunked\r\n`,
    '0\r\n\r\n',
  ],
  'Transfer-Encoding and Content-Length': [
    `Transfer-Encoding: chunked\r\nContent-Length: ${LENGTH + 5}\r\n`,
    '0\r\n\r\n',
  ],
  'white space before the colon': [`Content-Length : ${LENGTH}\r\n`],
  'a folded Transfer-Encoding': ['Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
  'a folded field that hides a length': [`X-A: b\r\n Content-Length: ${LENGTH}\r\n`],
  'a field name that begins with white space': [` Content-Length: ${LENGTH}\r\n`],
  'a bare CR inside a value': [`X-A: b\rContent-Length: ${LENGTH}\r\n`],
  'a bare LF as line end': [`X-A: b\nContent-Length: ${LENGTH}\r\n`],
  'a NUL inside a value': [`X-A: b\x00\r\nContent-Length: ${LENGTH}\r\n`],
  'a NUL inside a name': [`Content-Length\x00: ${LENGTH}\r\n`],
  'a vertical tab before chunked': ['Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'],
  'a field without a colon': [`X-A\r\nContent-Length: ${LENGTH}\r\n`],
  'a chunk size that overflows': [
    'Transfer-Encoding: chunked\r\n',
    'FFFFFFFFFFFFFFFF1\r\n\r\n0\r\n\r\n',
  ],
  'a chunk size that is no number': ['Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n0\r\n\r\n'],
  'a chunk longer than its size': ['Transfer-Encoding: chunked\r\n', '1\r\nab\r\n0\r\n\r\n'],
}

for (const rig of rigs) {
  for (const method of ['POST', 'GET']) {
    test(`${rig.name}: ${method}: no hidden second request reaches the handler`, async (t) => {
      for (const [name, [fields, between = '']] of Object.entries(HIDING)) {
        const { engine, port, seen, faults } = await rig.listen(t, async (exchange) => {
          if (exchange.method === 'POST') await exchange.body(1_000)
          replyText(exchange, 'ran')
        })
        const client = await WireClient.connect(port)
        client.write(requestText(method, '/first', fields) + between + SMUGGLED)
        await Promise.race([client.closed(), settled(port)])
        t.notOk(seen.includes('GET /smuggled'), `${name}: ${seen.join(', ')}`)
        // uws skips two bytes after a chunk unchecked, so it accepts this one.
        if (rig.name === 'node' || name !== 'a chunk longer than its size') {
          t.notMatch(
            client.bytes.toString(),
            'HTTP/1.1 2',
            `${name}: nothing is answered with success`,
          )
        }
        t.same(faults, [], `${name}: no internal error`)
        client.socket.destroy()
        await engine.stop(0)
      }
    })
  }

  test(`${rig.name}: GET and HEAD with a body are 400 and end the connection`, async (t) => {
    const body = requestText('GET', '/smuggled')
    const framings = [
      [`Content-Length: ${body.length}\r\n`, body],
      ['Transfer-Encoding: chunked\r\n', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ] as const
    for (const method of ['GET', 'HEAD']) {
      for (const [fields, sent] of framings) {
        const { port, seen } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
        const client = await WireClient.connect(port)
        client.write(requestText(method, '/first', fields) + sent)
        const reply = await client.reply(method)
        t.equal(reply.status, 400)
        t.equal(reply.fields['connection'], 'close')
        if (method === 'GET') t.match(reply.body.toString(), '"error":"invalid_request"')
        await client.closed()

        const hiding = await WireClient.connect(port)
        hiding.write(requestText(method, '/first', fields) + sent + SMUGGLED)
        await hiding.closed()
        t.notMatch(hiding.bytes.toString(), 'ran')
        t.same(seen, [], 'neither the first nor the second is run')
      }
    }
  })

  test(`${rig.name}: two Host fields, or none, are refused`, async (t) => {
    const { port, seen } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
    const twice = 'Host: a\r\nHost: b\r\n'
    const none = 'X-A: b\r\n'
    for (const hosts of [twice, 'Host: a\r\nhost: a\r\n', none]) {
      const client = await WireClient.connect(port)
      client.write(`GET / HTTP/1.1\r\n${hosts}\r\n`)
      const [reply] = await client.replies(1)
      // uws 20.30 itself closes on a request without Host. Newer builds answer all three, bare.
      if (rig.build === '20.30' && hosts === none) t.equal(reply, undefined)
      else t.equal(reply?.status, 400)
      if (rig.name === 'node' || (rig.build === '20.30' && hosts !== none)) {
        t.match(reply?.body.toString(), '"error":"invalid_request"')
      }
      await client.closed()
      const hiding = await WireClient.connect(port)
      hiding.write(`GET / HTTP/1.1\r\n${hosts}\r\n${SMUGGLED}`)
      await hiding.closed()
      t.notMatch(hiding.bytes.toString(), 'ran')
    }
    t.same(seen, [])
  })

  test(`${rig.name}: an empty field name`, async (t) => {
    const { port, seen } = await rig.listen(t, async (exchange) => {
      if (exchange.method === 'POST') await exchange.body(1_000)
      replyText(exchange, 'ran')
    })
    const client = await WireClient.connect(port)
    client.write(requestText('POST', '/first', `: x\r\nContent-Length: ${LENGTH}\r\n`) + SMUGGLED)
    await Promise.race([client.closed(), client.replies(2), settled(port)])
    const ran = seen.filter((target) => target !== 'GET /settled')
    // The uws binary hides all fields after an empty name, so kontor cannot refuse it here: one
    // more reason why it listens behind a proxy or on loopback only. When a newer binary refuses
    // such a request, this line fails, and the note in listenUws can go.
    if (rig.name === 'uws') t.same(ran, ['POST /first', 'GET /smuggled'])
    else t.same(ran, [])
    client.socket.destroy()
  })

  test(`${rig.name}: well-framed requests pass`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      const body = await exchange.body(1_000)
      replyText(exchange, `${body.length}`)
    })
    const client = await WireClient.connect(port)
    const cases = [
      ['Content-Length: 3\r\n', 'abc', '3'],
      ['content-length:   3  \r\n', 'abc', '3'],
      ['Content-Length: 0\r\n', '', '0'],
      ['', '', '0'],
      ['Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', '5'],
      ['transfer-encoding: Chunked\r\n', '0\r\n\r\n', '0'],
    ] as const
    for (const [fields, body, length] of cases) {
      client.write(requestText('POST', '/', fields) + body)
      const reply = await client.reply()
      t.equal(reply.status, 200, JSON.stringify(fields))
      t.equal(reply.body.toString(), length)
    }
    client.write(requestText('GET', '/', 'Content-Length: 0\r\n'))
    t.equal((await client.reply()).status, 200, 'GET with a length of 0 has no body')
    client.socket.destroy()
  })
}
