// The contract of Exchange over both engines: requests in, replies out. contract/ tests bodies,
// framing, aborts, connections and stopping.
import { test } from 'tap'
import { ApiError } from '../../../src/errors.js'
import type { Exchange } from '../../../src/http/engine/exchange.js'
import {
  ask,
  errorOf,
  replyText,
  requestText,
  rigs,
  settled,
  WireClient,
} from '../../fixtures/http-rig.js'

function describe(exchange: Exchange): void {
  const { method, path, query } = exchange
  replyText(exchange, JSON.stringify({ method, path, query }))
}

for (const rig of rigs) {
  test(`${rig.name}: method, path and query arrive as sent`, async (t) => {
    const { port } = await rig.listen(t, describe)
    const cases = [
      ['/', '/', ''],
      [
        '/v1/demo/transactions?limit=5&query=a%20b+c',
        '/v1/demo/transactions',
        'limit=5&query=a%20b+c',
      ],
      ['/a%2Fb/%C3%A4/..//c', '/a%2Fb/%C3%A4/..//c', ''],
      ['/a?', '/a', ''],
      ['/a?b?c=d', '/a', 'b?c=d'],
      ['/a?%zz&&=', '/a', '%zz&&='],
      ["/a;x=1,2:@!$'()*", "/a;x=1,2:@!$'()*", ''],
    ] as const
    for (const [target, path, query] of cases) {
      const reply = await ask(port, requestText('GET', target))
      t.same(JSON.parse(reply.body.toString()), { method: 'GET', path, query }, target)
    }
    for (const method of ['GET', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const reply = await ask(port, requestText(method, '/m?x'))
      t.same(JSON.parse(reply.body.toString()), { method, path: '/m', query: 'x' })
    }
  })

  test(`${rig.name}: no field names the engine`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => {
      if (exchange.path === '/none') exchange.reply(304, [], Buffer.alloc(0))
      else describe(exchange)
    })
    for (const [method, path] of [
      ['GET', '/a'],
      ['HEAD', '/a'],
      ['GET', '/none'],
    ] as const) {
      const { names } = await ask(port, requestText(method, path), method)
      t.ok(names.includes('date'), `${method} ${path}`)
      t.notOk(
        names.some((name) => /uwebsockets|server|powered/.test(name)),
        names.join(),
      )
    }
  })

  test(`${rig.name}: an unknown method never reaches the handler`, async (t) => {
    const { port, seen } = await rig.listen(t, describe)
    for (const method of ['get', 'Get', 'FOO', 'G{T', 'GET\x7f', '']) {
      const client = await WireClient.connect(port)
      client.write(requestText(method, '/a'))
      const [reply] = await client.replies(1)
      // uws 20.30 closes without an answer (documented); all others give the reason.
      if (rig.build === '20.30') t.equal(reply, undefined)
      else {
        t.equal(reply?.status, 400)
        t.equal(reply && errorOf(reply).error, 'invalid_request')
      }
      await client.closed()
    }
    t.same(seen, [])
  })

  test(`${rig.name}: fields are found by lower-case name, whatever their case`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => {
      const names = ['authorization', 'if-none-match', 'x-request-id', 'origin', 'accept'] as const
      const more = ['content-type', 'host', 'mcp-protocol-version', 'mcp-method'] as const
      const last = ['mcp-name', 'access-control-request-method'] as const
      const values = [...names, ...more, ...last, 'access-control-request-headers' as const]
      replyText(exchange, values.map((name) => exchange.field(name)).join('|'))
    })
    const all =
      'AUTHORIZATION: Bearer x\r\nif-none-match:"a"\r\nX-Request-ID:   r1  \r\n' +
      'Origin: https://o\r\nACCEPT: */*\r\nContent-Type: text/plain\r\n' +
      'Mcp-Protocol-Version: 2\r\n' +
      'mCP-mETHOD: m\r\nMcp-Name: n\r\nAccess-Control-Request-Method: PUT\r\n' +
      'Access-Control-Request-Headers: a, b\r\nX-Other: z\r\nCookie: c\r\n'
    const reply = await ask(port, requestText('GET', '/', all))
    const wanted = 'Bearer x|"a"|r1|https://o|*/*|text/plain|kontor.test|2|m|n|PUT|a, b'
    t.equal(reply.body.toString(), wanted)
    const none = await ask(port, requestText('GET', '/'))
    t.equal(none.body.toString(), '||||||kontor.test|||||', 'absent fields are empty')
    const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'
    const joined = await ask(port, requestText('GET', '/', twice))
    t.match(joined.body.toString(), /^Bearer a, Bearer b\|/, 'a repeated field is joined')
  })

  test(`${rig.name}: fields and the request id stay readable after an await`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      await new Promise((resolve) => setImmediate(resolve))
      replyText(exchange, `${exchange.field('accept')} ${exchange.requestId}`)
    })
    const reply = await ask(port, requestText('GET', '/', 'Accept: a/b\r\nX-Request-Id: mine\r\n'))
    t.equal(reply.body.toString(), 'a/b mine')
  })

  test(`${rig.name}: status, fields and bytes are sent as given, the engine frames`, async (t) => {
    const bytes = Buffer.from('{"a":"ä"}')
    const { port } = await rig.listen(t, (exchange) => {
      exchange.reply(
        404,
        [
          ['Content-Type', 'application/json'],
          ['Link', '<https://a.test/?b=c>; rel="next"'],
          ['X-Empty', ''],
          ['X-Tab', 'a\tb'],
        ],
        bytes,
      )
    })
    const reply = await ask(port, requestText('GET', '/'))
    t.equal(reply.status, 404)
    t.same(reply.body, bytes)
    t.equal(reply.fields['content-type'], 'application/json')
    t.equal(reply.fields['link'], '<https://a.test/?b=c>; rel="next"')
    t.equal(reply.fields['x-empty'], '')
    t.equal(reply.fields['x-tab'], 'a\tb')
    t.equal(reply.fields['content-length'], '10')
    t.match(reply.fields['date'], /GMT$/)
    for (const name of ['content-length', 'content-type', 'date']) {
      t.equal(reply.names.filter((sent) => sent === name).length, 1, `${name} once`)
    }
    t.notOk(reply.names.includes('transfer-encoding'))
  })

  test(`${rig.name}: bytes may be overwritten as soon as reply returns`, async (t) => {
    for (const size of [0, 1, 1_000, 20_000, 300_000, 9_000_000]) {
      const { port } = await rig.listen(t, (exchange) => {
        const scratch = Buffer.alloc(size + 10, 'a').subarray(5, size + 5)
        exchange.reply(200, [], scratch)
        scratch.fill('b')
      })
      const reply = await ask(port, requestText('GET', '/'))
      t.equal(reply.body.length, size)
      t.ok(reply.body.equals(Buffer.alloc(size, 'a')), `${size} bytes`)
    }
  })

  test(`${rig.name}: HEAD, 204 and 304 have no body, and the connection stays open`, async (t) => {
    const { port } = await rig.listen(t, async (exchange) => {
      if (exchange.query === 'later') await new Promise((resolve) => setImmediate(resolve))
      const status = Number(exchange.path.slice(1))
      exchange.reply(status, [['ETag', '"e"']], Buffer.from('12345'))
    })
    for (const when of ['', '?later']) {
      const client = await WireClient.connect(port)
      client.write(requestText('HEAD', `/200${when}`))
      const head = await client.reply('HEAD')
      t.equal(head.status, 200)
      t.equal(head.fields['content-length'], '5', 'HEAD has the length that GET would have')
      for (const status of [204, 304]) {
        client.write(requestText('GET', `/${status}${when}`))
        const reply = await client.reply()
        t.equal(reply.status, status)
        t.equal(reply.fields['content-length'], undefined)
        t.equal(reply.fields['etag'], '"e"')
      }
      client.write(requestText('GET', `/200${when}`))
      t.equal((await client.reply()).body.toString(), '12345', 'no bytes are left over')
      client.socket.destroy()
    }
  })

  test(`${rig.name}: an exception in a handler becomes a reply`, async (t) => {
    const { port, faults } = await rig.listen(t, (exchange) => {
      const error = exchange.path.endsWith('api')
        ? new ApiError('not_found', 'No account has id 7.')
        : new Error('secret cause')
      if (exchange.path.startsWith('/async')) return Promise.reject(error)
      throw error
    })
    for (const path of ['/sync', '/async']) {
      const reply = await ask(port, requestText('GET', path, 'X-Request-Id: abc\r\n'))
      t.equal(reply.status, 500)
      t.equal(reply.fields['x-request-id'], 'abc')
      t.equal(reply.fields['cache-control'], 'private, no-cache')
      t.equal(reply.fields['content-type'], 'application/json')
      t.equal(errorOf(reply).error, 'internal')
      t.match(errorOf(reply).message, 'abc', 'the caller can quote the request')
      t.notMatch(reply.body.toString(), 'secret', 'the cause stays private')
      const fault = faults.pop()
      t.equal(fault?.requestId, 'abc')
      t.match(fault?.error, { message: 'secret cause' })
      const expected = await ask(port, requestText('GET', `${path}api`))
      t.equal(expected.status, 400)
      t.same(errorOf(expected), { error: 'not_found', message: 'No account has id 7.' })
      t.same(faults, [], 'an error of the caller is not logged as one')
    }
  })

  test(`${rig.name}: a promise that settles without a reply is answered 500`, async (t) => {
    const { port, faults } = await rig.listen(t, async () => undefined)
    t.equal((await ask(port, requestText('GET', '/'))).status, 500)
    t.match(faults, [{ error: { message: 'the answer settled without a reply' } }])
  })

  test(`${rig.name}: a handler may return nothing and reply later`, async (t) => {
    const { port, faults } = await rig.listen(
      t,
      // The returned timer, as from a one-line arrow function, is no promise.
      (exchange): void => setTimeout(() => replyText(exchange, 'later'), 5) as unknown as undefined,
    )
    t.equal((await ask(port, requestText('GET', '/'))).body.toString(), 'later')
    t.same(faults, [])
  })

  test(`${rig.name}: a second reply throws and changes nothing on the wire`, async (t) => {
    const { port, faults } = await rig.listen(t, (exchange) => {
      replyText(exchange, 'one')
      replyText(exchange, 'two')
    })
    const client = await WireClient.connect(port)
    for (let i = 0; i < 2; i++) {
      client.write(requestText('GET', '/'))
      t.equal((await client.reply()).body.toString(), 'one')
    }
    t.equal(faults.length, 2)
    t.match(faults[0]?.error, { code: 'ERR_ASSERTION' })
    client.socket.destroy()
  })

  test(`${rig.name}: a field value cannot start another field`, async (t) => {
    const { port, faults } = await rig.listen(t, (exchange) => {
      const value = decodeURIComponent(exchange.query)
      exchange.reply(200, [['X-Echo', value]], Buffer.from('sent'))
    })
    for (const bad of ['%0d%0aX-Evil:1', 'a%0d', '%0a', 'a%00b', '%7f', '%c3%a4', '%e2%82%ac']) {
      for (const padding of ['', 'p'.repeat(60)]) {
        const reply = await ask(port, requestText('GET', `/?${padding}${bad}`))
        t.equal(reply.status, 500, bad)
        t.equal(reply.fields['x-evil'], undefined)
        t.match(faults.pop()?.error, { code: 'ERR_ASSERTION' })
      }
    }
    t.equal((await ask(port, requestText('GET', '/?fine'))).status, 200)
  })

  test(`${rig.name}: the request id is the caller's when valid, otherwise generated`, async (t) => {
    const { port } = await rig.listen(t, (exchange) => {
      replyText(exchange, `${exchange.requestId} ${exchange.requestId}`)
    })
    const ids = async (fields: string): Promise<string[]> =>
      (await ask(port, requestText('GET', '/', fields))).body.toString().split(' ')
    t.same(await ids('X-Request-Id: a~!b\r\n'), ['a~!b', 'a~!b'])
    const [first, again] = await ids(`X-Request-Id: ${'x'.repeat(129)}\r\n`)
    t.equal(first, again)
    t.not(first, (await ids(''))[0])
  })

  test(`${rig.name}: a target past its limit is 414, and no handler runs`, async (t) => {
    const { port, seen } = await rig.listen(t, describe)
    const fits = `/${'a'.repeat(16_000)}?${'b'.repeat(383)}`
    t.equal((await ask(port, requestText('GET', fits))).status, 200)
    const client = await WireClient.connect(port)
    client.write(requestText('GET', `${fits}bb`))
    const reply = await client.reply()
    t.equal(reply.status, 414)
    t.equal(errorOf(reply).error, 'uri_too_long')
    await client.closed()
    t.equal(seen.length, 1)
  })

  test(`${rig.name}: fields of 16 KB are read, past the engine's bound none is`, async (t) => {
    const { port, seen } = await rig.listen(t, (exchange) => {
      replyText(exchange, String(exchange.field('cookie').length))
    })
    const withCookie = (size: number): string =>
      requestText('GET', '/', `Cookie: ${'c'.repeat(size)}\r\n`)
    t.equal((await ask(port, withCookie(16_000))).body.toString(), '16000')
    if (rig.build !== '20.30') {
      const client = await WireClient.connect(port)
      client.write(withCookie(33_000))
      t.equal((await client.reply()).status, 431)
      await client.closed()
    }
    t.equal(seen.length, 1)
  })

  test(`${rig.name}: bytes past ASCII in a target arrive as UTF-8 or not at all`, async (t) => {
    const { port, seen } = await rig.listen(t, describe)
    const client = await WireClient.connect(port)
    client.write(requestText('GET', '/\xc3\xa4?q=\xc3\xbc'))
    const [reply] = await Promise.race([client.replies(1), settled(port).then(() => [])])
    if (reply?.status === 200) {
      t.same(JSON.parse(reply.body.toString()), { method: 'GET', path: '/ä', query: 'q=ü' })
    } else t.notOk(seen.some((target) => target !== 'GET /settled'))
    client.socket.destroy()
  })
}
