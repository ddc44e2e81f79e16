import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { bearerChallenge, errorBytes } from '../../src/wire/error-json.js'

test('the body is code and message only', async (t) => {
  const cause = new Error('SQLITE_CORRUPT at /secret/path')
  const error = new ApiError('not_found', 'There is no account "ä\n"', { cause })
  t.equal(
    Buffer.from(errorBytes(error)).toString(),
    '{"error":"not_found","message":"There is no account \\"ä\\n\\""}',
  )
})

test('the challenge contains only what RFC 6750 allows', async (t) => {
  t.equal(bearerChallenge({ reason: 'no_credential' }), 'Bearer realm="kontor"')
  t.equal(
    bearerChallenge({ reason: 'invalid_token' }),
    'Bearer realm="kontor", error="invalid_token"',
  )
  t.equal(
    bearerChallenge({ reason: 'insufficient_scope', scope: 'accounts:read' }),
    'Bearer realm="kontor", error="insufficient_scope", scope="accounts:read"',
  )
})
