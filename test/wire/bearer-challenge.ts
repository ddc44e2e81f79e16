import { test } from 'tap'
import { bearerChallenge } from '../../src/wire/bearer-challenge.js'

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
