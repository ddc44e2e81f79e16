import { test } from 'tap'
import { ERROR_STATUS, type ErrorCode } from '../../../src/errors.js'
import { errorReply } from '../../../src/http/engine/error-reply.js'

test('every code has a reply: status, Error body, and the fields of all responses', async (t) => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const reply = errorReply(code as ErrorCode, 'Why "so", ä?', 'id-1')
    t.equal(reply.status, status)
    t.same(reply.fields, [
      ['Content-Type', 'application/json'],
      ['X-Request-Id', 'id-1'],
      ['Cache-Control', 'private, no-cache'],
      ['X-Content-Type-Options', 'nosniff'],
    ])
    const text = Buffer.from(reply.bytes).toString('utf8')
    t.equal(text, `{"error":"${code}","message":"Why \\"so\\", ä?"}`)
  }
})
