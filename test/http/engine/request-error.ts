import { METHODS } from 'node:http'
import { test } from 'tap'
import { requestErrorOf } from '../../../src/http/engine/request-error.js'
import { RequestHead } from '../../../src/http/engine/request-head.js'
import { TARGET_BYTES_MAX } from '../../../src/limits.js'

function headOf(...fields: readonly (readonly [name: string, value: string])[]): RequestHead {
  const head = new RequestHead()
  for (const [name, value] of fields) head.take(name, value)
  return head
}

const HOST = ['host', 'a'] as const
const BODY = ['content-length', '1'] as const

test('an unknown method is refused, whatever an engine accepts', async (t) => {
  for (const method of ['get', 'FOO', 'GET ', '', 'G\x7fT', 'constructor']) {
    const refusal = requestErrorOf(method, 1, headOf(HOST))
    t.match(refusal, { code: 'invalid_request', status: 400, message: /method is unknown/ }, method)
  }
  for (const method of METHODS) t.equal(requestErrorOf(method, 1, headOf(HOST)), undefined, method)
})

test('one Host, a target within its limit, and no body on GET or HEAD', async (t) => {
  t.equal(requestErrorOf('GET', 1, headOf(HOST)), undefined)
  t.equal(requestErrorOf('GET', TARGET_BYTES_MAX, headOf(HOST)), undefined)
  t.equal(requestErrorOf('GET', 1, headOf(HOST, ['content-length', '0'])), undefined)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    t.equal(
      requestErrorOf(method, 1, headOf(HOST, BODY)),
      undefined,
      'the answer names the allowed ones',
    )
  }
  t.match(requestErrorOf('GET', 1, headOf()), { code: 'invalid_request', status: 400 })
  t.match(requestErrorOf('GET', 1, headOf(HOST, HOST)), { code: 'invalid_request' })
  t.match(requestErrorOf('GET', TARGET_BYTES_MAX + 1, headOf(HOST)), {
    code: 'uri_too_long',
    status: 414,
  })
  const odd = headOf(HOST, ['content-length', '1'], ['content-length', '2'])
  t.match(requestErrorOf('POST', 1, odd), {
    code: 'invalid_request',
    message: /request is ambiguous/,
  })
  for (const method of ['GET', 'HEAD']) {
    t.match(requestErrorOf(method, 1, headOf(HOST, BODY)), { code: 'invalid_request', status: 400 })
    const chunked = headOf(HOST, ['transfer-encoding', 'chunked'])
    t.match(requestErrorOf(method, 1, chunked), { code: 'invalid_request' })
  }
})
