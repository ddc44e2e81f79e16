import { test } from 'tap'
import { ApiError, ERROR_STATUS, type ErrorCode } from '../../../src/errors.js'
import { errorReply, replyError } from '../../../src/http/engine/error-reply.js'
import { OAuthError } from '../../../src/oauth/oauth-error.js'
import {
  StoreError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../../../src/store/store-error.js'

const RETRY: Readonly<Record<string, unknown>> = {
  workspace_unavailable: [['Retry-After', '5']],
  store_unavailable: [['Retry-After', '1']],
  data_changed: [['Retry-After', '1']],
  budget_exceeded: [['Retry-After', '1']],
}

test('every code has a reply: status, Error body, and the fields of all responses', async (t) => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const reply = errorReply(new ApiError(code as ErrorCode, 'Why "so", ä?'), 'id-1')
    t.equal(reply.status, status)
    t.same(reply.fields.slice(0, 4), [
      ['Content-Type', 'application/json'],
      ['X-Request-Id', 'id-1'],
      ['Cache-Control', 'private, no-cache'],
      ['X-Content-Type-Options', 'nosniff'],
    ])
    t.same(reply.fields.slice(4), RETRY[code] ?? [], `${code}: its own fields`)
    const text = Buffer.from(reply.bytes).toString('utf8')
    t.equal(text, `{"error":"${code}","message":"Why \\"so\\", ä?"}`)
  }
})

test('the body is code and message alone', async (t) => {
  const cause = new Error('SQLITE_CORRUPT at /secret/path')
  const error = new ApiError('not_found', 'There is no account "ä\n"', { cause })
  t.equal(
    Buffer.from(errorReply(error, 'id-1').bytes).toString(),
    '{"error":"not_found","message":"There is no account \\"ä\\n\\""}',
  )
})

test('a secret error is kept by no cache', async (t) => {
  const { fields, bytes } = errorReply(new OAuthError('invalid_grant', 'Used.'), 'id-1')
  t.same(fields[2], ['Cache-Control', 'no-store'])
  t.equal(Buffer.from(bytes).toString(), '{"error":"invalid_grant","error_description":"Used."}')
})

test('a store that is unavailable or locked is 503, and only some errors are logged', async (t) => {
  const replyOf = (error: unknown): readonly [status: number, isReported: boolean] => {
    let sent = 0
    const { signal } = new AbortController()
    const reply = (status: number): void => {
      sent = status
    }
    const exchange = { aborted: false, replied: false, requestId: 'r', signal, reply }
    const isReported = replyError(exchange, error)
    return [sent, isReported]
  }
  t.same(replyOf(new StoreUnavailableError('unreachable')), [503, false])
  t.same(replyOf(new StoreError('locked', { isBusy: true })), [503, true])
  t.same(replyOf(new StoreRefusedError('refused')), [503, true])
  t.same(replyOf(new StoreError('damaged')), [500, true])
})
