// Behaviour of the node engine alone; engines.ts and contract/ test the shared behaviour.
import { request as httpsRequest } from 'node:https'
import { connect as tlsConnect } from 'node:tls'
import { test } from 'tap'
import { errorCodeOf, listenNode } from '../../../src/http/engine/engine-node.js'
import { splitTarget } from '../../../src/http/engine/exchange-node.js'
import { ask, errorOf, replyText, requestText, rigs, WireClient } from '../../fixtures/http-rig.js'
import { selfSigned } from '../../fixtures/self-signed.js'

const rig = rigs.find(({ name }) => name === 'node')!

test('a parser error gets an Error body and ends the connection', async (t) => {
  const { port, seen } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
  const cases = [
    ['nonsense\r\n\r\n', 400, 'invalid_request'],
    [requestText('GET', '/', 'X-A : b\r\n'), 400, 'invalid_request'],
    [requestText('GET', '/', 'X-A: b\x00\r\n'), 400, 'invalid_request'],
    [`GET / HTTP/3.7\r\nHost: a\r\n\r\n`, 400, 'invalid_request'],
    [requestText('GET', '/', `X-A: ${'b'.repeat(40_000)}\r\n`), 431, 'fields_too_large'],
    [requestText('GET', `/${'a'.repeat(40_000)}`), 431, 'fields_too_large'],
    [requestText('GET', '/', 'X-A: b\r\n'.repeat(100)), 431, 'fields_too_large'],
    [requestText('GET', '/', 'a:b\r\n'.repeat(5_000)), 431, 'fields_too_large'],
  ] as const
  for (const [text, status, code] of cases) {
    const client = await WireClient.connect(port)
    client.write(text)
    const reply = await client.reply()
    t.equal(reply.status, status)
    t.equal(errorOf(reply).error, code)
    t.equal(reply.fields['connection'], 'close')
    t.equal(reply.fields['content-type'], 'application/json')
    t.equal(reply.fields['x-content-type-options'], 'nosniff')
    t.ok(reply.fields['x-request-id'])
    await client.closed()
  }
  const fits = requestText('GET', '/', 'X-A: b\r\n'.repeat(99))
  t.equal((await ask(port, fits)).status, 200, '100 fields are fine')
  t.equal(seen.length, 1)
})

test('garbage after a pending request does not cut into its reply', async (t) => {
  const { port } = await rig.listen(t, async (exchange) => {
    await new Promise((resolve) => setImmediate(resolve))
    replyText(exchange, 'whole')
  })
  const client = await WireClient.connect(port)
  client.write(`${requestText('GET', '/')}nonsense\r\n\r\n`)
  await client.closed()
  t.notMatch(client.bytes.toString(), '400 Bad Request')
})

test('each parser error has its code', async (t) => {
  const codeOf = (code: string): string => errorCodeOf(Object.assign(new Error('x'), { code }))
  t.equal(codeOf('HPE_HEADER_OVERFLOW'), 'fields_too_large')
  t.equal(codeOf('ERR_HTTP_REQUEST_TIMEOUT'), 'request_timeout')
  t.equal(codeOf('HPE_INVALID_METHOD'), 'invalid_request')
  t.equal(errorCodeOf(new Error('x')), 'invalid_request')
})

test('a target in absolute form means the same as its path', async (t) => {
  t.same(splitTarget('http://kontor.test:80/a%20b?c=d?e'), { path: '/a%20b', query: 'c=d?e' })
  t.same(splitTarget('HTTPS://kontor.test'), { path: '/', query: '' })
  t.same(splitTarget('http://kontor.test?q'), { path: '/', query: 'q' })
  t.same(splitTarget('*'), { path: '*', query: '' })
  t.same(splitTarget('/http://a/?b'), { path: '/http://a/', query: 'b' })
  const { port, seen } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
  await ask(port, requestText('GET', 'http://kontor.test/a?b'))
  await ask(port, requestText('OPTIONS', '*'))
  t.same(seen, ['GET /a?b', 'OPTIONS *'])
})

test('HTTP/1.0 is answered, and its connection ends', async (t) => {
  const { port } = await rig.listen(t, (exchange) => replyText(exchange, 'ran'))
  const client = await WireClient.connect(port)
  client.write('GET / HTTP/1.0\r\nHost: a\r\n\r\n')
  t.equal((await client.reply()).body.toString(), 'ran')
  await client.closed()
})

test('a client that does not expect 100 Continue does not get it', async (t) => {
  const { port } = await rig.listen(t, (exchange) => exchange.reply(404, [], Buffer.from('no')))
  const fields = 'Expect: 100-continue\r\nContent-Length: 3\r\n'
  const reply = await ask(port, requestText('POST', '/', fields))
  t.equal(reply.status, 404, 'an unwanted body is never requested')
})

function askTls(port: number, ca: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, ca, path: '/a?b', agent: false }
    httpsRequest(options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}

test('TLS from PEM texts: 1.2 and above, and stopping ends open handshakes', async (t) => {
  const tls = selfSigned()
  const engine = await rig.open({
    tls,
    answer: (exchange) => replyText(exchange, `${exchange.path} ${exchange.query}`),
  })
  t.same(await askTls(engine.port, tls.cert), { status: 200, body: '/a b' })
  const oldest = new Promise<void>((resolve, reject) => {
    const socket = tlsConnect({
      port: engine.port,
      host: '127.0.0.1',
      ca: tls.cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
  })
  await t.rejects(oldest, /alert protocol version|no protocols available/i)
  const plain = await WireClient.connect(engine.port)
  plain.write(requestText('GET', '/'))
  await plain.closed()
  t.equal(plain.bytes.toString().includes('200'), false, 'plain HTTP is not answered')
  const silent = await WireClient.connect(engine.port)
  const idle = tlsConnect({ port: engine.port, host: '127.0.0.1', ca: tls.cert })
  await new Promise((resolve) => idle.once('secureConnect', resolve))
  const idleClosed = new Promise((resolve) => idle.once('close', resolve))
  idle.on('error', () => undefined)
  await engine.stop(600_000)
  await silent.closed()
  await idleClosed
})

test('unusable TLS texts are reported in one sentence', async (t) => {
  const options = { host: '127.0.0.1', port: 0, answer: () => undefined, onFault: () => undefined }
  const tls = { cert: 'nonsense', key: 'nonsense' }
  await t.rejects(listenNode({ ...options, tls }), { kind: 'failed', message: /two PEM files/ })
  const foreign = { cert: selfSigned().cert, key: selfSigned().key }
  await t.rejects(listenNode({ ...options, tls: foreign }), { kind: 'failed', message: /TLS/ })
})
