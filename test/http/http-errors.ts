import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import {
  insufficientScope,
  methodNotAllowed,
  rateLimited,
  unauthorized,
  unknownCredential,
} from '../../src/http/http-errors.js'
import { bearerChallenge } from '../../src/wire/bearer-challenge.js'
import { ask, errorOf, requestText, rigs } from '../fixtures/http-rig.js'

const ERRORS: readonly (readonly [thrown: ApiError, status: number, fields: object])[] = [
  [new ApiError('not_found', 'm'), 400, {}],
  [new ApiError('workspace_unavailable', 'm'), 503, { 'retry-after': '5' }],
  [new ApiError('budget_exceeded', 'm'), 503, { 'retry-after': '1' }],
  [new ApiError('data_changed', 'm'), 409, { 'retry-after': '1' }],
  [
    unauthorized('m', bearerChallenge({ reason: 'no_credential' })),
    401,
    { 'www-authenticate': 'Bearer realm="kontor"' },
  ],
  [
    unknownCredential(),
    401,
    { 'www-authenticate': 'Bearer realm="kontor", error="invalid_token"' },
  ],
  [
    insufficientScope('accounts:read'),
    401,
    {
      'www-authenticate':
        'Bearer realm="kontor", error="insufficient_scope", scope="accounts:read"',
    },
  ],
  [rateLimited(17), 429, { 'retry-after': '17' }],
  [methodNotAllowed('m', 'GET, HEAD'), 405, { allow: 'GET, HEAD' }],
]

for (const rig of rigs) {
  test(`${rig.name}: an error is replied with its code and the fields of its status`, async (t) => {
    for (const [thrown, status, fields] of ERRORS) {
      const { port, faults } = await rig.listen(t, () => {
        throw thrown
      })
      const reply = await ask(port, requestText('GET', '/', 'X-Request-Id: r\r\n'))
      t.equal(reply.status, status)
      t.match(reply.fields, {
        ...fields,
        'content-type': 'application/json',
        'x-request-id': 'r',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      })
      t.same(errorOf(reply), { error: thrown.code, message: thrown.message })
      t.same(faults, [])
    }
  })

  test(`${rig.name}: an error that is not for callers is a 500, and reported`, async (t) => {
    const fault = new TypeError('x is not a function')
    const { port, faults } = await rig.listen(t, () => Promise.reject(fault))
    const reply = await ask(port, requestText('GET', '/'))
    t.equal(reply.status, 500)
    t.notMatch(errorOf(reply).message, /function/, 'the cause is for the log')
    t.same(
      faults.map(({ error }) => error),
      [fault],
    )
  })
}
